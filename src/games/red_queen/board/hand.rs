//! The viewer's own cards.

use super::super::RedQueen;
use super::super::moves::Move;
use super::super::words;
use super::choice::{Begun, Choice};
use crate::games::playing_cards::{name, picture};
use crate::rules::{Card, View, Viewer};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    pub cards: Vec<HandCard>,
    pub limit: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandCard {
    pub picture: String,
    pub way: Way,
    /// Picked to be played.
    pub picked: bool,
    /// Not there a step before.
    pub new: bool,
    /// RQ-31: everybody knows it is there.
    pub seen: bool,
    pub label: String,
}

/// What a click on the card does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    Nothing,
    Say(String),
    Link(String),
}

impl Way {
    pub fn say(&self) -> Option<&str> {
        match self {
            Way::Say(line) => Some(line),
            Way::Nothing | Way::Link(_) => None,
        }
    }

    pub fn link(&self) -> Option<&str> {
        match self {
            Way::Link(link) => Some(link),
            Way::Nothing | Way::Say(_) => None,
        }
    }
}

impl Hand {
    pub fn new(view: &View<RedQueen>, before: Option<&View<RedQueen>>, choice: &Choice) -> Option<Hand> {
        let mine = view.mine?;
        let Viewer::Seat(seat) = words::viewer(view) else { return None };
        let seen = view.table.seen.get(seat.index()).copied().unwrap_or_default();
        let held = before
            .filter(|before| before.table.round == view.table.round && !view.over)
            .and_then(|before| before.mine)
            .map(|mine| mine.hand);
        let card = |card: Card| {
            let picked = choice.picked() == Some(card);
            let new = held.is_some_and(|held| !held.contains(card));
            let way = way(choice, card, picked);
            let label = match &way {
                Way::Say(_) => format!("Discard the {}", name(card)),
                Way::Link(_) if picked => format!("Put the {} back", name(card)),
                Way::Link(_) => format!("Play the {}", name(card)),
                Way::Nothing => name(card),
            };
            HandCard { picture: picture(card, ""), way, picked, new, seen: seen.contains(card), label }
        };
        let limit = if seat == view.table.queen { "six" } else { "five" };
        Some(Hand { cards: mine.hand.iter().map(card).collect(), limit })
    }
}

fn way(choice: &Choice, card: Card, picked: bool) -> Way {
    match choice.begun {
        // A question is open.
        Begun::Shuffle | Begun::LastCard => Way::Nothing,
        _ if picked => Way::Link("?#board".to_owned()),
        _ if choice.discards(card) => Way::Say(Move::Discard { card }.to_string()),
        _ if choice.plays(card) => Way::Link(format!("?begun=card%20{card}#board")),
        _ => Way::Nothing,
    }
}
