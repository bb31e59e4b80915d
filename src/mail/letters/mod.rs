//! The letters themselves: their kinds, words and pictures.

pub mod answer;
pub mod choices;
pub mod composer;
pub mod digest;
pub mod headline;
pub mod host;
pub mod kind;
pub mod nickname;
pub mod picture;
mod postscript;
pub mod recap;
#[cfg(test)]
mod snapshots;
pub mod souvenir;
pub mod story;
pub mod styles;
pub mod words;
