//! Players: what they are called, how they like their pages, where letters reach them, how they sign in; and [`Players`], the service
//! through which pages and the API do all that.

mod address;
mod devices;
mod feeds;
mod invitations;
mod mail_preferences;
mod mutes;
mod name;
mod personal_line;
mod profile;
mod reason;
pub mod record;
mod service;
mod settings;
pub mod sign_in;
mod suspension;
mod time_off;
mod unsubscribing;
mod webhooks;

pub use address::{BadAddress, EmailAddress, address_digest, masked_address};
pub use devices::Subscription;
pub use feeds::FeedPaths;
pub use invitations::InvitedAll;
pub use mutes::Mute;
pub use name::{BadName, PlayerName};
pub use personal_line::{BadLine, LONGEST_LINE, PersonalLine};
pub use profile::NAME_TAKEN;
pub use reason::{BadReason, HostReason};
pub use service::{AccountError, Players};
pub use settings::{PageShown, PlayerSettings, Theme};
pub use sign_in::{Account, Entered, IDLE_DAYS, NewSession, Origin, WRONG_CODE, digest_of_api_token, end_of_session};
pub use suspension::Suspension;
pub use unsubscribing::LetterWish;
