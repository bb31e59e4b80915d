//! What happens to every request and answer.

pub mod access_log;
pub mod compression;
pub mod connection_timeouts;
pub mod http10;
pub mod security_headers;
