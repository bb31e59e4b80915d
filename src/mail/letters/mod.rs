//! The letters themselves: their kinds, words and pictures.

pub mod answer;
pub mod choices;
pub mod composer;
pub mod host;
pub mod kind;
pub mod picture;
pub mod story;
pub mod words;
