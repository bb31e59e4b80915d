//! What players note down for themselves.

use crate::db::{Result, Store};
use crate::tables::{PlayerId, TableId};

impl Store {
    /// What a player has noted down at a table.
    pub async fn note_of(&self, table: TableId, player: PlayerId) -> Result<Option<String>> {
        let words = sqlx::query_scalar!(
            "select words from note where table_id = $1 and player_id = $2",
            table as _,
            player as _
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(words)
    }

    /// Puts a player's note in the place of the one before; without words there is none.
    pub async fn keep_note(&self, table: TableId, player: PlayerId, words: &str) -> Result<()> {
        sqlx::query!(
            "with kept as (
                 insert into note (table_id, player_id, words, updated_at) select $1, $2, $3, $4 where $3 <> ''
                 on conflict (table_id, player_id) do update set words = $3, updated_at = $4
             )
             delete from note where table_id = $1 and player_id = $2 and $3 = ''",
            table as _,
            player as _,
            words,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Adds a line to a player's note; whether there was room for it.
    pub async fn add_to_note(&self, table: TableId, player: PlayerId, line: &str, longest: i32) -> Result<bool> {
        let added = sqlx::query!(
            "insert into note (table_id, player_id, words, updated_at) values ($1, $2, $3, $4)
             on conflict (table_id, player_id)
             do update set words = note.words || E'\\n' || $3, updated_at = $4
             where char_length(note.words) + 1 + char_length($3) <= $5",
            table as _,
            player as _,
            line,
            self.clock.now(),
            longest,
        )
        .execute(&self.pool)
        .await?;
        Ok(added.rows_affected() == 1)
    }
}
