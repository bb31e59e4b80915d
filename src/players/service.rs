//! The service behind every page and API call that is about a player and not about a table.

use std::sync::Arc;
use std::time::Instant;

use quick_cache::sync::Cache;

use crate::app::settings::{Hosts, ServeSettings};
use crate::db::{Store, StoreError};
use crate::mail::unsubscribe::UnsubscribeLinks;
use crate::players::sign_in::sessions::Account;
use crate::players::{BadAddress, EmailAddress};
use crate::push::endpoint::Reach;
use crate::push::vapid::VapidKeys;
use crate::tables::{MoveError, OpenError, PlayerId, ReadError, SitError, Tables};

/// How many sessions are cached between a page and the move that follows it.
const CACHED_SESSIONS: usize = 10_000;

/// How many tokens are cached between a move and the next.
const CACHED_TOKENS: usize = 10_000;

/// What players do with their accounts. Pages and the API translate requests into calls of it, and what comes of them into answers.
pub struct Players {
    pub(super) tables: Arc<Tables>,
    /// Whose session it was when last asked. A hint: whatever matters is checked by the database again.
    pub(super) sessions: Cache<[u8; 32], Arc<Account>>,
    /// Whose token of the API it was when last asked, and when that was. A hint as well.
    pub(super) tokens: Cache<[u8; 32], (PlayerId, Instant)>,
    pub(super) hosts: Hosts,
    /// Whether addresses are taken that no mail reaches over the Internet.
    takes_local_addresses: bool,
    /// How many days off a player has a year.
    pub days_off_a_year: u32,
    pub(super) unsubscribe_links: UnsubscribeLinks,
    pub(super) vapid_keys: VapidKeys,
    /// Where notices may go.
    pub(super) push_reach: Reach,
    /// Where webhooks may lead.
    pub(super) webhook_reach: Reach,
}

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// In a sentence for the player.
    #[error("{0}")]
    Refused(String),
    /// In a sentence for the player; it can be tried again in an hour.
    #[error("{0}")]
    TooOften(&'static str),
    #[error("too many guests have come in from one network")]
    TooManyGuests,
    #[error("the player has to confirm first that it is them")]
    Unconfirmed,
    #[error("the player does not sit at this table")]
    NotSeated,
    #[error("there is no such account")]
    NoAccount,
    #[error("all names of guests are taken")]
    NoNameLeft,
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Sit(#[from] SitError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AccountError {
    pub(super) fn refused(sentence: impl ToString) -> AccountError {
        AccountError::Refused(sentence.to_string())
    }
}

/// What came of it.
pub type Result<T> = std::result::Result<T, AccountError>;

impl Players {
    pub fn new(tables: Arc<Tables>, settings: &ServeSettings) -> Players {
        Players {
            tables,
            sessions: Cache::new(CACHED_SESSIONS),
            tokens: Cache::new(CACHED_TOKENS),
            hosts: settings.hosts.clone(),
            takes_local_addresses: settings.post.takes_local_addresses(),
            days_off_a_year: settings.days_off,
            unsubscribe_links: UnsubscribeLinks::default(),
            vapid_keys: VapidKeys::default(),
            push_reach: settings.post.push_reach,
            webhook_reach: settings.post.webhook_reach(),
        }
    }

    pub(super) fn store(&self) -> &Store {
        &self.tables.store
    }

    /// Reads an address that somebody typed.
    pub fn read_address(&self, typed: &str) -> std::result::Result<EmailAddress, BadAddress> {
        if self.takes_local_addresses { EmailAddress::parse(typed) } else { EmailAddress::parse_public(typed) }
    }
}
