//! What there is to do, in a line.

use super::super::named::list;
use super::super::phase::RollKind;
use super::super::phase::{Share, Step};
use super::super::room::Room;
use super::super::view::FightView;
use super::super::words;
use super::Sight;
use super::begun::Begun;
use super::control::Face;
use wonderpost_rules::Seat;

pub struct Prompt {
    /// The roll, as a die.
    pub die: Option<Face>,
    pub words: String,
    pub hint: String,
}

impl Prompt {
    pub fn new(sight: &Sight) -> Prompt {
        let (view, table) = (sight.view, &sight.view.table);
        let die = table.roll.filter(|_| !sight.ended_early).map(|roll| Face { value: roll.value });
        let (words, hint) = if view.over {
            (ended(sight), String::new())
        } else if sight.ended_early {
            (format!("The game stopped in round {}.", table.round), String::new())
        } else if sight.begun == Begun::Thimble {
            ("What does the Dodo's Thimble bring back?".to_owned(), String::new())
        } else if let Some(roll) = table.roll {
            rolled(sight, roll.kind, roll.value)
        } else if let Some(fight) = &table.fight {
            fighting(sight, fight)
        } else if let Some(share) = &table.share {
            sharing(sight, share)
        } else if view.prompt.is_some() {
            ("You got away. Which card do you lose?".to_owned(), String::new())
        } else {
            let a = sight.person(table.turn);
            (format!("{} away and {} a card to lose.", a.does("got"), a.verb("chooses")), String::new())
        };
        Prompt { die, words, hint }
    }
}

fn people(sight: &Sight, seats: &[Seat]) -> String {
    list(&seats.iter().map(|seat| sight.person(*seat).to_string()).collect::<Vec<_>>())
}

fn rolled(sight: &Sight, kind: RollKind, value: u8) -> (String, String) {
    let a = sight.view.table.turn.mark();
    let monster = Room::of_roll(value).map(|room| room.monster()).unwrap_or_default();
    let asked = sight.view.prompt.is_some();
    match kind {
        RollKind::Move if asked => (format!("You rolled {value}. Where to?"), String::new()),
        RollKind::Move => (format!("{a} rolled {value} and chooses where to go."), String::new()),
        RollKind::Entrance if asked => (
            format!("The Entrance roll is {value}: {monster}."),
            "Go and fight, or change the roll with a card.".to_owned(),
        ),
        RollKind::Entrance => (format!("{a} rolled {value} in the Entrance: {monster}."), String::new()),
        RollKind::Run if asked => (
            format!("You run with a {value}. Where do you hide?"),
            "Nothing happens there, but it costs you a card.".to_owned(),
        ),
        RollKind::Run => (format!("{a} runs with a {value} and chooses where to hide."), String::new()),
    }
}

fn ended(sight: &Sight) -> String {
    let view = sight.view;
    let gold = view.winners.first().and_then(|seat| view.scores[seat.index()]).unwrap_or(0);
    match &view.winners[..] {
        [only] => format!("{} with {gold} Gold.", sight.person(*only).does("wins")),
        several => {
            let others: Vec<Seat> = several.iter().copied().filter(|seat| sight.me != Some(*seat)).collect();
            match others.len() == several.len() {
                true => format!("{} win together with {gold} Gold each.", people(sight, several)),
                false => format!("You and {} win together with {gold} Gold each.", people(sight, &others)),
            }
        }
    }
}

/// What stands above the choices in a fight.
fn fighting(sight: &Sight, fight: &FightView) -> (String, String) {
    let view = sight.view;
    let (a, asked) = (sight.person(view.table.turn), view.prompt.is_some());
    let (monster, gap) = (fight.room.monster(), fight.gap());
    match view.phase {
        Step::Help if asked => (
            format!("{a} asks for your help against {monster}: {gap} more {} needed.", are(gap)),
            format!("{} If it is won you take one of {}.", offer(sight, fight), prize(fight)),
        ),
        Step::Help => {
            let mine = match view.mine.as_ref().and_then(|mine| mine.answer) {
                Some("help") => "You have said that you will help. ",
                Some(_) => "You have said that you will not help. ",
                None => "",
            };
            let hint = format!("{mine}Not heard yet: {}.", people(sight, &view.awaiting));
            (format!("{} called for help against {monster}.", a.does("has")), hint)
        }
        Step::Assist if asked => (
            format!("You help {a} against {monster}: {gap} more {} needed.", are(gap)),
            "Use what you like from your hand, then say that you are done.".to_owned(),
        ),
        Step::Assist => {
            let helper = people(sight, &view.awaiting);
            (format!("{helper} helps {a} and may use cards now."), String::new())
        }
        _ if asked => match &sight.begun {
            Begun::Ask(seats) => {
                let order: Vec<String> = seats.iter().map(|seat| seat.mark().to_string()).collect();
                let hint = "The first who is willing comes. You can call only once in a fight.".to_owned();
                (format!("You ask {}.", order.join(", then ")), hint)
            }
            Begun::Nothing | Begun::Thimble => {
                let help = if fight.can_ask.is_empty() { "" } else { ", call for help" };
                (format!("You are {gap} short against {monster}."), format!("Use a card{help}, or run."))
            }
        },
        _ => (format!("{} {monster}: {gap} more {} needed.", a.does("fights"), are(gap)), String::new()),
    }
}

fn are(number: u8) -> &'static str {
    if number == 1 { "is" } else { "are" }
}

fn prize(fight: &FightView) -> String {
    words::treasures(fight.room.facts().treasures)
}

/// What one's die and Friends could do for somebody who asks.
fn offer(sight: &Sight, fight: &FightView) -> String {
    let friends: u8 = sight
        .me
        .map_or(0, |me| sight.view.table.friends[me.index()].iter().map(|friend| friend.bonus_in(fight.room)).sum());
    let with = if friends > 0 { format!("Your Friends add {friends}, so your") } else { "Your".to_owned() };
    match fight.gap().saturating_sub(friends) {
        0 | 1 => format!("{with} die is enough, whatever it shows."),
        need @ 2..=5 => format!("{with} die must show {need} or more, or cards of yours make up for it."),
        6 => format!("{with} die must show a 6, or cards of yours make up for it."),
        _ => format!("{with} die alone is not enough, but cards of yours can help."),
    }
}

/// What stands above the Treasures that are shared out.
fn sharing(sight: &Sight, share: &Share) -> (String, String) {
    let (a, helper, monster) = (sight.person(share.seat), sight.person(share.helper), share.room.monster());
    if sight.view.prompt.is_some() {
        return (format!("You and {a} have beaten {monster}. Take one Treasure."), format!("{a} gets the others."));
    }
    let gets = a.then_does("gets");
    (
        format!("{} and {helper} have beaten {monster}.", a.capitalised()),
        format!("{helper} takes one, {gets} the others."),
    )
}
