//! What is asked of the viewer, or whom all are waiting for.

use super::super::RedQueen;
use super::super::combat::killers;
use super::super::role::Role;
use super::super::view::PublicView;
use super::super::words;
use super::choice::{Begun, Choice, Order};
use wonderpost_rules::{Scene, View};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    /// What is asked now, in a line; empty where nothing is.
    pub line: String,
    pub warnings: Vec<String>,
    /// The orders to choose from, if a shuffle is begun.
    pub orders: Vec<Order>,
}

impl Prompt {
    pub fn new(view: &View<RedQueen>, scene: &Scene, choice: &Choice) -> Prompt {
        if view.over {
            return Prompt { line: over(view), ..Prompt::default() };
        }
        if scene.ended_early {
            return Prompt::default();
        }
        let line = if scene.post_to.is_some() && view.prompt.is_some() { task(view, choice) } else { waiting(view) };
        let orders = if choice.shuffling() { choice.orders(view) } else { vec![] };
        Prompt { line, warnings: words::warnings(view), orders }
    }
}

/// “Round 2, to 30 points; you are the Avenger”, and whose turn it is: what stands above the picture in a letter.
pub fn heading(view: &View<RedQueen>) -> (String, String) {
    let table = &view.table;
    let viewer = words::viewer(view);
    let round = words::round_of(table);
    let kicker = match view.mine.filter(|_| !view.over) {
        Some(mine) => format!("{round}; you are the {}", mine.role.title()),
        None => round,
    };
    let title = if view.over {
        words::begin(words::winners(&view.winners, viewer))
    } else if view.prompt.is_none() {
        table.turn.map(|turn| format!("It is {}’s turn", turn.mark())).unwrap_or_default()
    } else if table.to_discard > 0 {
        format!("Discard {}", words::cards(table.to_discard))
    } else {
        format!("Your turn: {} left", words::actions(table.actions))
    };
    (kicker, title)
}

fn over(view: &View<RedQueen>) -> String {
    let won = words::begin(words::winners(&view.winners, words::viewer(view)));
    let best = view.winners.first().and_then(|seat| view.scores.get(seat.index()).copied().flatten()).unwrap_or(0);
    let tied = view.scores.iter().filter(|score| **score == Some(best)).count();
    let rounds = match view.table.history.len() {
        1 => "1 round".to_owned(),
        number => format!("{number} rounds"),
    };
    match view.winners.first() {
        Some(seat) if tied > view.winners.len() => {
            let felled = view.table.felled.get(seat.index()).copied().unwrap_or(0);
            format!("{won} with {best} points after {rounds}. Others have as many, but felled fewer than {felled}.")
        }
        _ => format!("{won} with {best} points after {rounds}."),
    }
}

fn waiting(view: &View<RedQueen>) -> String {
    let table = &view.table;
    let Some(turn) = table.turn else { return String::new() };
    let has = words::viewer(view).person(turn).does("has");
    match table.to_discard {
        0 => format!("{has} {} left.", words::actions(table.actions)),
        number => format!("{has} {} to discard.", words::cards(number)),
    }
}

fn task(view: &View<RedQueen>, choice: &Choice) -> String {
    let table = &view.table;
    let reigns = view.mine.is_some_and(|mine| mine.role == Role::RedQueen);
    if table.to_discard > 0 {
        let limit = if reigns { "six" } else { "five" };
        return format!("Discard {}: you may keep {limit}.", words::cards(table.to_discard));
    }
    let bare = table.coterie.iter().all(Option::is_none);
    match choice.begun {
        Begun::Card(card) if reigns => format!("Choose a slot for {}.", words::the(card)),
        Begun::Card(card) if bare => format!("Strike her with {}!", words::the(card)),
        Begun::Card(card) => format!("Choose a slot to attack with {}.", words::the(card)),
        Begun::Shuffle => "Choose a new order. The others see only that you shuffle.".to_owned(),
        Begun::Nothing => format!("{} left: {}", words::actions(table.actions), first_step(view, table, reigns, bare)),
    }
}

/// What the viewer can begin with.
fn first_step(view: &View<RedQueen>, table: &PublicView, reigns: bool, bare: bool) -> &'static str {
    let holds_killer = view.mine.is_some_and(|mine| !mine.hand.and(killers()).is_empty());
    let full = table.coterie.iter().all(Option::is_some);
    match (reigns, bare) {
        (true, _) if full => "swap a card in, or draw.",
        (true, _) => "place a card, or draw.",
        (false, true) if holds_killer => "strike her with a killer!",
        (false, true) => "draw for a killer.",
        (false, false) => "attack with a card, or draw.",
    }
}
