//! Time at tables: pace, clocks, absence, and the scheduler that moves tables when it's time.

pub mod absence;
pub mod late;
pub mod pace;
pub mod pause;
pub mod scheduler;
pub mod times;
pub mod timetable;
