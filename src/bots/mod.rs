//! Bots at work: whole games among themselves, to see how strong they are and how a game runs.

mod report;
mod simulate;

pub use report::{Report, Tally};
pub use simulate::{Played, Simulation, simulate};
