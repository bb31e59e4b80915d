//! What handlers get out of a request: who asks, from where, and whether a form is ours.

pub mod api_user;
pub mod cached_user;
pub mod csrf;
pub mod local_path;
pub mod network;
pub mod request_user;
pub mod session;
pub mod signed_in;
pub mod whole_table;
