//! The facts of a game. Each says what it changed; what follows by itself is a fact of its own.

use serde::{Deserialize, Serialize};

use super::cards::Cards;
use super::hexagon::{Hexagon, House, Place};
use super::land::Layout;
use super::moves::Transfer;
use super::phase::{Action, letter};
use super::site::{Site, TriangleSlot};
use super::tile::{SquareTile, TriangleTile};
use wonderpost_rules::{Card, Seat, SeatSet, Suit};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// MR-7, MR-9: a finished map; its bends turn by themselves (MR-8).
    Surveyed {
        layout: Layout,
    },
    /// MR-75: the orders in which the tiles come, the next first.
    Ordered {
        houses: Vec<House>,
        squares: Vec<SquareTile>,
        triangles: Vec<TriangleTile>,
    },
    /// MR-75: the next house, with its square and triangle.
    Placed {
        seat: Seat,
        house: House,
        site: Site,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Site>,
    },
    /// MR-9.3: the third square beside this triangle.
    Closed {
        at: TriangleSlot,
    },
    /// MR-9.5: the triangles left over, in order; the map is finished.
    Filled {
        at: Vec<TriangleSlot>,
    },
    /// MR-10: the hands, and the pile, its top first.
    Dealt {
        hands: Vec<Cards>,
        pile: Vec<Card>,
    },
    /// MR-34: a turn begins where the rabbit may take off.
    Readied {
        seat: Seat,
        round: u16,
    },
    /// MR-34: the shown club, and what it is worth.
    TookOff {
        to: Hexagon,
        showing: Card,
        worth: u16,
    },
    /// MR-12: the dice, with which a turn begins unless it was readied; whether a card matches.
    Rolled {
        seat: Seat,
        round: u16,
        dice: [u8; 2],
        lottery: bool,
    },
    /// MR-13
    Shown {
        cards: Cards,
        drawn: Cards,
    },
    /// MR-13: no card is shown.
    Passed,
    /// MR-18
    Discarded {
        cards: Cards,
    },
    /// MR-71
    Seized {
        by: Seat,
        card: Card,
    },
    /// MR-25: an action chosen, to be paid for next.
    Chosen {
        action: Action,
    },
    /// MR-14: where the rabbit went, and how. Those asked may contest it.
    Travelled {
        by: Way,
        to: Place,
        #[serde(default, skip_serializing_if = "nothing")]
        paid: Cards,
        /// The joker that was bought, or played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        joker: Option<Card>,
        #[serde(default, skip_serializing_if = "nobody")]
        asked: SeatSet,
    },
    /// MR-35, MR-36: the end of a flight.
    Landed {
        #[serde(default, skip_serializing_if = "nothing")]
        paid: Cards,
        #[serde(default, skip_serializing_if = "nobody")]
        asked: SeatSet,
    },
    /// MR-37
    Fell,
    /// MR-19: off the board at the beginning of a turn, and now underground.
    Sank,
    /// MR-44: a secret answer; no cards are a pass.
    Answered {
        seat: Seat,
        showing: Cards,
    },
    /// MR-44: all have answered, in the order of those asked.
    Contested {
        shown: Vec<Cards>,
    },
    /// MR-45, MR-46: those who contested spend their hearts and are thrown off the board.
    Proved {
        cards: Cards,
    },
    /// MR-46: the visitor is thrown off the board.
    Conceded,
    /// MR-38
    Attacked {
        target: Seat,
        cards: Cards,
        worth: u16,
    },
    /// MR-39: the worth of this throw.
    Threw {
        cards: Cards,
        worth: u16,
    },
    /// MR-40
    Yielded,
    /// MR-41
    Stole {
        card: Card,
    },
    /// MR-42
    Released {
        royal: Card,
        drawn: Cards,
    },
    /// MR-48
    Bought {
        card: Card,
        paid: Cards,
    },
    /// MR-60
    Offered {
        card: Card,
        to: Seat,
        #[serde(with = "letter")]
        suit: Suit,
    },
    Gave {
        card: Card,
        swindle: bool,
    },
    Declined,
    /// MR-23
    Claimed {
        house: House,
        paid: Cards,
    },
    /// MR-17: the card at the end of a turn, if there was one to be had.
    Drew {
        drawn: Cards,
    },
    /// MR-17: the spent cards, shuffled, go under what is left of the pile; the top first.
    Repiled {
        pile: Vec<Card>,
    },
    /// MR-51
    Won {
        royals: Cards,
    },
}

/// How a rabbit travels.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    Stay,
    Road,
    Hike,
    Horse,
    Boat,
    Hole,
    Tavern,
    Joker,
}

impl From<Transfer> for Way {
    fn from(transfer: Transfer) -> Way {
        match transfer {
            Transfer::Hike => Way::Hike,
            Transfer::Horse => Way::Horse,
            Transfer::Boat => Way::Boat,
            Transfer::Hole => Way::Hole,
            Transfer::Tavern => Way::Tavern,
        }
    }
}

fn nothing(cards: &Cards) -> bool {
    cards.is_empty()
}

fn nobody(seats: &SeatSet) -> bool {
    seats.is_empty()
}
