//! What the viewer can do now: which moves there are, and which choice has been begun.

use super::super::RedQueen;
use super::super::coterie::Slot;
use super::super::moves::Move;
use crate::playing_cards;
use wonderpost_rules::{Card, View, fold_line};

/// All that the viewer can do now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    moves: Vec<Move>,
    pub begun: Begun,
}

/// A choice of several steps, as far as it has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Begun {
    #[default]
    Nothing,
    /// This card of the hand is to be played.
    Card(Card),
    /// The coterie is to be laid anew.
    Shuffle,
}

/// A new order of the face-down members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub say: String,
    pub places: Vec<Place>,
    /// It is how they lie already.
    pub same: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub slot: Slot,
    pub picture: String,
}

impl Choice {
    /// `begun` is what the viewer has begun, from the page's address: anything may stand there.
    pub fn new(view: &View<RedQueen>, begun: Option<&str>) -> Choice {
        let mut choice = Choice { moves: view.moves.clone(), begun: Begun::Nothing };
        choice.begun = begun.map(fold_line).map_or(Begun::Nothing, |begun| choice.read(&begun));
        choice
    }

    fn read(&self, begun: &str) -> Begun {
        match begun.split_once(' ') {
            Some(("card", card)) => match card.parse() {
                Ok(card) if self.plays(card) => Begun::Card(card),
                _ => Begun::Nothing,
            },
            None if begun == "shuffle" && self.shuffles() => Begun::Shuffle,
            _ => Begun::Nothing,
        }
    }

    fn can(&self, mv: &Move) -> bool {
        self.moves.contains(mv)
    }

    /// Whether a card of the hand can be played somewhere.
    pub fn plays(&self, played: Card) -> bool {
        self.moves.iter().any(|mv| match mv {
            Move::Place { card } | Move::Swap { card, .. } | Move::Attack { card, .. } | Move::AttackQueen { card } => {
                *card == played
            }
            Move::Draw | Move::Shuffle { .. } | Move::End | Move::Discard { .. } => false,
        })
    }

    /// The card that has been picked from the hand.
    pub fn picked(&self) -> Option<Card> {
        match self.begun {
            Begun::Card(card) => Some(card),
            Begun::Nothing | Begun::Shuffle => None,
        }
    }

    /// The move that the picked card makes at a slot.
    pub fn at(&self, slot: Slot, lowest_gap: Option<Slot>) -> Option<Move> {
        let card = self.picked()?;
        let moves = [Move::Attack { slot, card }, Move::Swap { slot, card }];
        let place = Move::Place { card };
        if lowest_gap == Some(slot) && self.can(&place) {
            return Some(place);
        }
        moves.into_iter().find(|mv| self.can(mv))
    }

    /// The move that the picked card makes against the Queen.
    pub fn at_queen(&self) -> Option<Move> {
        let card = self.picked()?;
        Some(Move::AttackQueen { card }).filter(|mv| self.can(mv))
    }

    /// The pile is a button.
    pub fn draws(&self) -> bool {
        self.free() && self.can(&Move::Draw)
    }

    pub fn ends(&self) -> bool {
        self.free() && self.can(&Move::End)
    }

    /// The coterie can be laid anew, and that is not begun as yet.
    pub fn may_shuffle(&self) -> bool {
        self.free() && self.shuffles()
    }

    /// Nothing else waits to be finished, or only the picking of a place.
    fn free(&self) -> bool {
        !self.shuffling()
    }

    fn shuffles(&self) -> bool {
        self.moves.iter().any(|mv| matches!(mv, Move::Shuffle { .. }))
    }

    pub fn discards(&self, card: Card) -> bool {
        self.can(&Move::Discard { card })
    }

    /// The shuffle has been begun.
    pub fn shuffling(&self) -> bool {
        self.begun == Begun::Shuffle
    }

    /// RQ-11: all orders, with the slots that the cards come to lie in.
    pub fn orders(&self, view: &View<RedQueen>) -> Vec<Order> {
        let Some(own) = view.mine.and_then(|mine| mine.coterie) else { return vec![] };
        let down: Vec<(Slot, Card)> = Slot::ALL
            .into_iter()
            .zip(view.table.coterie.iter().zip(own))
            .filter_map(|(slot, (shown, card))| shown.filter(|shown| !shown.up).and(card).map(|card| (slot, card)))
            .collect();
        let orders = self.moves.iter().filter_map(|mv| match mv {
            Move::Shuffle { cards } => Some(cards),
            _ => None,
        });
        orders
            .map(|cards| Order {
                say: Move::Shuffle { cards: cards.clone() }.to_string(),
                places: down
                    .iter()
                    .zip(cards)
                    .map(|((slot, _), card)| Place { slot: *slot, picture: playing_cards::small(*card, "") })
                    .collect(),
                same: down.iter().map(|(_, card)| card).eq(cards),
            })
            .collect()
    }
}
