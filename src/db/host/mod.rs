//! What the host's console asks and does.

pub mod about_player;
pub mod announcements;
pub mod figures;
pub mod letters;
pub mod log;
pub mod players;
pub mod reports;
pub mod tables;
