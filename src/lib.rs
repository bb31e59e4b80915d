//! Wonderpost: a play-by-mail house for Wonderland games.

pub mod clock;
pub mod database;
pub mod figures;
pub mod health;
pub mod local_time;
pub mod metrics;
pub mod percent;
pub mod players;
pub mod post;
pub mod settings;
pub mod store;
pub mod tables;
pub mod web;
