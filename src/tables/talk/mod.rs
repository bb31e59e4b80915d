//! What people write at a table: messages, private notes, reports.

pub mod messages;
pub mod notes;
pub mod reports;
