//! The addresses of players' own feeds.

use chrono::{DateTime, Utc};

use crate::db::{Result, Store};
use crate::tables::{PlayerId, TableId};

impl Store {
    /// Gives a player's feeds an address with this secret; the former one leads nowhere any more.
    pub async fn renew_feeds(&self, player: PlayerId, token_digest: &[u8]) -> Result<()> {
        sqlx::query!(
            "insert into feed_token (player_id, token_digest, created_at)
             select id, $2, $3 from player where id = $1 and deleted_at is null
             on conflict (player_id) do update set token_digest = excluded.token_digest, created_at = excluded.created_at",
            player as _,
            token_digest,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Takes the address of a player's feeds away.
    pub async fn end_feeds(&self, player: PlayerId) -> Result<()> {
        sqlx::query!("delete from feed_token where player_id = $1", player as _).execute(&self.pool).await?;
        Ok(())
    }

    /// Since when a player's feeds have their address, if they have one.
    pub async fn feeds_since(&self, player: PlayerId) -> Result<Option<DateTime<Utc>>> {
        let since = sqlx::query_scalar!("select created_at from feed_token where player_id = $1", player as _)
            .fetch_optional(&self.pool)
            .await?;
        Ok(since)
    }

    /// Whose feeds have an address with this secret.
    pub async fn player_of_feeds(&self, token_digest: &[u8]) -> Result<Option<PlayerId>> {
        let player = sqlx::query_scalar!(
            r#"select player_id as "player_id: PlayerId" from feed_token join player on player.id = player_id
               where token_digest = $1 and deleted_at is null"#,
            token_digest,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(player)
    }

    /// When the tables that wait for a player began to, as far as letters were written of it.
    pub async fn turns_since(&self, player: PlayerId) -> Result<Vec<(TableId, DateTime<Utc>)>> {
        let rows = sqlx::query!(
            r#"select table_id as "table_id!: TableId", max(written_at) as "since!" from letter
               where player_id = $1 and kind in ('turn', 'call') and table_id is not null group by table_id"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|row| (row.table_id, row.since)).collect())
    }
}
