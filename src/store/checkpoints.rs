//! Checkpoints: folded states at the end of a move. A cache, never the truth.

use uuid::Uuid;

use super::{Result, Store};

pub struct CheckpointRow {
    pub seq: i64,
    pub state: String,
}

impl Store {
    /// The last checkpoint at or before the end of a move, written by this shape of the rules.
    pub async fn checkpoint_before(&self, table: Uuid, move_no: i32, shape: &str) -> Result<Option<CheckpointRow>> {
        let row = sqlx::query_as!(
            CheckpointRow,
            "select seq, state from checkpoint where table_id = $1 and move_no <= $2 and shape = $3 order by seq desc limit 1",
            table,
            move_no,
            shape,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// Keeps a checkpoint; one of another shape at the same place gives way.
    pub async fn keep_checkpoint(&self, table: Uuid, seq: i64, move_no: i32, shape: &str, state: &str) -> Result<()> {
        sqlx::query!(
            "insert into checkpoint (table_id, seq, move_no, shape, state) values ($1, $2, $3, $4, $5)
             on conflict (table_id, seq) do update set shape = excluded.shape, state = excluded.state
             where checkpoint.shape <> excluded.shape",
            table,
            seq,
            move_no,
            shape,
            state,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
