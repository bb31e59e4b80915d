//! Postgres: what the house remembers.

pub mod cluster;
