//! The ledger: every move that the service acknowledged, written down by those who made it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use wonderpost::tables::TableId;
use wonderpost_rules::Seat;

/// A move that a player sent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SentMove {
    pub table: TableId,
    pub seat: Seat,
    /// How many moves had been made when its form was drawn.
    pub step: u32,
    pub line: String,
}

/// What became of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The service said that it is recorded.
    Acknowledged,
    /// The service never said so: it may be recorded, once.
    Unknown,
}

/// One line of the ledger.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    #[serde(flatten)]
    pub sent: SentMove,
    pub outcome: Outcome,
    /// When, in milliseconds since the ledger was begun.
    pub at_ms: u64,
    /// How long its player had been without an acknowledged move by then.
    pub gap_ms: u64,
}

/// Answers as the clients saw them.
#[derive(Copy, Clone, Debug, Default)]
pub struct Answers {
    pub requests: u64,
    /// Requests that got no answer at all: refused, broken off, or nothing heard for too long.
    pub unanswered: u64,
    /// Answers from 500 on.
    pub failed: u64,
    /// Moves that were refused, or overtaken.
    pub refused: u64,
    /// The longest that anybody waited for an answer, good or bad.
    pub slowest: Duration,
}

/// The ledger that all clients of a run write.
pub struct Book {
    begun: Instant,
    pages: Mutex<Pages>,
}

#[derive(Default)]
struct Pages {
    entries: Vec<Entry>,
    tables: BTreeSet<TableId>,
    answers: Answers,
    /// Where every entry is written at once.
    file: Option<File>,
}

impl Book {
    /// A ledger, with a copy in a file if one is named.
    pub fn begin(file: Option<&Path>) -> io::Result<Book> {
        let file = file.map(File::create).transpose()?;
        Ok(Book { begun: Instant::now(), pages: Mutex::new(Pages { file, ..Pages::default() }) })
    }

    /// Reads a ledger that was written to a file.
    pub fn read(file: &Path) -> io::Result<Book> {
        let book = Book::begin(None)?;
        for line in BufReader::new(File::open(file)?).lines() {
            book.write(serde_json::from_str(&line?)?)?;
        }
        Ok(book)
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes down what became of a move whose player had had none acknowledged since that time.
    pub fn note(&self, sent: SentMove, outcome: Outcome, since: Instant) -> io::Result<()> {
        let now = Instant::now();
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let (at_ms, gap_ms) = (ms(now.duration_since(self.begun)), ms(now.duration_since(since)));
        self.write(Entry { sent, outcome, at_ms, gap_ms })
    }

    fn write(&self, entry: Entry) -> io::Result<()> {
        let mut pages = self.pages();
        if let Some(file) = &mut pages.file {
            let mut line = serde_json::to_vec(&entry)?;
            line.push(b'\n');
            file.write_all(&line)?;
        }
        pages.tables.insert(entry.sent.table);
        pages.entries.push(entry);
        Ok(())
    }

    /// Counts an answer, or that there was none.
    pub fn count(&self, took: Duration, status: Option<u16>) {
        let answers = &mut self.pages().answers;
        answers.requests += 1;
        answers.slowest = answers.slowest.max(took);
        match status {
            None => answers.unanswered += 1,
            Some(status) => answers.failed += u64::from(status >= 500),
        }
    }

    pub fn count_refusal(&self) {
        self.pages().answers.refused += 1;
    }

    pub fn answers(&self) -> Answers {
        self.pages().answers
    }

    pub fn entries(&self) -> Vec<Entry> {
        self.pages().entries.clone()
    }

    /// The tables at which anything was said.
    pub fn tables(&self) -> Vec<TableId> {
        self.pages().tables.iter().copied().collect()
    }

    /// How many moves were acknowledged so far.
    pub fn acknowledged(&self) -> usize {
        self.pages().entries.iter().filter(|entry| entry.outcome == Outcome::Acknowledged).count()
    }

    /// Milliseconds since the ledger was begun, as entries count them.
    pub fn now_ms(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// The longest that a player was without an acknowledged move.
    pub fn longest_gap(&self) -> Duration {
        Duration::from_millis(self.pages().entries.iter().map(|entry| entry.gap_ms).max().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_is_read_as_it_was_written() {
        let path = std::env::temp_dir().join(format!("wonderpost-ledger-{}", std::process::id()));
        let book = Book::begin(Some(&path)).unwrap();
        let table: TableId = "0123456789abcdef0123456789abcdef".parse().unwrap();
        let sent = SentMove { table, seat: Seat::FIRST, step: 3, line: "plant 4 QD".into() };
        book.note(sent.clone(), Outcome::Acknowledged, Instant::now()).unwrap();
        book.note(SentMove { step: 4, ..sent.clone() }, Outcome::Unknown, Instant::now()).unwrap();
        let read = Book::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!((read.entries().len(), read.acknowledged(), read.tables()), (2, 1, vec![table]));
        assert_eq!(read.entries()[0].sent, sent);
    }
}
