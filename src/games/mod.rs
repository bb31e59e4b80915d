//! The catalogue: the only list of games.

pub mod munchkin_wonderland;
pub mod we_are_not_amused;

use crate::rules::{Catalogue, Entry};

static MUNCHKIN_WONDERLAND: Entry<munchkin_wonderland::MunchkinWonderland> = Entry::new();
static WE_ARE_NOT_AMUSED: Entry<we_are_not_amused::WeAreNotAmused> = Entry::new();

/// All games of the house.
pub fn catalogue() -> Catalogue {
    Catalogue::new(vec![&WE_ARE_NOT_AMUSED, &MUNCHKIN_WONDERLAND])
}
