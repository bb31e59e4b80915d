//! Pages about letters: preferences, unsubscribing, held replies, the mailbox of a house without a mail server.

pub mod dead;
pub mod devices;
pub mod held;
pub mod mailbox;
pub mod preferences;
pub mod unsubscribe;
pub mod webhook;
