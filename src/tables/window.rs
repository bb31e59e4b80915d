//! A stretch of a table's events with the state before them: enough to show a table and its last moves.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::folded::{Folded, Sequel, Unfoldable};
use super::record::Record;
use crate::rules::{Seat, Viewer};

/// So many moves the log shows before the one looked at.
pub const LOG_MOVES: u32 = 16;

/// From so many records on a window is cut short.
const LONGEST: usize = 320;

/// The state at the end of some move, and the records after it.
#[derive(Clone)]
pub struct Window {
    base: Arc<Folded>,
    records: Vec<Arc<Record>>,
}

/// The log lines of one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedMove {
    pub number: u32,
    pub seat: Option<Seat>,
    pub at: DateTime<Utc>,
    pub lines: Vec<String>,
}

/// A table as it was after a move.
pub struct Leaf {
    pub now: Folded,
    /// The table one move earlier.
    pub before: Option<Folded>,
    /// The last moves up to this one, the latest last.
    pub log: Vec<LoggedMove>,
}

impl Window {
    pub fn new(base: Folded, records: Vec<Arc<Record>>) -> Window {
        Window { base: Arc::new(base), records }
    }

    pub fn base(&self) -> &Folded {
        &self.base
    }

    pub fn records(&self) -> &[Arc<Record>] {
        &self.records
    }

    /// Whether the window reaches back far enough to show the table after this move.
    pub fn shows(&self, move_no: u32) -> bool {
        move_no >= self.base.moves + LOG_MOVES || self.reaches_back_to_the_opening()
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
                let mut base = Folded::clone(&self.base);
                for record in self.records.drain(..boundary) {
                    base.fold(&record)?;
                }
                self.base = Arc::new(base);
            }
        }
        Ok(())
    }

    /// What last came of something that a seat had a part in, since some move.
    pub fn sequel(&self, seat: Seat, since: u32) -> Result<Option<String>, Unfoldable> {
        let told = self.base.sequels(self.records.iter().map(|record| &**record))?;
        let mine = told.into_iter().rfind(|sequel| sequel.seat == seat && sequel.move_no > since);
        Ok(mine.map(|Sequel { words, .. }| words))
    }

    /// The table after a move as a viewer may know it.
    pub fn leaf(&self, move_no: u32, viewer: Viewer) -> Result<Leaf, Unfoldable> {
        let mut now = Folded::clone(&self.base);
        let mut before = None;
        let mut log: Vec<LoggedMove> = Vec::new();
        for record in self.records.iter().take_while(|record| record.move_no <= move_no) {
            if record.move_no == move_no && now.moves < move_no {
                before = Some(now.clone());
            }
            if record.move_no + LOG_MOVES > move_no {
                if log.last().is_none_or(|last| last.number != record.move_no) {
                    log.push(LoggedMove {
                        number: record.move_no,
                        seat: record.seat,
                        at: record.at,
                        lines: Vec::new(),
                    });
                }
                if let (Some(line), Some(last)) = (now.tell(record, viewer)?, log.last_mut()) {
                    last.lines.push(line);
                }
            }
            now.fold(record)?;
        }
        Ok(Leaf { now, before, log })
    }
}
