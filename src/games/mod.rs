//! The catalogue: the only list of games.

pub mod playing_cards;
pub mod red_queen;
pub mod we_are_not_amused;

use crate::rules::{Catalogue, Entry};

static RED_QUEEN: Entry<red_queen::RedQueen> = Entry::new();
static WE_ARE_NOT_AMUSED: Entry<we_are_not_amused::WeAreNotAmused> = Entry::new();

/// All games of the house.
pub fn catalogue() -> Catalogue {
    Catalogue::new(vec![&RED_QUEEN, &WE_ARE_NOT_AMUSED])
}
