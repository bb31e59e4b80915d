//! From opening a table to its end.

pub mod close;
pub mod daily;
pub mod endings;
pub mod invite;
pub mod open;
pub mod play_on;
pub mod rematch;
pub mod suspend;
