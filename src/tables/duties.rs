//! What the house does by itself: bots move, the clock runs out, tables that nobody starts are cleared away.
//!
//! Any process may do it: tables that are due are claimed in the database, so no two see to the same one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::TimeDelta;

use super::folded::Status;
use super::record::{By, Ending, TableFact};
use super::{Kept, ReadError, SayError, TableId, Tables};
use crate::rules::Seat;
use crate::store::StoreError;

/// So often the house looks round.
const ROUND: Duration = Duration::from_millis(400);

/// So often a process notes that it is awake.
const PULSE: Duration = Duration::from_secs(30);

/// If no process was awake for so long, nobody pays for that time with their own.
const OUTAGE: Duration = Duration::from_secs(600);

/// So many tables are seen to in one round.
const TABLES_A_ROUND: i64 = 20;

impl Tables {
    /// Looks round for ever.
    pub async fn look_round(self: Arc<Tables>) {
        let mut pulse = None;
        loop {
            self.keep_pulse(&mut pulse).await;
            match self.see_to_due_tables().await {
                Ok(0) => tokio::time::sleep(ROUND).await,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, "the house could not look round");
                    tokio::time::sleep(10 * ROUND).await;
                }
            }
        }
    }

    /// Notes now and then that the house is awake. Who was awake all the time knows that the house was not closed, whatever the clock says.
    async fn keep_pulse(&self, last: &mut Option<Instant>) {
        if last.is_some_and(|last| last.elapsed() < PULSE) {
            return;
        }
        let was_awake = last.is_some_and(|last| last.elapsed() < OUTAGE);
        match self.note_pulse(was_awake).await {
            Ok(()) => *last = Some(Instant::now()),
            Err(error) => tracing::warn!(%error, "the house could not note that it is awake"),
        }
    }

    /// Notes that the house is awake, and if it was closed for longer than some minutes, that it was.
    pub async fn note_pulse(&self, was_awake: bool) -> Result<(), StoreError> {
        self.store.pulse(TimeDelta::seconds(OUTAGE.as_secs() as i64), was_awake).await
    }

    /// Sees to the tables that are due; says how many there were.
    pub async fn see_to_due_tables(&self) -> Result<usize, ReadError> {
        let due = self.store.claim_due_tables(TABLES_A_ROUND).await?;
        for id in &due {
            let id = TableId(*id);
            if let Err(error) = self.see_to(id).await {
                tracing::error!(%error, table = %id, "a table could not be seen to");
            }
        }
        Ok(due.len())
    }

    async fn see_to(&self, id: TableId) -> Result<(), SayError> {
        let kept = self.read(id).await?;
        let now = self.now();
        let projection = kept.now.projection();
        if projection.due.is_none_or(|due| due > now) {
            // Somebody moved since it was claimed.
            self.store.postpone_table(id.0, kept.now.version, projection.due).await?;
            return Ok(());
        }
        match kept.now.status() {
            Status::Open => self.record_all(&kept, &[TableFact::Ended { how: Ending::Expired }]).await,
            Status::Playing => self.play_for_the_absent(&kept).await,
            Status::Over | Status::Gone => Ok(()),
        }
    }

    /// Moves for one seat: a bot's, or one that time has run out for. The next one is due at once.
    async fn play_for_the_absent(&self, kept: &Kept) -> Result<(), SayError> {
        let awaiting = kept.now.awaiting();
        if let Some((seat, level)) = awaiting.iter().find_map(|seat| Some((seat, kept.now.bot_at(seat)?))) {
            let kept_for_owner = kept.now.times.kept.contains(seat);
            if kept_for_owner && kept.now.is_abandoned_without(seat) {
                return self.record_all(kept, &[TableFact::Ended { how: Ending::Abandoned }]).await;
            }
            let by = match () {
                () if kept.now.resigned.contains(seat) => By::StandIn,
                () if kept_for_owner => By::Keeper,
                () => By::Holder,
            };
            let position = kept.now.position.boxed_clone();
            // A bot that thinks hard must not keep others waiting.
            let lines = tokio::task::spawn_blocking(move || position.bot(level, seat, &mut rand::rng()))
                .await
                .unwrap_or_default();
            let lines = if lines.is_empty() { self.default_lines(kept, seat) } else { lines };
            return match self.say_for(kept, seat, &lines, by).await {
                // A bot that errs is not to hold up the table.
                Err(SayError::Refused { refusal, .. }) => {
                    tracing::error!(%refusal, table = %kept.id, %seat, "a bot's move was refused");
                    self.say_for(kept, seat, &self.default_lines(kept, seat), by).await.map(|_| ())
                }
                other => other.map(|_| ()),
            };
        }
        let now = self.now();
        if kept.now.times.pause_ends().is_some_and(|end| end <= now) {
            return self.record_all(kept, &[TableFact::Resumed { seat: None }]).await;
        }
        let late = awaiting.iter().find(|seat| kept.now.deadline_of(*seat).is_some_and(|deadline| deadline <= now));
        match late {
            Some(seat) => self.run_out(kept, seat).await,
            None => Ok(()),
        }
    }

    /// The rulebook's move for a seat that says nothing.
    pub(super) fn default_lines(&self, kept: &Kept, seat: Seat) -> Vec<String> {
        kept.now.position.default_move(seat).into_iter().collect()
    }
}
