//! The database is the only truth: whatever a process remembers gives way to it, also when it goes back in time.

mod promoted;
mod reading;
mod restored;

use chrono::{DateTime, Utc};
use wonderpost::tables::audit::rebuild::Comparison;
use wonderpost::tables::state::record::{Record, TableFact};
use wonderpost::tables::state::table_state::TableState;
use wonderpost::tables::{TableId, Tables};

use crate::harness::Visitor;
use crate::harness::page::Page;

/// A move, and the form that it came by.
struct SaidMove {
    move_no: u32,
    at: DateTime<Utc>,
    line: String,
    form: String,
}

/// The moves of a table, in order.
fn said(records: &[Record]) -> Vec<SaidMove> {
    let said = records.iter().filter_map(|record| match serde_json::from_str(record.body.get()) {
        Ok(TableFact::Said { line, form, .. }) => Some(SaidMove { move_no: record.move_no, at: record.at, line, form }),
        _ => None,
    });
    said.collect()
}

/// Holds a table to its events: its chain, its moves, its snapshots and its line in lists; and no form was recorded twice.
async fn assert_sound(fresh: &Tables, id: TableId) {
    let report = fresh.check(id).await.expect("a report");
    assert!(!report.fails(), "{report}");
    let records = fresh.records(id).await.expect("records");
    let folded = TableState::from_records(&fresh.catalogue, &records).expect("a table");
    let kept = fresh.load_fresh(id).await.expect("a table");
    assert_eq!(kept.now.write(), folded.write(), "a fresh process shows what the events say");
    assert!(matches!(fresh.rebuild(id, false).await.expect("a comparison"), Comparison::Same));
    let mut forms: Vec<String> = said(&records).into_iter().map(|said| said.form).collect();
    let all = forms.len();
    forms.sort_unstable();
    forms.dedup();
    assert_eq!(forms.len(), all, "no form is recorded twice");
}

/// The page of a table, but for what differs each time it is drawn.
async fn shown(visitor: &Visitor, table: &str) -> String {
    Page(&visitor.look(table).await).without_marks()
}

fn id_of(table: &str) -> TableId {
    table.trim_start_matches("/t/").parse().expect("the name of a table")
}
