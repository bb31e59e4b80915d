//! The program: settings, the database it opens, the service it runs, and its metrics.

pub mod clock;
pub mod database;
pub mod game_files;
pub mod health;
pub mod mail_check;
pub mod metrics;
pub mod settings;
pub mod startup;
pub mod words;
