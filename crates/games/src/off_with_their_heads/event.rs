//! The facts of a game. Each says all that it changed, so that folding it decides nothing.

use serde::{Deserialize, Serialize};

use super::chain::Deed;
use super::poker::HandRank;
use super::task::Mark;
use wonderpost_rules::{Card, Seat};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// OWH-4: the hands, seat by seat, and the rest of the deck, first card on top.
    Dealt { round: u8, hands: Vec<Vec<Card>>, deck: Vec<Card> },
    /// OWH-5: the extra cards of a bout.
    Turned {
        face_up: Card,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        face_down: Option<Card>,
    },
    /// OWH-6
    Chose { seat: Seat, card: Card },
    /// OWH-7, OWH-8: the four cards, highest first.
    Revealed { ranking: [Ranked; 4] },
    /// A mark of any kind. What it brings follows from where it is.
    Marked { seat: Seat, mark: Mark },
    /// OWH-11, OWH-16: the card's mark is lost.
    Lost { seat: Seat, declined: bool },
    /// OWH-24, OWH-27: a bonus mark is left.
    Skipped { seat: Seat },
    /// OWH-24, OWH-27: a bonus mark fits nowhere.
    Lapsed { seat: Seat },
    /// OWH-31: all sheets are shown, the cards are discarded, the Queen moves on.
    BoutEnded,
    /// OWH-32: the hands are set aside.
    RoundEnded,
    /// OWH-33 to OWH-40: the showdown and the totals, seat by seat.
    Over { showdown: Vec<Shown>, totals: Vec<i64>, winner: Seat },
}

/// A revealed card and whose it is; nobody's if it came from the deck.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranked {
    pub card: Card,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}

/// A poker hand of the showdown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    pub hand: Vec<Card>,
    pub rank: HandRank,
    pub vp: i64,
    /// OWH-35: for the best hand.
    pub bonus: i64,
}

impl Event {
    pub fn of_deed(seat: Seat, deed: Deed) -> Event {
        match deed {
            Deed::Marked(mark) => Event::Marked { seat, mark },
            Deed::Lost { declined } => Event::Lost { seat, declined },
            Deed::Skipped => Event::Skipped { seat },
            Deed::Lapsed => Event::Lapsed { seat },
        }
    }

    /// The step of a chain that this is, if it is one.
    pub fn deed(&self) -> Option<(Seat, Deed)> {
        match self {
            Event::Marked { seat, mark } => Some((*seat, Deed::Marked(*mark))),
            Event::Lost { seat, declined } => Some((*seat, Deed::Lost { declined: *declined })),
            Event::Skipped { seat } => Some((*seat, Deed::Skipped)),
            Event::Lapsed { seat } => Some((*seat, Deed::Lapsed)),
            Event::Dealt { .. }
            | Event::Turned { .. }
            | Event::Chose { .. }
            | Event::Revealed { .. }
            | Event::BoutEnded
            | Event::RoundEnded
            | Event::Over { .. } => None,
        }
    }
}
