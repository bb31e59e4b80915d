//! Rebuilding the projection of tables from their events, and comparing it with the one that stands.

use crate::db::tables::lists::Projection;
use crate::db::{StoreError, retry_transient};
use crate::tables::audit::check::{Finding, Report, Verdict, check};
use crate::tables::state::record::{Opened, Record};
use crate::tables::state::table_state::TableState;
use crate::tables::{ReadError, SitError, TableId, Tables};

/// How a table's projection compares with its events.
#[derive(Debug)]
pub enum Comparison {
    Same,
    Different {
        stands: Box<Projection>,
        rebuilt: Box<Projection>,
        mended: bool,
    },
    /// The events themselves are damaged.
    Broken(String),
}

impl Tables {
    /// The ids of all tables.
    pub async fn all_ids(&self) -> Result<Vec<TableId>, StoreError> {
        const PAGE: i64 = 1_000;
        let mut ids = Vec::new();
        let mut last = TableId(uuid::Uuid::nil());
        loop {
            let page = retry_transient(|| self.store.table_ids_after(last, PAGE)).await?;
            let Some(end) = page.last() else { return Ok(ids) };
            last = *end;
            ids.extend(page);
        }
    }

    /// Rebuilds a table's projection from its events alone. A move that comes in meanwhile is no difference.
    pub async fn rebuild(&self, id: TableId, mend: bool) -> Result<Comparison, ReadError> {
        let stands = retry_transient(|| self.store.projection(id)).await?.ok_or(ReadError::NoTable)?;
        let records = self.records(id).await?;
        let folded = match TableState::from_records(&self.catalogue, &records) {
            Ok(folded) => folded,
            Err(error) => return Ok(Comparison::Broken(error.to_string())),
        };
        // When the house looks at a table next is set back while it does.
        let rebuilt = Projection { due: stands.due, ..folded.projection() };
        if rebuilt == stands || retry_transient(|| self.store.projection(id)).await?.as_ref() != Some(&stands) {
            return Ok(Comparison::Same);
        }
        let mended = mend && self.store.mend_projection(id, &rebuilt, stands.version).await?;
        Ok(Comparison::Different { stands: Box::new(stands), rebuilt: Box::new(rebuilt), mended })
    }

    /// Checks a table as far as its published secret goes.
    pub async fn check(&self, id: TableId) -> Result<Report, ReadError> {
        let cached = self.load_fresh(id).await?;
        let records = self.records(id).await?;
        let secret = self.published(&cached).await?;
        let mut report = check(&self.catalogue, id, &records, secret.as_ref());
        if cached.now.opened.played_on.is_some() && cached.now.started() {
            report.findings.push(self.compare_with_source(&cached.now.opened, &records).await?);
        }
        Ok(report)
    }

    /// Whether a table that goes on from another begins with exactly the facts of that game.
    async fn compare_with_source(&self, opened: &Opened, records: &[Record]) -> Result<Finding, ReadError> {
        let title = "It begins as the other game stood";
        let facts = match self.facts_to_play_on(opened).await {
            Ok(facts) => facts.unwrap_or_default(),
            Err(SitError::Read(error)) => return Err(error),
            Err(error) => return Ok(Finding { title, verdict: Verdict::Fails, words: error.to_string() }),
        };
        let begun = records.iter().filter(|record| record.move_no == 0 && !record.is_of_the_house());
        let same = begun.clone().count() == facts.len()
            && begun.zip(&facts).all(|(record, fact)| record.kind == fact.kind && record.body.get() == fact.body);
        Ok(match same {
            true => {
                Finding { title, verdict: Verdict::Holds, words: format!("all {} facts are the same.", facts.len()) }
            }
            false => {
                Finding { title, verdict: Verdict::Fails, words: "its first facts are not those of that game.".into() }
            }
        })
    }
}
