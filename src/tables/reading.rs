//! Reading what is finished from a standby, if there is one.

use std::sync::Arc;

use super::folded::Status;
use super::read::LastEvent;
use super::record::{Record, first_break};
use super::window::Window;
use super::{Kept, ReadError, TableId, Tables};
use crate::store::standby::Standby;
use crate::store::tables::{ArchiveSearch, TableRow};
use crate::store::{StoreError, patiently};

impl Tables {
    /// The same tables, with a standby to read finished games and history from.
    pub fn reading_from(self, standby: Option<Arc<Standby>>) -> Tables {
        Tables { standby, ..self }
    }

    /// Finished public games, the latest first. The list is never older than what anybody has seen when they ask for it.
    pub async fn finished_tables(&self, search: &ArchiveSearch<'_>) -> Result<Vec<TableRow>, StoreError> {
        if let Some(standby) = self.standby.as_ref().filter(|standby| !standby.is_resting()) {
            // Whatever anybody has seen was written before.
            let position = patiently(|| self.store.log_position()).await?;
            let rows = standby.ask_behind(position, |store| store.finished_tables(search)).await;
            self.metrics.asked_standby(rows.is_some());
            if let Some(rows) = rows {
                return Ok(rows);
            }
        }
        patiently(|| self.store.finished_tables(search)).await
    }

    /// The window of a finished table from the standby, if it has the table to its end.
    pub(super) async fn whole_window_from_standby(&self, id: TableId, first: u32, last: &LastEvent) -> Option<Window> {
        let standby = self.standby.as_ref()?;
        let window = standby
            .ask(async |store| {
                let window = match self.load_window(store, id, first, None).await {
                    Ok(window) => window,
                    Err(ReadError::NoTable) => return Ok(None),
                    Err(error) => return Err(error),
                };
                Ok(Some(window).filter(|window| is_sound(id, window) && last.ends(window)))
            })
            .await;
        self.metrics.asked_standby(window.is_some());
        window
    }

    /// The window from one earlier move of a table to another from the standby, if it has all of the table that we know of.
    pub(super) async fn window_from_standby(&self, kept: &Kept, first: u32, until: u32) -> Option<Window> {
        let standby = self.standby.as_ref()?;
        let (id, now) = (kept.id, &kept.now);
        let window = standby
            .ask(async |store| {
                if !store.has_event(id.0, now.version, &now.head).await? {
                    return Ok(None);
                }
                let window = self.load_window(store, id, first, Some(until)).await?;
                Result::<_, ReadError>::Ok(Some(window).filter(|window| is_sound(id, window)))
            })
            .await;
        self.metrics.asked_standby(window.is_some());
        window
    }

    /// All records of a table: of a finished one from the standby, if that has all of them.
    pub(super) async fn records_of(&self, kept: &Kept) -> Result<Vec<Record>, ReadError> {
        let standby = self.standby.as_ref().filter(|_| kept.now.status() == Status::Over);
        if let Some(standby) = standby {
            let ends_there = |records: &Vec<Record>| {
                records.last().is_some_and(|last| (last.seq, last.digest) == (kept.now.version, kept.now.head))
                    && first_break(kept.id, &[0; 32], records).is_none()
            };
            let records = standby
                .ask(async |store| {
                    let rows = store.events_from(kept.id.0, 0).await?;
                    let records = rows.into_iter().map(Record::try_from).collect::<Result<Vec<_>, _>>()?;
                    Result::<_, ReadError>::Ok(Some(records).filter(ends_there))
                })
                .await;
            self.metrics.asked_standby(records.is_some());
            if let Some(records) = records {
                return Ok(records);
            }
        }
        self.records(kept.id).await
    }
}

/// Whether the records of a window are an unbroken chain.
fn is_sound(id: TableId, window: &Window) -> bool {
    first_break(id, &window.base().head, window.records().iter().map(|record| &**record)).is_none()
}
