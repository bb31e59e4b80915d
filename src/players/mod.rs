//! People: what they are called, how they like their pages, where letters reach them, and how they sign in.

mod name;
mod settings;

pub use name::{BadName, PlayerName};
pub use settings::{PlayerSettings, Theme};
