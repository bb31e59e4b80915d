//! Wonderpost: a play-by-mail house for Wonderland games.

pub mod app;
pub mod db;
pub mod figures;
pub mod http;
pub mod local_time;
pub mod mail;
pub mod percent;
pub mod players;
pub mod push;
pub mod tables;
