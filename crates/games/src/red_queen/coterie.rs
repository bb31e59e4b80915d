//! The Red Queen's guard: three slots, and the members in them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::card_set::CardSet;
use wonderpost_rules::{Card, Refusal};

/// A place in the coterie, numbered from 1. RQ-9: it keeps its number, gaps are not closed up.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Slot(u8);

impl Slot {
    pub const ALL: [Slot; 3] = [Slot(1), Slot(2), Slot(3)];

    pub const fn number(self) -> u8 {
        self.0
    }

    const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Slot {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Slot, Refusal> {
        let slot = Slot::ALL.into_iter().find(|slot| slot.to_string() == text);
        slot.ok_or_else(|| Refusal::new(format!("“{text}” is no slot: the coterie has slots 1, 2 and 3.")))
    }
}

impl TryFrom<u8> for Slot {
    type Error = String;

    fn try_from(number: u8) -> Result<Slot, String> {
        Slot::ALL.into_iter().find(|slot| slot.0 == number).ok_or_else(|| format!("there is no slot {number}"))
    }
}

impl From<Slot> for u8 {
    fn from(slot: Slot) -> u8 {
        slot.0
    }
}

/// A card in the coterie.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    pub card: Card,
    /// RQ-16: lies face up.
    pub up: bool,
    /// RQ-15: everybody knows it. What lies face up always is.
    pub known: bool,
}

impl Member {
    pub const fn face_down(card: Card) -> Member {
        Member { card, up: false, known: false }
    }
}

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coterie([Option<Member>; 3]);

impl Coterie {
    pub const fn get(&self, slot: Slot) -> Option<Member> {
        self.0[slot.index()]
    }

    pub fn set(&mut self, slot: Slot, member: Option<Member>) {
        self.0[slot.index()] = member;
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// The members with their slots, in slot order.
    pub fn members(&self) -> impl Iterator<Item = (Slot, Member)> {
        Slot::ALL.into_iter().zip(self.0).filter_map(|(slot, member)| Some((slot, member?)))
    }

    pub fn cards(&self) -> CardSet {
        self.members().map(|(_, member)| member.card).collect()
    }

    /// RQ-9: where the next card is placed.
    pub fn lowest_gap(&self) -> Option<Slot> {
        Slot::ALL.into_iter().find(|slot| self.get(*slot).is_none())
    }

    /// RQ-11: the members that a shuffle takes up, in slot order.
    pub fn face_down(&self) -> impl Iterator<Item = (Slot, Member)> {
        self.members().filter(|(_, member)| !member.up)
    }

    /// RQ-11: lays these over the slots of the face-down members. Nobody knows any of them afterwards.
    pub fn lay_anew(&mut self, cards: &[Card]) {
        let slots: Vec<Slot> = self.face_down().map(|(slot, _)| slot).collect();
        for (slot, card) in slots.into_iter().zip(cards) {
            self.set(slot, Some(Member::face_down(*card)));
        }
    }
}
