//! How finished games went: who won, how fast everybody moved, and what that says of how well they play.
//!
//! Everything comes from the events of public tables that are over, and can be made again from them at any time. Running games are not
//! looked at, so no figure tells anything of them; private games are not counted anywhere.

pub mod outcome;
pub mod ratings;
pub mod worker;

pub use outcome::Outcome;
pub use ratings::Rating;

/// Goes up whenever the same events would be read otherwise.
pub const VERSION: i32 = 1;
