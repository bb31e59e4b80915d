//! Looking back at a finished game: who was how likely to win after each move, and which moves changed that.
//!
//! A chance is the share of games won among many that the bots play on from there. Running games are never analysed: only
//! [`finished_game::FinishedGame`] can be, and it is made of a table that is over.

pub mod alternatives;
pub mod analyst;
pub mod curve;
pub mod effort;
pub mod finished_game;
pub mod report;
pub mod solitaire;
pub mod tally;
pub mod worker;

pub use analyst::analyse;
pub use curve::{Better, Curve, Estimate, Measure, Point, TurningPoint};
pub use effort::Effort;
pub use finished_game::{FinishedGame, NoAnalysis};
pub use worker::Analysis;

/// Goes up whenever the same game would get another curve. Curves of older versions are made anew when somebody asks for them.
pub const VERSION: i32 = 1;
