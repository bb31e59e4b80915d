//! Pages about letters: preferences, unsubscribing, held replies, feeds and webhooks, the mailbox of a house without a mail server.

pub mod dead;
pub mod devices;
pub mod held;
pub mod mailbox;
pub mod other_ways;
pub mod preferences;
pub mod unsubscribe;
pub mod webhook;
