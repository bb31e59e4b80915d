//! The outbox and the inbox.

pub mod inbox;
pub mod mailbox;
pub mod outbox;
pub mod preferences;
