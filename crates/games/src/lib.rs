//! The catalogue: the only list of games.

mod board_action;
mod drawing;
pub mod lessons;
pub mod messenger_rabbits;
pub mod munchkin_wonderland;
pub mod off_with_their_heads;
pub mod playing_cards;
pub mod red_queen;
pub mod we_are_not_amused;

pub use drawing::SymbolFile;
use wonderpost_rules::{Catalogue, Entry};

/// Colours and typefaces, which pages and drawings share.
pub const THEME: &str = include_str!("../styles/theme.css");
/// How drawings of the house are coloured.
pub const DRAWINGS: &str = include_str!("../styles/drawings.css");
/// How playing cards look.
pub const PLAYING_CARDS: &str = include_str!("../styles/playing-cards.css");

static OFF_WITH_THEIR_HEADS: Entry<off_with_their_heads::OffWithTheirHeads> = Entry::new();
static WE_ARE_NOT_AMUSED: Entry<we_are_not_amused::WeAreNotAmused> = Entry::new();
static RED_QUEEN: Entry<red_queen::RedQueen> = Entry::new();
static MESSENGER_RABBITS: Entry<messenger_rabbits::MessengerRabbits> = Entry::new();
static MUNCHKIN_WONDERLAND: Entry<munchkin_wonderland::MunchkinWonderland> = Entry::new();

/// All games of the house.
pub fn catalogue() -> Catalogue {
    Catalogue::new(vec![
        &OFF_WITH_THEIR_HEADS,
        &WE_ARE_NOT_AMUSED,
        &RED_QUEEN,
        &MESSENGER_RABBITS,
        &MUNCHKIN_WONDERLAND,
    ])
}

/// The stylesheet of all boards.
pub fn board_styles() -> String {
    let games = catalogue();
    [DRAWINGS, PLAYING_CARDS].into_iter().chain(games.iter().map(|game| game.stylesheet())).collect()
}
