//! What is asked of the viewer, or whom all are waiting for.

use super::super::RedQueen;
use super::super::role::Role;
use super::super::words;
use super::choice::{Begun, Choice, Order};
use crate::playing_cards::name;
use wonderpost_rules::View;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    pub kicker: String,
    pub title: String,
    pub words: String,
    pub over: bool,
    pub warnings: Vec<String>,
    /// The orders to choose from, if a shuffle is begun.
    pub orders: Vec<Order>,
}

impl Prompt {
    pub fn new(view: &View<RedQueen>, can_move: bool, choice: &Choice) -> Prompt {
        let table = &view.table;
        let role = view.mine.map(|mine| match mine.role {
            Role::RedQueen => "you are the Red Queen".to_owned(),
            role => format!("you are the {}", role.title()),
        });
        let round = words::round_of(table);
        let kicker = match role.filter(|_| !view.over) {
            Some(role) => format!("{round}; {role}"),
            None => round,
        };
        let (title, words) = if view.over {
            over(view)
        } else if view.prompt.is_some() && can_move {
            task(view, choice)
        } else {
            waiting(view)
        };
        let orders = if choice.shuffling() { choice.orders(view) } else { vec![] };
        Prompt { kicker, title, words, over: view.over, warnings: words::warnings(view), orders }
    }
}

fn over(view: &View<RedQueen>) -> (String, String) {
    let names: Vec<String> = view.winners.iter().map(|seat| seat.mark().to_string()).collect();
    let best = view.winners.first().and_then(|seat| view.scores.get(seat.index()).copied().flatten()).unwrap_or(0);
    let tied = view.scores.iter().filter(|score| **score == Some(best)).count();
    let verb = if names.len() == 1 { "wins" } else { "share the win" };
    let words = match view.winners.first() {
        Some(seat) if tied > view.winners.len() => {
            let felled = view.table.felled.get(seat.index()).copied().unwrap_or(0);
            format!("{best} points, like others; but the most members felled, {felled}.")
        }
        _ => format!("{best} points after {} rounds.", view.table.history.len()),
    };
    (format!("{} {verb}", names.join(" and ")), words)
}

fn waiting(view: &View<RedQueen>) -> (String, String) {
    let table = &view.table;
    let Some(turn) = table.turn else { return (String::new(), String::new()) };
    let words = match table.to_discard {
        0 => format!("{} left in this turn.", words::actions(table.actions)),
        number => format!("{} still to be discarded.", words::cards(number)),
    };
    (format!("It is {}’s turn", turn.mark()), words)
}

fn task(view: &View<RedQueen>, choice: &Choice) -> (String, String) {
    let table = &view.table;
    let reigns = view.mine.is_some_and(|mine| mine.role == Role::RedQueen);
    if table.to_discard > 0 {
        let limit = if reigns { "six" } else { "five" };
        let title = format!("Discard {}", words::cards(table.to_discard));
        return (title, format!("You may keep {limit} at the end of a turn. Choose what to give up."));
    }
    let title = format!("Your turn: {} left", words::actions(table.actions));
    let bare = table.coterie.iter().all(Option::is_none);
    let words = match choice.begun {
        Begun::Card(card) if reigns => format!("Where shall the {} lie? Choose a slot.", name(card)),
        Begun::Card(card) if bare => format!("The Queen is bare: strike her with the {}.", name(card)),
        Begun::Card(card) => format!("Whom shall the {} attack? Choose a slot.", name(card)),
        Begun::Shuffle => {
            "Choose how your face-down cards shall lie. The others see that you shuffle, and nothing else.".to_owned()
        }
        Begun::LastCard => "Draw the last card? The pile is gone then, and the round is the Red Queen’s.".to_owned(),
        Begun::Nothing if reigns => "Choose a card of your hand to guard you, or draw from the pile.".to_owned(),
        Begun::Nothing if bare => "Draw from the pile; or, if you hold a killer, strike the Queen with it.".to_owned(),
        Begun::Nothing => "Choose a card of your hand to attack with, or draw from the pile.".to_owned(),
    };
    (title, words)
}
