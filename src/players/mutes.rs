//! Whom a player has muted. Muting itself begins with a message at a table (`tables::talk::reports`).

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::db::retry_transient;
use crate::db::tables::talk_reports::MuteRow;
use crate::players::service::{Players, Result};
use crate::tables::{FORMER_PLAYER, PlayerId};

/// Somebody whose messages a player does not see.
pub struct Mute {
    pub id: Uuid,
    pub name: String,
    pub since: DateTime<Utc>,
}

impl Players {
    /// Those whom a player has muted.
    pub async fn mutes(&self, player: PlayerId) -> Result<Vec<Mute>> {
        let rows = retry_transient(|| self.store().mutes_of(player)).await?;
        let mute = |row: MuteRow| Mute {
            id: row.id,
            name: row.name.unwrap_or_else(|| FORMER_PLAYER.to_owned()),
            since: row.at,
        };
        Ok(rows.into_iter().map(mute).collect())
    }

    /// Shows again what somebody writes.
    pub async fn unmute(&self, player: PlayerId, mute: Uuid) -> Result<()> {
        Ok(self.store().unmute(player, mute).await?)
    }
}
