//! The pages of the house, by subject.

pub mod account;
pub mod announcements;
pub mod archive;
pub mod assets;
pub mod chance;
pub mod daily;
pub mod desk;
pub mod feeds;
pub mod frame;
pub mod game;
pub mod health;
pub mod home;
pub mod host;
pub mod learn;
pub mod letters;
pub mod next;
pub mod offline;
pub mod player;
pub mod preview;
pub mod qr;
pub mod rules;
pub mod search_engines;
pub mod table;
pub(crate) mod welcome;
