//! When players want letters, and addresses that want none.

use crate::db::{Result, Store};
use crate::tables::{PlayerId, TableId};

impl Store {
    /// How a player wants letters; JSON.
    pub async fn letter_wishes(&self, player: PlayerId) -> Result<Option<String>> {
        let wishes =
            sqlx::query_scalar!(r#"select letters::text as "letters!" from player where id = $1"#, player as _)
                .fetch_optional(&self.pool)
                .await?;
        Ok(wishes)
    }

    /// Keeps how a player wants letters. Those that wait are looked at anew.
    pub async fn keep_letter_wishes(&self, player: PlayerId, wishes: &str) -> Result<()> {
        sqlx::query!(
            "with kept as (update player set letters = $2::text::json where id = $1 returning id)
             update letter set send_after = $3 from kept
             where player_id = kept.id and sent_at is null and dropped_at is null and tries = 0 and not fixed and table_id is not null",
            player as _,
            wishes,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// What a player wants otherwise at a table; JSON.
    pub async fn table_wishes(&self, table: TableId, player: PlayerId) -> Result<Option<String>> {
        let wishes = sqlx::query_scalar!(
            r#"select letters::text as "letters" from seat where table_id = $1 and player_id = $2"#,
            table as _,
            player as _,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(wishes.flatten())
    }

    /// The tables at which a player wants something otherwise, and what; JSON.
    pub async fn tables_with_wishes(&self, player: PlayerId) -> Result<Vec<(TableId, String)>> {
        let rows = sqlx::query!(
            r#"select table_id as "table_id: TableId", letters::text as "letters!" from seat where player_id = $1 and letters is not null"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|row| (row.table_id, row.letters)).collect())
    }

    pub async fn keep_table_wishes(&self, table: TableId, player: PlayerId, wishes: &str) -> Result<bool> {
        let kept = sqlx::query!(
            "with waiting as (
                 update letter set send_after = $4
                 where player_id = $2 and table_id = $1 and sent_at is null and dropped_at is null and tries = 0 and not fixed
             )
             update seat set letters = $3::text::json where table_id = $1 and player_id = $2",
            table as _,
            player as _,
            wishes,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(kept.rows_affected() == 1)
    }

    /// Somebody without an account wants no invitations any more, or does again.
    pub async fn silence_address(&self, digest: &[u8], silent: bool) -> Result<()> {
        if silent {
            sqlx::query!(
                "insert into silent_address (digest, at) values ($1, $2) on conflict do nothing",
                digest,
                self.clock.now()
            )
            .execute(&self.pool)
            .await?;
        } else {
            sqlx::query!("delete from silent_address where digest = $1", digest).execute(&self.pool).await?;
        }
        Ok(())
    }

    pub async fn is_silent_address(&self, digest: &[u8]) -> Result<bool> {
        let silent =
            sqlx::query_scalar!(r#"select exists (select from silent_address where digest = $1) as "silent!""#, digest)
                .fetch_one(&self.pool)
                .await?;
        Ok(silent)
    }
}
