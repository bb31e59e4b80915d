//! A finished round.

use serde::{Deserialize, Serialize};

use super::card_set::CardSet;
use wonderpost_rules::{Card, Seat};

/// A round as it goes into the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    pub round: u16,
    pub queen: Seat,
    pub how: How,
    pub winner: Seat,
    /// The cards that won it.
    pub cards: CardSet,
    /// The members left, in slot order.
    pub coterie: Vec<Card>,
    /// One entry a seat.
    pub points: Vec<i64>,
}

/// How a round ended. All but the first are wins for the Red Queen.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// RQ-17
    Slain,
    /// RQ-20
    Aces,
    /// RQ-20
    Killers,
    /// RQ-21
    Depleted,
    /// RQ-22
    Safe,
    /// RQ-23
    Quiet,
}
