//! Whether the database does what the house needs: answers in time, and writes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use crate::db::{Result, Store, time_budget};

/// How long a successful write counts as proof that the database takes writes, so that many who ask do not make many writes.
const BELIEVED: Duration = Duration::from_secs(1);

/// What the last check found.
#[derive(Clone, Default)]
pub(crate) struct Heartbeat(Arc<Mutex<Option<Beat>>>);

struct Beat {
    at: Instant,
    outcome: Result<()>,
}

impl Store {
    /// Whether the database answers and takes what is written. Those who ask at the same time share one check.
    pub async fn check_health(&self) -> Result<()> {
        let asked = Instant::now();
        // Whoever has the lock is done in time, and those who wait for it then have their answer.
        let mut last = self.heartbeat.0.lock().await;
        match &*last {
            Some(beat) if beat.at >= asked || (beat.outcome.is_ok() && beat.at.elapsed() < BELIEVED) => {
                beat.outcome.clone()
            }
            _ => {
                let outcome = time_budget::within(time_budget::HEALTH_CHECK, self.beat()).await;
                *last = Some(Beat { at: Instant::now(), outcome: outcome.clone() });
                outcome
            }
        }
    }

    async fn beat(&self) -> Result<()> {
        sqlx::query!(
            "insert into heartbeat (at) select now() from room_on_disk()
             on conflict (id) do update set at = excluded.at"
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
