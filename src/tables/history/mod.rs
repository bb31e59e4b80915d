//! What has happened at a table: recent events, earlier moves, the log, the file of a game.

pub mod course;
pub mod course_plot;
pub mod describe;
pub mod export;
pub mod game_record;
pub mod look_back;
pub mod recent_events;
