//! Wonderpost: a play-by-mail house for Wonderland games.

pub mod games;
pub mod rules;
pub mod store;
