//! The viewer's own cards.

use super::super::RedQueen;
use super::super::coterie::Slot;
use super::super::moves::Move;
use super::super::words;
use super::choice::{Begun, Choice};
use crate::board_action::BoardAction;
use crate::playing_cards::{name, picture};
use wonderpost_rules::{Card, View, Viewer};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    pub cards: Vec<HandCard>,
    /// The Red Queen's members by slot, in words, for where her hand is shown without her view of the court.
    pub coterie: Option<String>,
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
    /// Whether a card can be clicked, so that the keyboard comes to the strip by itself.
    pub fn has_controls(&self) -> bool {
        self.cards.iter().any(|card| card.way.is_some())
    }

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
        let members = Slot::ALL.into_iter().zip(mine.coterie.into_iter().flatten());
        let members: Vec<String> =
            members.filter_map(|(slot, member)| Some(format!("{} in slot {slot}", words::the(member?)))).collect();
        let coterie = (!members.is_empty()).then(|| members.join(", "));
        Some(Hand { cards: mine.hand.iter().map(card).collect(), coterie })
    }
}

fn way(choice: &Choice, card: Card, picked: bool) -> Option<BoardAction<Move>> {
    match choice.begun {
        // An order is to be chosen first.
        Begun::Shuffle => None,
        _ if picked => Some(BoardAction::Begin(String::new())),
        _ if choice.discards(card) => Some(BoardAction::Submit(Move::Discard { card })),
        _ if choice.plays(card) => Some(BoardAction::Begin(format!("card {card}"))),
        _ => None,
    }
}
