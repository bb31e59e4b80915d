//! The viewer's own cards.

use super::super::RedQueen;
use super::super::moves::Move;
use super::super::words;
use super::choice::{Begun, Choice};
use crate::board_action::BoardAction;
use crate::playing_cards::{name, picture};
use wonderpost_rules::{Card, View, Viewer};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    pub cards: Vec<HandCard>,
    pub limit: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandCard {
    pub picture: String,
    /// What a click does, if anything.
    pub way: Option<BoardAction<Move>>,
    /// Picked to be played.
    pub picked: bool,
    /// Not there a step before.
    pub new: bool,
    /// RQ-31: everybody knows it is there.
    pub seen: bool,
    pub label: String,
}

impl HandCard {
    /// The move that a click says, if it says one.
    pub fn say(&self) -> Option<&Move> {
        self.way.as_ref().and_then(BoardAction::say)
    }

    /// Where a click leads, if it leads on.
    pub fn link(&self) -> Option<String> {
        self.way.as_ref().and_then(BoardAction::link)
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
                Some(BoardAction::Submit(_)) => format!("Discard the {}", name(card)),
                Some(BoardAction::Begin(_)) if picked => format!("Put the {} back", name(card)),
                Some(BoardAction::Begin(_)) => format!("Play the {}", name(card)),
                None => name(card),
            };
            HandCard { picture: picture(card, ""), way, picked, new, seen: seen.contains(card), label }
        };
        let limit = if seat == view.table.queen { "six" } else { "five" };
        Some(Hand { cards: mine.hand.iter().map(card).collect(), limit })
    }
}

fn way(choice: &Choice, card: Card, picked: bool) -> Option<BoardAction<Move>> {
    match choice.begun {
        // A question is open.
        Begun::Shuffle | Begun::LastCard => None,
        _ if picked => Some(BoardAction::Begin(String::new())),
        _ if choice.discards(card) => Some(BoardAction::Submit(Move::Discard { card })),
        _ if choice.plays(card) => Some(BoardAction::Begin(format!("card {card}"))),
        _ => None,
    }
}
