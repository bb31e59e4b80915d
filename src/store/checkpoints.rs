//! Checkpoints: folded states at the end of a move. A cache, never the truth.

use uuid::Uuid;

use super::{Result, Store};

pub struct CheckpointRow {
    pub seq: i64,
    pub state: String,
    /// Over the state and the digest of the event that it stands after.
    pub digest: Vec<u8>,
    /// The digest of that event.
    pub head: Vec<u8>,
}

impl Store {
    /// The last checkpoint at or before the end of a move, written by this shape of the rules.
    pub async fn checkpoint_before(&self, table: Uuid, move_no: i32, shape: &str) -> Result<Option<CheckpointRow>> {
        let mut connection = self.lending.borrow().await?;
        let row = sqlx::query_as!(
            CheckpointRow,
            "select seq, state, checkpoint.digest, event.digest as head from checkpoint join event using (table_id, seq)
             where table_id = $1 and checkpoint.move_no <= $2 and shape = $3 order by seq desc limit 1",
            table,
            move_no,
            shape,
        )
        .fetch_optional(&mut *connection)
        .await;
        Ok(connection.give_back(row)?)
    }

    /// Keeps a checkpoint; another one at the same place gives way.
    pub async fn keep_checkpoint(
        &self,
        table: Uuid,
        seq: i64,
        move_no: i32,
        shape: &str,
        state: &str,
        digest: &[u8],
    ) -> Result<()> {
        let mut connection = self.lending.borrow().await?;
        // Nobody waits for the disk: what a crash loses is written again when it is needed.
        let kept = sqlx::query!(
            "with hastily as (select set_config('synchronous_commit', 'off', true))
             insert into checkpoint (table_id, seq, move_no, shape, state, digest) select $1, $2, $3, $4, $5, $6 from hastily
             on conflict (table_id, seq) do update set shape = excluded.shape, state = excluded.state, digest = excluded.digest
             where (checkpoint.shape, checkpoint.state, checkpoint.digest) <> (excluded.shape, excluded.state, excluded.digest)",
            table,
            seq,
            move_no,
            shape,
            state,
            digest,
        )
        .execute(&mut *connection)
        .await;
        connection.give_back(kept)?;
        Ok(())
    }
}
