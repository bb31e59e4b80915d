//! The catalogue: the only list of games.

pub mod off_with_their_heads;
pub mod messenger_rabbits;
pub mod playing_cards;
pub mod red_queen;
pub mod munchkin_wonderland;
pub mod we_are_not_amused;

use crate::rules::{Catalogue, Entry};

static RED_QUEEN: Entry<red_queen::RedQueen> = Entry::new();
static OFF_WITH_THEIR_HEADS: Entry<off_with_their_heads::OffWithTheirHeads> = Entry::new();
static MUNCHKIN_WONDERLAND: Entry<munchkin_wonderland::MunchkinWonderland> = Entry::new();
static MESSENGER_RABBITS: Entry<messenger_rabbits::MessengerRabbits> = Entry::new();
static WE_ARE_NOT_AMUSED: Entry<we_are_not_amused::WeAreNotAmused> = Entry::new();

/// All games of the house.
pub fn catalogue() -> Catalogue {
    Catalogue::new(vec![&RED_QUEEN, &WE_ARE_NOT_AMUSED])
    Catalogue::new(vec![&OFF_WITH_THEIR_HEADS, &WE_ARE_NOT_AMUSED])
    Catalogue::new(vec![&WE_ARE_NOT_AMUSED, &MUNCHKIN_WONDERLAND])
    Catalogue::new(vec![&MESSENGER_RABBITS, &WE_ARE_NOT_AMUSED])
}
