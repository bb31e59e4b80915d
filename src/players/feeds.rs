//! The addresses of a player's own feeds: whoever knows them can read which tables wait for the player, and until when.

use chrono::{DateTime, Utc};

use crate::db::retry_transient;
use crate::players::service::{Players, Result};
use crate::players::sign_in::Token;
use crate::tables::PlayerId;

/// The paths of a player's own feeds.
#[derive(Debug, PartialEq, Eq)]
pub struct FeedPaths {
    /// The player's tables (Atom).
    pub tables: String,
    /// When time runs out where they are awaited (iCalendar).
    pub deadlines: String,
}

impl FeedPaths {
    fn new(token: &Token) -> FeedPaths {
        let folder = format!("/feeds/mine/{}", token.reveal());
        FeedPaths { tables: format!("{folder}/tables.atom"), deadlines: format!("{folder}/deadlines.ics") }
    }
}

impl Players {
    /// Gives a player's feeds a new address, shown this once; the former one leads nowhere any more.
    pub async fn renew_feeds(&self, player: PlayerId) -> Result<FeedPaths> {
        let token = Token::fresh();
        let digest = token.digest();
        retry_transient(|| self.store().renew_feeds(player, &digest)).await?;
        Ok(FeedPaths::new(&token))
    }

    /// Takes the address of a player's feeds away.
    pub async fn end_feeds(&self, player: PlayerId) -> Result<()> {
        Ok(retry_transient(|| self.store().end_feeds(player)).await?)
    }

    /// Since when a player's feeds have their address, if they have one.
    pub async fn feeds_since(&self, player: PlayerId) -> Result<Option<DateTime<Utc>>> {
        Ok(retry_transient(|| self.store().feeds_since(player)).await?)
    }

    /// Whose feeds are at an address with this secret.
    pub async fn player_of_feeds(&self, token: &str) -> Result<Option<PlayerId>> {
        let Some(digest) = Token::parse(token).map(|token| token.digest()) else { return Ok(None) };
        Ok(retry_transient(|| self.store().player_of_feeds(&digest)).await?)
    }
}
