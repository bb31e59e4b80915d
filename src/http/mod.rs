//! The web: pages, forms, sessions and the API over actix.

pub mod api;
pub mod extract;
mod listeners;
pub mod middleware;
pub mod pages;
mod problem;
mod refreshed;
pub mod render;
pub mod route;
mod routes;
mod server;
mod shutdown;
mod state;

pub use extract::csrf::{StampCookie, StampKey};
pub use extract::session::COOKIE;
pub use server::Application;
pub use shutdown::{Phase, Shutdown};
pub use state::AppState;
