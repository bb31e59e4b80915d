//! Receiving: messages come in three ways, are kept in the inbox, and are worked off from there.

pub mod answer;
mod attachments;
mod authentication;
pub mod deliver;
mod dialogue;
mod html;
mod intake;
mod lines;
mod lmtp;
mod message;
mod reply;
mod report;
mod work;

pub use intake::{Intake, LARGEST_BY_WEBHOOK, NotTaken, Way};
pub use lines::{Line, Reading, read};
pub use lmtp::{Listener, socket_path};
pub use message::{Desk, Opened, Unreadable};
pub use work::Inbox;

pub(crate) use html::leading_text;
