//! The facts of a game. Each says all that chance and the players brought in, so that folding it decides nothing.

use serde::{Deserialize, Serialize};

use super::monster::Monster;
use super::place::Place;
use super::room::Room;
use super::treasure::Treasure;
use wonderpost_rules::Seat;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// MW-2: both decks before the deal, first card on top, and who begins.
    Dealt { monsters: Vec<Monster>, treasures: Vec<Treasure>, first: Seat },
    /// MW-4, MW-13: a turn begins with a roll.
    Turn { seat: Seat, round: u8, roll: u8 },
    /// MW-6: a walk by the move roll, or by the Entrance roll.
    Went { to: Place },
    /// MW-8.
    RolledAgain { roll: u8 },
    /// MW-9, MW-24: Treasures drawn unseen, a card for each of these seats.
    Drew { to: Vec<Seat>, draw: Draw },
    /// MW-11: into the Entrance, with a Treasure; no roll if it was the last.
    Entered {
        draw: Draw,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        roll: Option<u8>,
    },
    /// MW-14.
    Played {
        friend: Treasure,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead: Option<Treasure>,
    },
    /// MW-17: a changer was used on one's own die, or on the monster's.
    Changed {
        card: Treasure,
        to: u8,
        #[serde(default, skip_serializing_if = "is_false")]
        monsters: bool,
    },
    /// MW-16.
    Boosted { card: Treasure },
    /// MW-23: the highest of these is added.
    Threw { card: Treasure, faces: Vec<u8> },
    /// MW-24: the fight is over, and the fighter is at this place.
    Escaped { card: Treasure, at: Place },
    /// MW-25: a Thimble brought back this card.
    Recovered { thimble: Treasure, card: Treasure },
    /// MW-26: a fight begins; the seat is in the Room now, whatever brought it there.
    Met {
        room: Room,
        monsters: Vec<Monster>,
        /// MW-29: the discards in their new order, if they were shuffled.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        shuffled: Vec<Monster>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        die: Option<u8>,
        roll: u8,
    },
    /// MW-39: in the order given.
    Asked { seats: Vec<Seat> },
    /// MW-40: secret.
    Answered { seat: Seat, willing: bool },
    /// MW-40, MW-41: those asked before the helper have refused.
    Joined { helper: Seat, roll: u8 },
    /// MW-40: all have refused.
    Unaided,
    /// MW-42.
    Done,
    /// MW-33, MW-44: the Treasures go to the fighter, or are shown.
    Won { draw: Draw },
    /// MW-44: one for the helper, the rest for the fighter.
    Took { card: Treasure },
    /// MW-34.
    Ran { roll: u8 },
    /// MW-35, MW-36: and whether a card is to be chosen that is lost.
    Hid {
        at: Place,
        #[serde(default, skip_serializing_if = "is_false")]
        choosing: bool,
    },
    /// MW-36.
    Lost { card: Treasure },
    /// MW-46, MW-48, MW-49: the end, with each seat's Gold.
    Over {
        #[serde(default, skip_serializing_if = "is_false")]
        bell: bool,
        gold: Vec<u16>,
    },
}

/// A draw of Treasures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    pub cards: Vec<Treasure>,
    /// MW-47: the discards in their new order, if they were shuffled to complete the draw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shuffled: Vec<Treasure>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}
