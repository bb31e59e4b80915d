//! Sessions of browsers, and guests, who get one without signing in.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use crate::db::retry_transient;
use crate::players::service::{AccountError, Players, Result};
use crate::players::sign_in::Token;
use crate::players::sign_in::limits::GUESTS_A_NETWORK;
use crate::players::{PlayerName, PlayerSettings, Suspension};
use crate::tables::PlayerId;

/// How many days a session lasts in which nobody uses it.
pub const IDLE_DAYS: i64 = 90;

/// How often a name drawn for a newcomer may turn out to be taken before we give up.
pub(super) const NAME_TRIES: u32 = 8;

/// Whose session it is, as far as pages need to know.
#[derive(Debug)]
pub struct Account {
    pub player: PlayerId,
    pub name: Option<String>,
    /// Guests have none.
    pub has_address: bool,
    /// Whether they run the house.
    pub is_host: bool,
    pub suspension: Option<Suspension>,
    pub settings: PlayerSettings,
}

/// A session that is to begin: the browser gets the token, the database its digest.
pub struct NewSession {
    pub token: Token,
    pub expires_at: DateTime<Utc>,
}

impl NewSession {
    pub fn fresh() -> NewSession {
        NewSession { token: Token::fresh(), expires_at: end_of_session() }
    }
}

/// When a session ends that is used now.
pub fn end_of_session() -> DateTime<Utc> {
    Utc::now() + TimeDelta::days(IDLE_DAYS)
}

impl Players {
    /// Whose session has this digest, and when it ends.
    pub async fn account(&self, token_digest: &[u8; 32]) -> Result<Option<(Arc<Account>, DateTime<Utc>)>> {
        let Some(row) = retry_transient(|| self.store().session(token_digest)).await? else {
            self.forget_session(token_digest);
            return Ok(None);
        };
        let account = Arc::new(Account {
            player: row.player_id,
            name: row.name,
            has_address: row.has_address,
            is_host: self.is_host(row.email.as_deref()),
            settings: PlayerSettings::read(&row.settings),
            suspension: Suspension::from_columns(row.suspended_since, row.suspension_reason),
        });
        self.sessions.insert(*token_digest, account.clone());
        Ok(Some((account, row.expires_at)))
    }

    /// Whether somebody with this confirmed address runs the house.
    pub fn is_host(&self, email: Option<&str>) -> bool {
        self.hosts.has(email)
    }

    /// Whose session it was when last asked.
    pub fn cached_account(&self, token_digest: &[u8; 32]) -> Option<Arc<Account>> {
        self.sessions.get(token_digest)
    }

    /// Drops what is cached of a session.
    pub fn forget_session(&self, token_digest: &[u8; 32]) {
        self.sessions.remove(token_digest);
    }

    /// Drops what is cached of a player, because it has changed.
    pub fn forget_player(&self, player: PlayerId) {
        self.sessions.retain(|_, account| account.player != player);
        self.tokens.retain(|_, (holder, _)| *holder != player);
    }

    /// Extends a session that is in use.
    pub async fn renew_session(&self, token_digest: &[u8; 32]) -> Result<()> {
        Ok(self.store().renew_session(token_digest, end_of_session()).await?)
    }

    /// Makes a guest of somebody without a session. Whoever sits at the machine itself comes from no network, and is not counted.
    pub async fn add_guest(&self, network: Option<&str>) -> Result<(PlayerId, NewSession)> {
        if let Some(network) = network
            && !self.store().admits(&GUESTS_A_NETWORK, network).await?
        {
            return Err(AccountError::TooManyGuests);
        }
        let (player, session) = (PlayerId::fresh(), NewSession::fresh());
        for tries in 0..NAME_TRIES {
            let name = PlayerName::for_guest(tries);
            let (key, digest) = (name.key(), session.token.digest());
            match self.store().add_guest(player, name.as_str(), &key, &digest, session.expires_at).await {
                Ok(()) => return Ok((player, session)),
                Err(error) if error.is_duplicate() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(AccountError::NoNameLeft)
    }

    pub async fn sign_out(&self, token_digest: &[u8; 32]) -> Result<()> {
        self.store().end_session(token_digest).await?;
        self.forget_session(token_digest);
        Ok(())
    }

    /// Signs a player out of all browsers, and ends the tokens of their programs.
    pub async fn sign_out_everywhere(&self, player: PlayerId) -> Result<()> {
        self.store().end_all_sessions(player).await?;
        self.forget_player(player);
        Ok(())
    }
}
