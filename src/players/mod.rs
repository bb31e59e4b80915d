//! Players: what they are called, how they like their pages, where letters reach them, how they sign in; and [`Players`], the service
//! through which pages and the API do all that.

mod address;
mod confirmation;
mod invitations;
mod limits;
mod mail_preferences;
mod name;
mod profile;
mod reason;
mod service;
mod sessions;
mod settings;
pub mod sign_in;
mod sign_in_letters;
mod suspension;
mod time_off;
mod tokens;

pub use address::{BadAddress, EmailAddress, address_digest, masked_address};
pub use confirmation::WRONG_CODE;
pub use limits::Origin;
pub use name::{BadName, PlayerName};
pub use profile::NAME_TAKEN;
pub use reason::{BadReason, HostReason};
pub use service::{AccountError, Players};
pub use sessions::{Account, IDLE_DAYS, NewSession, end_of_session};
pub use settings::{PlayerSettings, Theme};
pub use sign_in_letters::Entered;
pub use suspension::Suspension;
pub use tokens::digest_of_api_token;
