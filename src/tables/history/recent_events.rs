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
#[derive(Clone)]
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
        let describe = |now: &TableState, record: &Record| now.describe_event(record, viewer);
        self.begin().fold_until(number, &self.records, numbering, describe_one(describe))
    }

    /// A finished table after a move, with what everybody was told and what each seat was told besides.
    pub fn revealed_at_move(&self, number: u32, numbering: &Numbering) -> Result<HistoryView, Unfoldable> {
        self.begin().fold_until(number, &self.records, numbering, |now, record| {
            let told = now.describe_event(record, Viewer::Public)?;
            let mut lines: Vec<String> = told.iter().cloned().collect();
            for seat in Seat::all(now.opened.seats) {
                let line = now.describe_event(record, Viewer::Seat(seat))?;
                let line = line.filter(|line| tells_more(line, told.as_deref().unwrap_or_default()));
                lines.extend(line.map(|line| format!("{} was told: {line}", seat.mark())));
            }
            Ok(lines)
        })
    }

    /// The table as it is, for a viewer who saw it some events ago; nothing is concealed from anybody.
    pub fn carry_on(&self, last: &HistoryView, viewer: Viewer) -> Result<HistoryView, Unfoldable> {
        let rest = self.records.partition_point(|record| record.seq <= last.now.version);
        let number = self.records.last().map_or(self.base.moves, |record| record.move_no);
        let describe = |now: &TableState, record: &Record| now.describe_event(record, viewer);
        last.clone().fold_until(number, &self.records[rest..], &Numbering::default(), describe_one(describe))
    }

    fn begin(&self) -> HistoryView {
        let now = TableState::clone(&self.base);
        HistoryView { at: now.moved_at, now, before: None, log: Vec::new() }
    }
}

/// Whether a line that a seat was told holds anything that the public one does not, besides calling its reader “you”.
fn tells_more(line: &str, public: &str) -> bool {
    const OF_THE_READER: [&str; 7] = ["you", "your", "yours", "yourself", "are", "have", "were"];
    let words = |line: &str| -> Vec<String> {
        let trimmed = line.split_whitespace().map(|word| word.trim_matches(['.', ',', ':', '!', '(', ')']));
        trimmed.map(str::to_lowercase).filter(|word| !word.is_empty()).collect()
    };
    let known = words(public);
    let is_known = |word: &String| {
        OF_THE_READER.contains(&word.as_str())
            || known.iter().any(|known| known.starts_with(word.trim_end_matches('y')))
    };
    !words(line).iter().all(is_known)
}

fn describe_one(
    describe: impl Fn(&TableState, &Record) -> Result<Option<String>, Unfoldable>,
) -> impl Fn(&TableState, &Record) -> Result<Vec<String>, Unfoldable> {
    move |now, record| Ok(describe(now, record)?.into_iter().collect())
}

impl HistoryView {
    /// Folds records up to the end of a move, and keeps the log of the last moves.
    fn fold_until(
        mut self,
        number: u32,
        records: &[Arc<Record>],
        numbering: &Numbering,
        describe: impl Fn(&TableState, &Record) -> Result<Vec<String>, Unfoldable>,
    ) -> Result<HistoryView, Unfoldable> {
        self.log.retain(|entry| entry.number + LOG_MOVES > number);
        for record in records {
            let shown = numbering.shown(record.move_no);
            if shown > number {
                break;
            }
            if numbering.hides(record) {
                self.now.fold(record)?;
                continue;
            }
            if shown == number && numbering.shown(self.now.moves) < number {
                self.before = Some(self.now.clone());
            }
            if shown + LOG_MOVES > number {
                if self.log.last().is_none_or(|last| last.number != shown) {
                    self.log.push(LoggedMove { number: shown, seat: record.seat, at: record.at, lines: Vec::new() });
                }
                if let Some(last) = self.log.last_mut() {
                    last.lines.extend(describe(&self.now, record)?);
                }
            }
            self.at = record.at;
            self.now.fold(record)?;
        }
        Ok(self)
    }
}

/// Two views are the same if they show the same: whose they are is not compared.
impl PartialEq for HistoryView {
    fn eq(&self, other: &HistoryView) -> bool {
        let version = |state: &TableState| (state.version, state.head, state.position.snapshot());
        let before = |view: &HistoryView| view.before.as_ref().map(version);
        (version(&self.now), before(self), self.at) == (version(&other.now), before(other), other.at)
            && self.log == other.log
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_seat_knew_besides_is_told_of_it() {
        assert!(!tells_more("You end the turn with 2 actions unused.", "Bob ends the turn with 2 actions unused."));
        assert!(!tells_more("Round 1: you are the Red Queen.", "Round 1: Bob is the Red Queen."));
        assert!(tells_more("You draw 7♠ (44 left).", "Bob draws a card (44 left)."));
        assert!(tells_more("Your answer: refuse.", ""));
    }
}
