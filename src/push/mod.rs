//! Notices on devices (web push, RFC 8030): when the outbox decides that something is told, devices on which its reader wants notices are
//! told as well, and so are webhooks. A notice names the game and the other players, and nothing else.

mod client;
mod device;
pub mod encryption;
pub mod endpoint;
pub mod notice;
pub mod title;
pub mod vapid;
pub mod webhook;
pub mod worker;

/// The most devices on which a player can have notices.
pub const MOST_DEVICES: i64 = 10;

/// The most webhooks that a player can have: one for all tables, and one for each of a few.
pub const MOST_WEBHOOKS: i64 = 20;
