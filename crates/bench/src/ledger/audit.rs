//! Compares the ledger with the database: every acknowledged move is there, once, and every table is sound.

use std::collections::HashMap;
use std::fmt;

use anyhow::Context;
use serde::Deserialize;

use super::book::{Book, Outcome, SentMove};
use wonderpost::tables::audit::rebuild::Comparison;
use wonderpost::tables::state::table_state::TableState;
use wonderpost::tables::{ReadError, TableId, Tables};
use wonderpost_rules::{Seat, Viewer};

/// What the comparison shows.
#[derive(Debug, Default)]
pub struct Audit {
    pub acknowledged: usize,
    pub tables: usize,
    /// Acknowledged, and not in the database.
    pub lost: Vec<SentMove>,
    /// In the database though nobody sent it, or more often than it was sent.
    pub doubled: Vec<SentMove>,
    /// Tables that do not verify, or show another board than their events give.
    pub unsound: Vec<(TableId, String)>,
}

impl Audit {
    pub fn is_clean(&self) -> bool {
        self.lost.is_empty() && self.doubled.is_empty() && self.unsound.is_empty()
    }
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 5;
        writeln!(
            f,
            "acknowledged {}, lost {}, doubled {}; {} tables, {} unsound",
            self.acknowledged,
            self.lost.len(),
            self.doubled.len(),
            self.tables,
            self.unsound.len()
        )?;
        for (word, moves) in [("lost", &self.lost), ("doubled", &self.doubled)] {
            for sent in moves.iter().take(SHOWN) {
                writeln!(f, "  {word}: table {} seat {} after {}: {}", sent.table, sent.seat, sent.step, sent.line)?;
            }
        }
        for (table, reason) in self.unsound.iter().take(SHOWN) {
            writeln!(f, "  unsound: table {table}: {reason}")?;
        }
        Ok(())
    }
}

/// How often a move was acknowledged, might have been recorded, and stands in the database.
#[derive(Default)]
struct Counts {
    acknowledged: usize,
    unknown: usize,
    recorded: usize,
}

/// The moves that stand in the database, as their players sent them.
pub async fn recorded(tables: &Tables, table: TableId) -> anyhow::Result<Vec<SentMove>> {
    #[derive(Deserialize)]
    struct Said {
        #[serde(rename = "table-said")]
        said: Line,
    }
    #[derive(Deserialize)]
    struct Line {
        line: String,
    }
    let mut moves = Vec::new();
    for event in tables.store.events_from(table, 0).await? {
        if event.kind != "table-said" {
            continue;
        }
        let seat = event.seat.and_then(|seat| Seat::new(u8::try_from(seat).ok()?)).context("a move without a seat")?;
        let step = u32::try_from(event.move_no - 1).context("a move without a number")?;
        let Said { said } = serde_json::from_str(event.body.0.get()).context("a move that cannot be read")?;
        moves.push(SentMove { table, seat, step, line: said.line });
    }
    Ok(moves)
}

/// Compares a ledger with the database. `tables` must be fresh: what it has in memory is not looked up.
pub async fn audit(tables: &Tables, book: &Book) -> anyhow::Result<Audit> {
    let mut counts: HashMap<SentMove, Counts> = HashMap::new();
    let mut audit = Audit::default();
    for entry in book.entries() {
        let counts = counts.entry(entry.sent).or_default();
        match entry.outcome {
            Outcome::Acknowledged => counts.acknowledged += 1,
            Outcome::Unknown => counts.unknown += 1,
        }
    }
    for table in book.tables() {
        for sent in recorded(tables, table).await? {
            counts.entry(sent).or_default().recorded += 1;
        }
        audit.tables += 1;
        if let Some(reason) = fault_of(tables, table).await? {
            audit.unsound.push((table, reason));
        }
    }
    for (sent, counts) in counts {
        audit.acknowledged += counts.acknowledged;
        for _ in counts.recorded..counts.acknowledged {
            audit.lost.push(sent.clone());
        }
        for _ in counts.acknowledged + counts.unknown..counts.recorded {
            audit.doubled.push(sent.clone());
        }
    }
    Ok(audit)
}

/// Why a table is not sound. One that the database does not have is: its moves are missed elsewhere.
async fn fault_of(tables: &Tables, table: TableId) -> anyhow::Result<Option<String>> {
    let kept = match tables.load_fresh(table).await {
        Ok(kept) => kept,
        Err(ReadError::NoTable) => return Ok(None),
        Err(error) => return Ok(Some(error.to_string())),
    };
    let report = tables.check(table).await?;
    if report.fails() {
        return Ok(Some(report.to_string()));
    }
    match tables.rebuild(table, false).await? {
        Comparison::Same => {}
        Comparison::Different { stands, rebuilt, .. } => {
            return Ok(Some(format!("lists show {stands:?} instead of {rebuilt:?}")));
        }
        Comparison::Broken(reason) => return Ok(Some(reason)),
    }
    // `read` begins with a snapshot; the events alone must give the same board.
    let folded = TableState::from_records(&tables.catalogue, &tables.records(table).await?)?;
    let mut viewers = Seat::all(folded.opened.seats).map(Viewer::Seat).chain([Viewer::Public]);
    let differs = viewers.any(|viewer| folded.position.view(viewer) != kept.now.position.view(viewer));
    Ok(differs.then(|| "it shows another board than its events give".to_owned()))
}
