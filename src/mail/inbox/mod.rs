//! Receiving: messages come in three ways, are kept in the inbox, and are worked off from there.

pub mod answer;
mod carry_out;
pub mod deliver;
mod dialogue;
mod intake;
mod invitation;
mod lmtp;
mod reading;
mod reply;
mod stale;
mod work;

pub use intake::{Intake, LARGEST_BY_WEBHOOK, NotTaken, Way};
pub use lmtp::{Listener, socket_path};
pub use reading::attachments::without_attachments;
pub use reading::commands::Line;
pub use reading::lines::{Reading, read};
pub use reading::message::{Desk, Opened, Unreadable};
pub use work::Inbox;

pub(crate) use reading::html::leading_text;
