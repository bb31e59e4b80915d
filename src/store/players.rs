//! Players and their sessions.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Result, Store};

/// Whose session it is, and what every page needs to know of them.
pub struct SessionRow {
    pub player_id: Uuid,
    /// `None` for a former player.
    pub name: Option<String>,
    pub has_address: bool,
    /// JSON.
    pub settings: String,
}

impl Store {
    /// Welcomes somebody who came without a session. A duplicate means that the name is taken.
    pub async fn add_guest(
        &self,
        player: Uuid,
        name: &str,
        name_key: &str,
        token_digest: &[u8],
        expires_at: DateTime<Utc>,
    ) -> Result<()> {
        sqlx::query!(
            "with guest as (insert into player (id, name, name_key) values ($1, $4, $5) returning id)
             insert into session (token_digest, player_id, expires_at) select $2, id, $3 from guest",
            player,
            token_digest,
            expires_at,
            name,
            name_key,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Whose session this is.
    pub async fn session(&self, token_digest: &[u8]) -> Result<Option<SessionRow>> {
        let row = sqlx::query_as!(
            SessionRow,
            r#"select player_id, name, email is not null as "has_address!", settings::text as "settings!"
               from session join player on player.id = session.player_id
               where token_digest = $1 and expires_at > now()"#,
            token_digest,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }
}
