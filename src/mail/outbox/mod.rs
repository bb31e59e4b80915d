//! Sending letters: when they go, together with which others, and by which transport.

pub mod bundle;
pub mod dkim;
pub mod flowed;
pub mod message_id;
mod news;
mod notices;
mod private_key;
pub mod schedule;
pub mod transport;
pub mod worker;
