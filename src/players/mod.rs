//! People: what they are called, how they like their pages, where letters reach them, and how they sign in.

mod address;
mod name;
mod reason;
mod settings;
pub mod sign_in;
mod suspension;

pub use address::{BadAddress, EmailAddress, address_digest, masked_address};
pub use name::{BadName, PlayerName};
pub use reason::{BadReason, HostReason};
pub use settings::{PlayerSettings, Theme};
pub use suspension::Suspension;
