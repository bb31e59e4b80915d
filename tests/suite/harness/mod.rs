//! What tests stand on: a database each, services on it, visitors with a browser's manners, and a browser.

pub mod browser;
pub mod database;
pub mod letters;
pub mod log;
pub mod page;
pub mod program;
pub mod service;
pub mod sink;
pub mod table;
pub mod visitor;
pub mod windows;

pub use database::TestDatabase;
pub use service::Service;
pub use visitor::Visitor;
