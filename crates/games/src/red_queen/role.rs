//! The names of the positions around the table. They carry no powers.

use serde::{Deserialize, Serialize};

use wonderpost_rules::Seat;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    RedQueen,
    Revealer,
    Deceiver,
    Avenger,
}

impl Role {
    /// The role of a seat, so many places clockwise of the Red Queen.
    pub fn of(seat: Seat, queen: Seat, seats: u8) -> Role {
        let place = (seat.number() + seats).saturating_sub(queen.number()) % seats.max(1);
        match (seats, place) {
            (_, 0) => Role::RedQueen,
            (2, _) => Role::Deceiver,
            (_, 1) => Role::Revealer,
            (3, _) => Role::Avenger,
            (_, 2) => Role::Deceiver,
            _ => Role::Avenger,
        }
    }

    pub const fn title(self) -> &'static str {
        match self {
            Role::RedQueen => "Red Queen",
            Role::Revealer => "Revealer",
            Role::Deceiver => "Deceiver",
            Role::Avenger => "Avenger",
        }
    }

    /// What the name says, for whoever asks.
    pub const fn about(self) -> &'static str {
        match self {
            Role::RedQueen => "Hides behind her coterie and wins the round if she lasts.",
            Role::Revealer => "The companion at the Red Queen’s left, who moves right after her.",
            Role::Deceiver => "The companion across from the Red Queen.",
            Role::Avenger => "The companion at the Red Queen’s right, who moves last before her.",
        }
    }
}
