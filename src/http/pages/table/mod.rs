//! The page of a table and all that can be done there.

pub mod actions;
pub mod history;
pub mod live;
pub mod open;
pub mod opening_form;
pub mod page;
pub mod plans;
pub mod report;
pub mod talk;
pub mod time;
pub mod viewpoint;
pub mod watchers;
