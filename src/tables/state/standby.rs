//! Reading what is finished from a standby, if there is one.

use std::sync::Arc;

use crate::db::standby::Standby;
use crate::db::tables::lists::{ArchiveSearch, TableRow};
use crate::db::{StoreError, retry_transient};
use crate::tables::history::recent_events::RecentEvents;
use crate::tables::state::load::LastEvent;
use crate::tables::state::record::{Record, first_break};
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, ReadError, TableId, Tables};

impl Tables {
    /// The same tables, with a standby to read finished games and history from.
    pub fn reading_from(self, standby: Option<Arc<Standby>>) -> Tables {
        Tables { standby, ..self }
    }

    /// Finished public games, the latest first. The list is never older than what anybody has seen when they ask for it.
    pub async fn finished_tables(&self, search: &ArchiveSearch<'_>) -> Result<Vec<TableRow>, StoreError> {
        if let Some(standby) = self.standby.as_ref().filter(|standby| !standby.is_resting()) {
            // Whatever anybody has seen was written before.
            let position = retry_transient(|| self.store.log_position()).await?;
            let rows = standby.ask_behind(position, |store| store.finished_tables(search)).await;
            self.metrics.asked_standby(rows.is_some());
            if let Some(rows) = rows {
                return Ok(rows);
            }
        }
        retry_transient(|| self.store.finished_tables(search)).await
    }

    /// The window of a finished table from the standby, if it has the table to its end.
    pub(crate) async fn whole_window_from_standby(
        &self,
        id: TableId,
        first: u32,
        last: &LastEvent,
    ) -> Option<RecentEvents> {
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
    pub(crate) async fn window_from_standby(
        &self,
        cached: &CachedTable,
        first: u32,
        until: u32,
    ) -> Option<RecentEvents> {
        let standby = self.standby.as_ref()?;
        let (id, now) = (cached.id, &cached.now);
        let window = standby
            .ask(async |store| {
                if !store.has_event(id, now.version, &now.head).await? {
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
    pub(crate) async fn records_of(&self, cached: &CachedTable) -> Result<Vec<Record>, ReadError> {
        let standby = self.standby.as_ref().filter(|_| cached.now.status() == Status::Over);
        if let Some(standby) = standby {
            let ends_there = |records: &Vec<Record>| {
                records.last().is_some_and(|last| (last.seq, last.digest) == (cached.now.version, cached.now.head))
                    && first_break(cached.id, &[0; 32], records).is_none()
            };
            let records = standby
                .ask(async |store| {
                    let rows = store.events_from(cached.id, 0).await?;
                    let records = rows.into_iter().map(Record::try_from).collect::<Result<Vec<_>, _>>()?;
                    Result::<_, ReadError>::Ok(Some(records).filter(ends_there))
                })
                .await;
            self.metrics.asked_standby(records.is_some());
            if let Some(records) = records {
                return Ok(records);
            }
        }
        self.records(cached.id).await
    }
}

/// Whether the records of a window are an unbroken chain.
fn is_sound(id: TableId, window: &RecentEvents) -> bool {
    first_break(id, &window.base().head, window.records().iter().map(|record| &**record)).is_none()
}
