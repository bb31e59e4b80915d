//! Players and their sessions.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Result, Store};

impl Store {
    /// Welcomes somebody who came without a session.
    pub async fn add_guest(&self, player: Uuid, token_digest: &[u8], expires_at: DateTime<Utc>) -> Result<()> {
        sqlx::query!(
            "with guest as (insert into player (id) values ($1) returning id)
             insert into session (token_digest, player_id, expires_at) select $2, id, $3 from guest",
            player,
            token_digest,
            expires_at,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Whose session this is.
    pub async fn player_of_session(&self, token_digest: &[u8]) -> Result<Option<Uuid>> {
        let mut connection = self.lending.borrow().await?;
        let player = sqlx::query_scalar!(
            "select player_id from session where token_digest = $1 and expires_at > now()",
            token_digest,
        )
        .fetch_optional(&mut *connection)
        .await;
        Ok(connection.give_back(player)?)
    }
}
