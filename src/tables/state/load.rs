//! Reading a table: the folded state at hand, brought up to date by what the database has beyond it.

use std::sync::Arc;
use std::time::Instant;

use crate::db::tables::events::EventRow;
use crate::db::{Store, StoreError, retry_transient};
use crate::tables::history::look_back::{PresentViews, first_in_log};
use crate::tables::history::recent_events::RecentEvents;
use crate::tables::state::record::{Digest, Record, first_break};
use crate::tables::state::table_state::{Status, TableState, Unfoldable};
use crate::tables::{Holder, PlayerId, TableId, Tables};
use wonderpost_rules::seed::{Secret, Seed};
use wonderpost_rules::{Seat, Viewer};

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("there is no such table")]
    NoTable,
    #[error("there is no such move")]
    NoMove,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Unfoldable(#[from] Unfoldable),
}

impl From<crate::tables::state::record::Damaged> for ReadError {
    fn from(damaged: crate::tables::state::record::Damaged) -> ReadError {
        ReadError::Unfoldable(damaged.into())
    }
}

/// The last event of a table, as its row names it.
#[derive(Clone, Debug)]
pub struct LastEvent {
    pub version: i64,
    pub head: Vec<u8>,
}

impl LastEvent {
    fn is_that_of(&self, state: &TableState) -> bool {
        (self.version, &self.head[..]) == (state.version, &state.head[..])
    }

    /// Whether a window goes on to this event.
    pub(crate) fn ends(&self, window: &RecentEvents) -> bool {
        let (seq, digest) = window.last_event();
        (seq, &digest[..]) == (self.version, &self.head[..])
    }
}

/// A table kept in memory.
#[derive(Clone)]
pub struct CachedTable {
    pub id: TableId,
    pub now: TableState,
    /// Who holds the seats.
    pub holders: Vec<Holder>,
    pub opened_by: Option<PlayerId>,
    /// Whoever has it is invited.
    pub link_token: Option<String>,
    /// `None` until the table has started.
    pub(crate) seed: Option<Seed>,
    pub(crate) secret: Option<Secret>,
    pub(crate) window: RecentEvents,
    /// What viewers were last shown; goes along from one state of the table to the next.
    pub(crate) views: Arc<PresentViews>,
}

impl CachedTable {
    /// The seat that a player holds.
    pub fn seat_of(&self, player: Option<PlayerId>) -> Option<Seat> {
        let player = player?;
        self.holders.iter().find(|holder| holder.player == Some(player)).map(|holder| holder.seat)
    }

    pub fn viewer(&self, player: Option<PlayerId>) -> Viewer {
        self.seat_of(player).map_or(Viewer::Public, Viewer::Seat)
    }

    /// What last came of something that a seat had a part in, since its holder last moved.
    pub fn aftermath(&self, seat: Seat) -> Result<Option<String>, ReadError> {
        Ok(self.window.aftermath(seat, self.now.clocks[seat.index()].last_move)?)
    }
}

impl Tables {
    /// A table as fresh as the database.
    pub async fn load_fresh(&self, id: TableId) -> Result<Arc<CachedTable>, ReadError> {
        match self.cache.get(&id) {
            Some(cached) => self.refresh(cached).await,
            None => self.load(id).await,
        }
    }

    /// A table with all that had happened when the database said that this was its last event.
    pub async fn read_from(&self, id: TableId, last: &LastEvent) -> Result<Arc<CachedTable>, ReadError> {
        match self.cache.get(&id) {
            Some(cached) if last.is_that_of(&cached.now) => Ok(cached),
            Some(cached) => self.refresh(cached).await,
            None => self.load(id).await,
        }
    }

    /// A table as this process last saw it, or as fresh as the database if it has not. Only for deciding what the
    /// database checks once more.
    pub(crate) async fn cached(&self, id: TableId) -> Result<Arc<CachedTable>, ReadError> {
        match self.cache.get(&id) {
            Some(cached) => Ok(cached),
            None => self.load(id).await,
        }
    }

    pub(crate) fn keep(&self, cached: Arc<CachedTable>) {
        // A slower request must not put an older state in the place of a newer one.
        if self.cache.peek(&cached.id).is_none_or(|there| there.now.version < cached.now.version) {
            self.cache.insert(cached.id, cached);
        }
    }

    pub(crate) fn forget(&self, id: TableId) {
        self.cache.remove(&id);
    }

    async fn refresh(&self, cached: Arc<CachedTable>) -> Result<Arc<CachedTable>, ReadError> {
        let rows = retry_transient(|| self.store.events_from(cached.id, cached.now.version)).await?;
        let Some(records) = following(&cached.now, rows)?.filter(|records| {
            first_break(cached.id, &cached.now.head, records.iter().map(|record| &**record)).is_none()
        }) else {
            return self.load_anew(&cached).await;
        };
        if records.is_empty() {
            return Ok(cached);
        }
        let mut fresh = CachedTable::clone(&cached);
        self.fold_on(cached.id, &mut fresh.now, &records)?;
        fresh.window.extend(records)?;
        if cached.now.status() == Status::Open {
            self.learn_who_sits(&mut fresh).await?;
        }
        let fresh = Arc::new(fresh);
        self.keep(fresh.clone());
        Ok(fresh)
    }

    /// Loads a table whose remembered state is not one that the database knows.
    async fn load_anew(&self, ghost: &Arc<CachedTable>) -> Result<Arc<CachedTable>, ReadError> {
        tracing::warn!(table = %ghost.id, "the database went back in time: the table is read anew");
        self.metrics.went_back();
        self.cache.remove_if(&ghost.id, |there| there.now.head == ghost.now.head);
        self.live.went_back(ghost.id);
        self.load(ghost.id).await
    }

    async fn load(&self, id: TableId) -> Result<Arc<CachedTable>, ReadError> {
        let projection = retry_transient(|| self.store.projection(id)).await?.ok_or(ReadError::NoTable)?;
        let latest = u32::try_from(projection.moves).unwrap_or(0);
        let first = first_in_log(latest);
        let last = LastEvent { version: projection.version, head: projection.head };
        let is_over = projection.status == Status::Over;
        let read = if is_over { self.whole_window_from_standby(id, first, &last).await } else { None };
        let window = match read {
            Some(window) => window,
            None => self.load_window(&self.store, id, first, None).await?,
        };
        let mut now = window.base().clone();
        self.fold_on(id, &mut now, window.records())?;
        let mut cached = CachedTable {
            id,
            now,
            holders: Vec::new(),
            opened_by: None,
            link_token: None,
            seed: None,
            secret: None,
            window,
            views: Arc::default(),
        };
        self.learn_who_sits(&mut cached).await?;
        let cached = Arc::new(cached);
        self.keep(cached.clone());
        Ok(cached)
    }

    async fn learn_who_sits(&self, cached: &mut CachedTable) -> Result<(), ReadError> {
        cached.holders = self.holders(cached.id).await?;
        if let Some(frame) = retry_transient(|| self.store.frame_of_table(cached.id)).await? {
            cached.opened_by = frame.opened_by;
            cached.link_token = frame.link_token;
        }
        let secret = retry_transient(|| self.store.secret_of_table(cached.id)).await?;
        cached.secret = secret.as_deref().and_then(Secret::from_slice);
        cached.seed = match (&cached.secret, cached.now.status()) {
            (Some(secret), Status::Playing | Status::Over) => Some(cached.now.seed(secret)),
            _ => None,
        };
        Ok(())
    }

    /// Reads events from the last snapshot before the first move of a log on, to the end or to the end of a move.
    pub(crate) async fn load_window(
        &self,
        source: &Store,
        id: TableId,
        first: u32,
        until: Option<u32>,
    ) -> Result<RecentEvents, ReadError> {
        let room = i32::try_from(first.saturating_sub(1)).unwrap_or(i32::MAX);
        if let Some(base) = self.last_snapshot(source, id, room).await? {
            let rows = rows_from(source, id, base.version, until).await?;
            // If the database went back since the snapshot was read, it is of no use.
            if let Some(records) = following(&base, rows)? {
                self.report_break(id, &base.head, &records);
                return Ok(RecentEvents::new(base, records));
            }
        }
        let mut records = records(rows_from(source, id, 0, until).await?)?;
        if records.is_empty() {
            return Err(ReadError::NoTable);
        }
        self.report_break(id, &[0; 32], &records);
        let base = TableState::begin(&self.catalogue, &records.remove(0))?;
        Ok(RecentEvents::new(base, records))
    }

    /// Leaves a line in the log if the stored events of a table are no unbroken chain. Its players can still see and end it; checking it tells
    /// them.
    fn report_break(&self, id: TableId, head: &Digest, records: &[Arc<Record>]) {
        if let Some(seq) = first_break(id, head, records.iter().map(|record| &**record)) {
            tracing::error!(table = %id, seq, "the events of a table do not form a chain");
        }
    }

    /// Folds records that came from the database, and writes the snapshots that are due on the way.
    fn fold_on(&self, id: TableId, folded: &mut TableState, records: &[Arc<Record>]) -> Result<(), ReadError> {
        let started = Instant::now();
        let mut end_of_move = folded.version;
        for (place, record) in records.iter().enumerate() {
            folded.fold(record)?;
            if records.get(place + 1).is_some_and(|next| next.move_no != record.move_no) {
                if CachedTable::snapshot_due(end_of_move, folded) {
                    self.write_snapshot(id, folded);
                }
                end_of_move = folded.version;
            }
        }
        self.metrics.folded(records.len(), started.elapsed());
        Ok(())
    }

    /// All records of a table, from the first.
    pub async fn records(&self, id: TableId) -> Result<Vec<Record>, ReadError> {
        let rows = retry_transient(|| self.store.events_from(id, 0)).await?;
        if rows.is_empty() {
            return Err(ReadError::NoTable);
        }
        Ok(rows.into_iter().map(Record::try_from).collect::<Result<_, _>>()?)
    }
}

/// The events after a state; `None` if the event that it stands after is not among the rows that begin there.
fn following(state: &TableState, rows: Vec<EventRow>) -> Result<Option<Vec<Arc<Record>>>, ReadError> {
    let mut records = records(rows)?;
    if records.first().is_none_or(|first| (first.seq, first.digest) != (state.version, state.head)) {
        return Ok(None);
    }
    records.remove(0);
    Ok(Some(records))
}

/// The events of a table from one on, up to the end of a move if asked.
async fn rows_from(source: &Store, id: TableId, seq: i64, until: Option<u32>) -> Result<Vec<EventRow>, StoreError> {
    match until.map(|move_no| i32::try_from(move_no).unwrap_or(i32::MAX)) {
        Some(move_no) => retry_transient(|| source.events_until_move(id, seq, move_no)).await,
        None => retry_transient(|| source.events_from(id, seq)).await,
    }
}

fn records(rows: Vec<EventRow>) -> Result<Vec<Arc<Record>>, ReadError> {
    Ok(rows.into_iter().map(|row| Record::try_from(row).map(Arc::new)).collect::<Result<_, _>>()?)
}
