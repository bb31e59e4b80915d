//! The catalogue: the only list of games.

pub mod messenger_rabbits;
pub mod playing_cards;
pub mod we_are_not_amused;

use crate::rules::{Catalogue, Entry};

static MESSENGER_RABBITS: Entry<messenger_rabbits::MessengerRabbits> = Entry::new();
static WE_ARE_NOT_AMUSED: Entry<we_are_not_amused::WeAreNotAmused> = Entry::new();

/// All games of the house.
pub fn catalogue() -> Catalogue {
    Catalogue::new(vec![&MESSENGER_RABBITS, &WE_ARE_NOT_AMUSED])
}
