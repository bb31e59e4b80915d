//! Snapshots of tables: folded states that stand after an event of the database, so that a long game costs what a short one does.

use sha2::{Digest as _, Sha256};

use crate::db::tables::snapshots::{NewSnapshot, SnapshotRow};
use crate::db::{Store, retry_transient};
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, ReadError, TableId, Tables};

/// How many events lie between two snapshots.
const SNAPSHOT_EVENTS: i64 = 64;

/// How many damaged snapshots are removed before a table is folded from its first event.
const MOST_DAMAGED: usize = 4;

/// Which build reads and writes snapshots.
pub const SHAPE: &str = env!("WONDERPOST_SHAPE");

impl CachedTable {
    /// Whether a snapshot is due between these two versions.
    pub(crate) fn snapshot_due(before: i64, after: &TableState) -> bool {
        before / SNAPSHOT_EVENTS != after.version / SNAPSHOT_EVENTS && after.status() == Status::Playing
    }
}

impl Tables {
    /// The state of the last snapshot at or before a move. One that is damaged is removed, so that it does not stand in the way of others.
    pub(crate) async fn last_snapshot(
        &self,
        source: &Store,
        id: TableId,
        move_no: i32,
    ) -> Result<Option<TableState>, ReadError> {
        for _ in 0..MOST_DAMAGED {
            let Some(row) = retry_transient(|| source.snapshot_before(id, move_no, SHAPE)).await? else {
                return Ok(None);
            };
            if let Some(state) = self.believe(&row) {
                return Ok(Some(state));
            }
            tracing::warn!(table = %id, seq = row.seq, "a snapshot is damaged, and removed");
            retry_transient(|| self.store.drop_snapshot(id, row.seq)).await?;
        }
        Ok(None)
    }

    /// The state of a snapshot, if it is what was written there when the table stood so.
    fn believe(&self, row: &SnapshotRow) -> Option<TableState> {
        TableState::read(&self.catalogue, &row.state)
            .filter(|state| state.version == row.seq && state.head[..] == row.head[..])
            .filter(|_| snapshot_digest(&row.head, &row.state)[..] == row.digest[..])
    }

    /// Writes a snapshot in the background. If that fails nothing is lost but time.
    pub(crate) fn write_snapshot(&self, id: TableId, folded: &TableState) {
        let (store, state) = (self.store.clone(), folded.write());
        let (seq, head) = (folded.version, folded.head);
        let digest = snapshot_digest(&head, &state);
        tokio::spawn(async move {
            let snapshot = NewSnapshot { seq, shape: SHAPE, state: &state, digest: &digest, head: &head };
            if let Err(error) = store.save_snapshot(id, &snapshot).await {
                tracing::warn!(%error, "a snapshot was not written");
            }
        });
    }
}

/// Binds a state to the chain of events that it comes from.
fn snapshot_digest(head: &[u8], state: &str) -> [u8; 32] {
    Sha256::new().chain_update(head).chain_update(state).finalize().into()
}
