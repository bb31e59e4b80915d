//! Reading a message: what it is, who it is from, and which of its lines mean something.

pub mod attachments;
mod authentication;
pub mod commands;
mod forgiving;
pub mod html;
pub mod lines;
pub mod message;
pub mod near_miss;
pub mod report;
pub mod table_number;
