//! A stretch of a table's events with the state before them: enough to show a table and its last moves.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::tables::state::concealed::Numbering;
use crate::tables::state::record::{Digest, Record};
use crate::tables::state::table_state::{Aftermath, TableState, Unfoldable};
use wonderpost_rules::{Seat, Viewer};

/// How many moves the log shows before the one looked at.
pub const LOG_MOVES: u32 = 16;

/// How many records a window may hold before it is cut short.
const LONGEST: usize = 320;

/// The state at the end of some move, and the records after it.
#[derive(Clone)]
pub struct RecentEvents {
    base: Arc<TableState>,
    records: Vec<Arc<Record>>,
}

/// The log lines of one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedMove {
    /// As its viewer counts.
    pub number: u32,
    pub seat: Option<Seat>,
    pub at: DateTime<Utc>,
    pub lines: Vec<String>,
}

/// A table as it was after a move.
pub struct HistoryView {
    pub now: TableState,
    /// The table one move earlier.
    pub before: Option<TableState>,
    /// When that last happened of which the viewer knows.
    pub at: DateTime<Utc>,
    /// The last moves up to this one, the latest last.
    pub log: Vec<LoggedMove>,
}

impl RecentEvents {
    pub fn new(base: TableState, records: Vec<Arc<Record>>) -> RecentEvents {
        RecentEvents { base: Arc::new(base), records }
    }

    pub fn base(&self) -> &TableState {
        &self.base
    }

    pub fn records(&self) -> &[Arc<Record>] {
        &self.records
    }

    /// Whether the window reaches back far enough for a log that begins with this move.
    pub fn shows(&self, first: u32) -> bool {
        first > self.base.moves || self.reaches_back_to_the_opening()
    }

    /// Whether all states after so many moves lie in the window.
    pub fn reaches(&self, move_no: u32) -> bool {
        move_no > self.base.moves || self.reaches_back_to_the_opening()
    }

    /// The last event, with its digest.
    pub fn last_event(&self) -> (i64, &Digest) {
        self.records.last().map_or((self.base.version, &self.base.head), |last| (last.seq, &last.digest))
    }

    /// The digest of an event, if it lies in the window.
    pub fn digest_of(&self, seq: i64) -> Option<&Digest> {
        if seq == self.base.version {
            return Some(&self.base.head);
        }
        let place = usize::try_from(seq - self.base.version - 1).ok()?;
        self.records.get(place).map(|record| &record.digest)
    }

    fn reaches_back_to_the_opening(&self) -> bool {
        self.base.version <= 1
    }

    /// Adds what came after; forgets the oldest half when it gets long.
    pub fn extend(&mut self, records: impl IntoIterator<Item = Arc<Record>>) -> Result<(), Unfoldable> {
        self.records.extend(records);
        if self.records.len() > LONGEST {
            let half = self.records.len() - LONGEST / 2;
            // A window begins at the end of a move.
            let boundary = (half..self.records.len())
                .find(|place| self.records[*place - 1].move_no != self.records[*place].move_no);
            if let Some(boundary) = boundary {
                let mut base = TableState::clone(&self.base);
                for record in self.records.drain(..boundary) {
                    base.fold(&record)?;
                }
                self.base = Arc::new(base);
            }
        }
        Ok(())
    }

    /// What last came of something that a seat had a part in, since some move.
    pub fn aftermath(&self, seat: Seat, since: u32) -> Result<Option<String>, Unfoldable> {
        let told = self.base.aftermaths(self.records.iter().map(|record| &**record))?;
        let mine = told.into_iter().rfind(|aftermath| aftermath.seat == seat && aftermath.move_no > since);
        Ok(mine.map(|Aftermath { words, .. }| words))
    }

    /// The table after a move as a viewer may know it, who counts so.
    pub fn table_at_move(&self, number: u32, viewer: Viewer, numbering: &Numbering) -> Result<HistoryView, Unfoldable> {
        let mut now = TableState::clone(&self.base);
        let mut at = now.moved_at;
        let mut before = None;
        let mut log: Vec<LoggedMove> = Vec::new();
        for record in &self.records {
            let shown = numbering.shown(record.move_no);
            if shown > number {
                break;
            }
            if numbering.hides(record) {
                now.fold(record)?;
                continue;
            }
            if shown == number && numbering.shown(now.moves) < number {
                before = Some(now.clone());
            }
            if shown + LOG_MOVES > number {
                if log.last().is_none_or(|last| last.number != shown) {
                    log.push(LoggedMove { number: shown, seat: record.seat, at: record.at, lines: Vec::new() });
                }
                if let (Some(line), Some(last)) = (now.describe_event(record, viewer)?, log.last_mut()) {
                    last.lines.push(line);
                }
            }
            at = record.at;
            now.fold(record)?;
        }
        Ok(HistoryView { now, before, at, log })
    }
}
