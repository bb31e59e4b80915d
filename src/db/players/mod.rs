//! Players: accounts, sessions, signing in, rate limits.

pub mod accounts;
pub mod entering;
pub mod export;
pub mod feeds;
mod purpose;
pub mod rate_limits;
pub mod results;
pub mod sign_ins;
