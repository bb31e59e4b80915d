//! The page of a table and all that can be done there.

pub mod actions;
pub mod curve;
mod curve_plot;
pub mod ending;
pub mod help;
pub mod history;
pub mod invitation;
pub mod live;
pub mod open;
pub mod opening_form;
pub mod page;
pub mod picture;
pub mod plans;
pub mod play_on;
pub mod record;
pub mod report;
pub mod seats;
pub mod talk;
pub mod time;
pub mod undo;
pub mod viewpoint;
pub mod watchers;
pub mod way_on;
