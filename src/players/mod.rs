//! People: what they are called, how they like their pages, where letters reach them, and how they sign in.

mod address;
mod name;
mod settings;
pub mod sign_in;

pub use address::{BadAddress, EmailAddress};
pub use name::{BadName, PlayerName};
pub use settings::{PlayerSettings, Theme};
