//! What handlers get out of a request: who asks, from where, and whether a form is ours.

pub mod csrf;
pub mod local_path;
pub mod network;
pub mod session;
