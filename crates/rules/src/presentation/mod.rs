//! What pages, letters and lists show of a game.

mod board;
mod call_to_action;
mod help;
mod how_to_play;
mod move_offer;
mod picture;
mod scene;
mod showpiece;

pub use board::Board;
pub use call_to_action::CallToAction;
pub use help::{Help, Word};
pub use how_to_play::{HowToPlay, RulesSection};
pub use move_offer::MoveOffer;
pub use picture::Picture;
pub use scene::Scene;
pub use showpiece::Showpiece;
