//! A standby to read from, so that the primary has more room for moves.
//!
//! A standby lags behind, and one that followed a primary that failed may know of things that never were. So what it says of a table is
//! only used if it has the table's last event, and what it says in lists only if it has replayed all that the primary had written when the list was
//! asked for. Whenever it is behind, missing, slow or broken, the primary is asked.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::db::{Result, Store};
use crate::tables::TableId;

/// The longest that an answer of the standby is waited for.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long a standby that failed is left alone.
const REST: Duration = Duration::from_secs(5);

/// How often, and at which intervals, a standby is asked whether it has caught up.
const CATCHING_UP: [Duration; 5] = [Duration::from_millis(20); 5];

/// Where a server is in the log of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogPosition {
    /// Which cluster it is.
    system: i64,
    /// Rises when a standby is promoted.
    timeline: i32,
    /// How far it has come.
    lsn: i64,
}

impl Store {
    /// Where the primary is.
    pub async fn log_position(&self) -> Result<LogPosition> {
        let position = sqlx::query_as!(
            LogPosition,
            r#"select (pg_control_system()).system_identifier as "system!",
                 ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as "timeline!",
                 (pg_current_wal_flush_lsn() - '0/0')::bigint as "lsn!""#
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(position)
    }

    /// Whether this server is a standby of that primary and has come as far.
    async fn has_replayed(&self, primary: LogPosition) -> Result<bool> {
        let here = sqlx::query!(
            r#"select (pg_control_system()).system_identifier as "system!", (pg_control_checkpoint()).timeline_id as "timeline!",
                 case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as lsn"#
        )
        .fetch_one(&self.pool)
        .await?;
        let is_its_standby = (here.system, here.timeline) == (primary.system, primary.timeline);
        Ok(is_its_standby && here.lsn.is_some_and(|lsn| lsn >= primary.lsn))
    }

    /// Whether an event with this digest is stored.
    pub async fn has_event(&self, table: TableId, seq: i64, digest: &[u8]) -> Result<bool> {
        let has = sqlx::query_scalar!(
            r#"select exists (select from event where table_id = $1 and seq = $2 and digest = $3) as "has!""#,
            table as _,
            seq,
            digest,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(has)
    }
}

/// A standby to read from.
pub struct Standby {
    store: Store,
    rests_until: Mutex<Option<Instant>>,
}

impl Standby {
    pub fn new(store: Store) -> Standby {
        Standby { store, rests_until: Mutex::default() }
    }

    /// Whether it has failed a moment ago.
    pub fn is_resting(&self) -> bool {
        let until = self.rests_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| until > Instant::now())
    }

    fn rest(&self, why: &str) {
        tracing::warn!(why, "the standby is not read from for a while");
        *self.rests_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + REST);
    }

    /// What the standby says; `None` if the primary has to be asked.
    pub async fn ask<'a, T, E: std::fmt::Display, F>(&'a self, ask: impl FnOnce(&'a Store) -> F) -> Option<T>
    where
        F: Future<Output = std::result::Result<Option<T>, E>>,
    {
        if self.is_resting() {
            return None;
        }
        match tokio::time::timeout(PATIENCE, ask(&self.store)).await {
            Ok(Ok(said)) => said,
            Ok(Err(error)) => {
                self.rest(&error.to_string());
                None
            }
            Err(_) => {
                self.rest("it does not answer");
                None
            }
        }
    }

    /// The same, once the standby has replayed what the primary had written at a position. It is given a moment for that.
    pub async fn ask_behind<'a, T, F>(&'a self, position: LogPosition, ask: impl FnOnce(&'a Store) -> F) -> Option<T>
    where
        F: Future<Output = Result<T>>,
    {
        self.ask(async |store: &'a Store| {
            for pause in CATCHING_UP {
                if store.has_replayed(position).await? {
                    return ask(store).await.map(Some);
                }
                tokio::time::sleep(pause).await;
            }
            Result::Ok(None)
        })
        .await
    }

    pub async fn close(&self) {
        self.store.close().await;
    }
}
