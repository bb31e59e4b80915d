//! Wonderpost: a play-by-mail house for Wonderland games.

pub mod bench;
pub mod bots;
pub mod games;
pub mod rules;
