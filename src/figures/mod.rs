//! Figures of the house over time, for the host: how much happened in each hour and day, and how long answers took.

pub mod answer_times;

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;

use crate::db::{StoreError, retry_transient};
use crate::tables::Tables;

/// How often a process adds its figures.
const ROUND: Duration = Duration::from_secs(60);

/// What is younger may not all be committed yet, and is counted in the next round.
const SETTLED_AFTER: TimeDelta = TimeDelta::seconds(30);

impl Tables {
    /// Adds to the figures once a minute, for ever.
    pub async fn keep_figures(self: Arc<Tables>) {
        loop {
            tokio::time::sleep(ROUND).await;
            if let Err(error) = self.add_answer_times().await {
                tracing::warn!(%error, "answer times were not added to the figures");
            }
            if let Err(error) = self.roll_up_figures().await {
                tracing::warn!(%error, "figures were not rolled up");
            }
        }
    }

    /// Adds how long this process took to answer since the last time. Nothing is written if nobody asked anything.
    pub async fn add_answer_times(&self) -> Result<(), StoreError> {
        let taken = self.metrics.answer_times.take();
        if taken.is_empty() {
            return Ok(());
        }
        let added = self.store.add_answer_times(self.now(), &taken).await;
        if added.is_err() {
            self.metrics.answer_times.put_back(&taken);
        }
        added
    }

    /// Counts what has happened since it was last counted. One process does it at a time; after an outage it catches up, an hour a step.
    pub async fn roll_up_figures(&self) -> Result<(), StoreError> {
        let settled = self.now() - SETTLED_AFTER;
        while self.store.roll_up_figures(settled).await? {}
        retry_transient(|| self.store.forget_old_figures(settled)).await
    }
}
