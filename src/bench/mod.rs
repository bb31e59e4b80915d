//! Measuring: how fast the house is.

pub mod engine;
