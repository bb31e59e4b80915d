//! The facts of a game. Each says all that it changed, so that folding it decides nothing.

use serde::{Deserialize, Serialize};

use super::combat::Fight;
use super::coterie::Slot;
use super::round::Round;
use wonderpost_rules::{Card, Seat, SeatSet};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// RQ-5: a round begins; all cards in the order in which they are dealt and then drawn.
    Dealt {
        round: u16,
        queen: Seat,
        #[serde(with = "words")]
        cards: Vec<Card>,
    },
    /// RQ-8
    Drew {
        seat: Seat,
        card: Card,
        #[serde(default, skip_serializing_if = "Then::goes_on")]
        then: Then,
    },
    /// RQ-9
    Placed {
        slot: Slot,
        card: Card,
        #[serde(default, skip_serializing_if = "Then::goes_on")]
        then: Then,
    },
    /// RQ-10: the new member, and the old one.
    Swapped {
        slot: Slot,
        card: Card,
        old: Card,
        #[serde(default, skip_serializing_if = "Then::goes_on")]
        then: Then,
    },
    /// RQ-11: the face-down members as they lie now.
    Shuffled {
        cards: Vec<Card>,
        #[serde(default, skip_serializing_if = "Then::goes_on")]
        then: Then,
    },
    /// RQ-12: a fight, and how it ended for the attacker.
    Attacked {
        seat: Seat,
        slot: Slot,
        card: Card,
        member: Card,
        result: Fight,
        #[serde(default, skip_serializing_if = "Then::goes_on")]
        then: Then,
    },
    /// RQ-17
    Slew { seat: Seat, card: Card },
    /// RQ-18: with so many actions unused.
    Ended { seat: Seat, unused: u8, then: Then },
    /// RQ-19
    Discarded {
        seat: Seat,
        card: Card,
        #[serde(default, skip_serializing_if = "Then::goes_on")]
        then: Then,
    },
    /// RQ-24: who won the round, and how.
    RoundOver(Round),
    /// RQ-26, RQ-27
    Over { winners: SeatSet },
}

/// How the turn goes on after an action.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// It does; or the round is over.
    #[default]
    GoOn,
    /// RQ-19: the hand is over the limit.
    Discard,
    /// It is the next seat's turn.
    Pass,
}

impl Then {
    fn goes_on(&self) -> bool {
        *self == Then::GoOn
    }
}

/// Many cards as one text, with spaces between.
mod words {
    use serde::{Deserialize, Deserializer, Serializer};

    use wonderpost_rules::Card;

    pub fn serialize<S: Serializer>(cards: &[Card], serializer: S) -> Result<S::Ok, S::Error> {
        let words: Vec<String> = cards.iter().map(Card::to_string).collect();
        serializer.serialize_str(&words.join(" "))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Card>, D::Error> {
        let words = String::deserialize(deserializer)?;
        words.split_whitespace().map(|word| word.parse().map_err(serde::de::Error::custom)).collect()
    }
}
