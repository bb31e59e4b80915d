//! What tests stand on: a database each, services on it, visitors with a browser's manners, and a browser.

pub mod browser;
pub mod database;
mod database_port;
pub mod faults;
pub mod forwarder;
pub mod letters;
pub mod lmtp;
pub mod log;
pub mod mail_programs;
pub mod page;
pub mod pgbouncer;
pub mod post_house;
pub mod program;
pub mod push_service;
pub mod raw;
pub mod red_queen;
pub mod rehearsal;
pub mod service;
pub mod sink;
pub mod standby;
pub mod table;
pub mod timed_house;
pub mod visitor;
pub mod windows;

pub use database::TestDatabase;
pub use service::Service;
pub use visitor::Visitor;
