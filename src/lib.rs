//! Wonderpost: a play-by-mail house for Wonderland games.

pub mod bench;
pub mod bots;
pub mod clock;
pub mod database;
pub mod figures;
pub mod games;
pub mod health;
mod keyed;
pub mod local_time;
pub mod metrics;
mod percent;
pub mod players;
pub mod post;
pub mod rules;
pub mod settings;
pub mod store;
pub mod tables;
pub mod web;
