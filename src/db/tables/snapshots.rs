//! Snapshots: folded states at the end of a move. A cache, never the truth.

use crate::db::{Result, Store};
use crate::tables::TableId;

pub struct SnapshotRow {
    pub seq: i64,
    pub state: String,
    /// Over the state and the digest of the event that it stands after.
    pub digest: Vec<u8>,
    /// The digest of that event.
    pub head: Vec<u8>,
}

/// A snapshot to be kept.
pub struct NewSnapshot<'a> {
    pub seq: i64,
    /// Which build of the rules wrote it.
    pub shape: &'a str,
    pub state: &'a str,
    pub digest: &'a [u8],
    pub head: &'a [u8],
}

impl Store {
    /// The last snapshot at or before the end of a move, written by this shape of the rules.
    pub async fn snapshot_before(&self, table: TableId, move_no: i32, shape: &str) -> Result<Option<SnapshotRow>> {
        let row = sqlx::query_as!(
            SnapshotRow,
            r#"select seq as "seq!", state as "state!", digest as "digest!", head as "head!" from sound_checkpoint
               where table_id = $1 and move_no <= $2 and shape = $3 order by seq desc limit 1"#,
            table as _,
            move_no,
            shape,
        )
        .fetch_optional(&self.lookups)
        .await?;
        Ok(row)
    }

    /// Removes a snapshot that cannot be believed.
    pub async fn drop_snapshot(&self, table: TableId, seq: i64) -> Result<()> {
        sqlx::query!("delete from checkpoint where table_id = $1 and seq = $2", table as _, seq)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Keeps a snapshot, if the event that it stands after is stored; another one at the same place gives way.
    pub async fn save_snapshot(&self, table: TableId, snapshot: &NewSnapshot<'_>) -> Result<()> {
        // Nobody waits for the disk: what a crash loses is written again when it is needed.
        sqlx::query!(
            "with hastily as (select set_config('synchronous_commit', 'off', true))
             insert into checkpoint (table_id, seq, move_no, shape, state, digest, head)
             select event.table_id, event.seq, event.move_no, $3, $4, $5, event.digest from hastily, event
             where event.table_id = $1 and event.seq = $2 and event.digest = $6
             on conflict (table_id, seq) do update set move_no = excluded.move_no, shape = excluded.shape, state = excluded.state,
                 digest = excluded.digest, head = excluded.head
             where (checkpoint.shape, checkpoint.state, checkpoint.digest, checkpoint.head)
                 <> (excluded.shape, excluded.state, excluded.digest, excluded.head)",
            table as _,
            snapshot.seq,
            snapshot.shape,
            snapshot.state,
            snapshot.digest,
            snapshot.head,
        )
        .execute(&self.lookups)
        .await?;
        Ok(())
    }
}
