//! Signing in, and a player's own page.

pub mod confirm;
pub mod me;
pub mod sign_in;
