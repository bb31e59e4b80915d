//! Reading a table: the folded state at hand, brought up to date by what the database has beyond it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use uuid::Uuid;

use crate::db::tables::events::EventRow;
use crate::db::tables::lists::{HolderRow, TableRow};
use crate::db::{Store, StoreError, retry_transient};
use crate::tables::history::recent_events::{HistoryView, LOG_MOVES, RecentEvents};
use crate::tables::state::record::{Digest, Record, first_break};
use crate::tables::state::table_state::{Status, TableState, Unfoldable};
use crate::tables::{PlayerId, TableId, Tables};
use wonderpost_rules::seed::{Secret, Seed};
use wonderpost_rules::{Level, Seat, Viewer};

/// What somebody is called who deleted their account.
pub const FORMER_PLAYER: &str = "a former player";

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

/// Who holds a seat.
#[derive(Clone, Debug)]
pub struct Holder {
    pub seat: Seat,
    pub player: Option<PlayerId>,
    pub name: String,
}

impl Holder {
    fn of_row(row: HolderRow) -> Option<Holder> {
        let seat = Seat::new(u8::try_from(row.seat).ok()?)?;
        let name = holder_name(seat, row.name, row.bot.as_deref());
        Some(Holder { seat, player: row.player_id.map(PlayerId), name })
    }
}

/// The name of whoever holds a seat.
pub fn name_of(holders: &[Holder], seat: Seat) -> String {
    let holder = holders.iter().find(|holder| holder.seat == seat);
    holder.map_or_else(|| format!("Seat {seat}"), |holder| holder.name.clone())
}

/// Replaces the marks for seats in log lines and texts by the names of their holders.
pub fn with_names(text: &str, holders: &[Holder]) -> String {
    with_written_names(text, holders, |name| name)
}

/// The same where names have to be written otherwise, as in HTML.
pub fn with_written_names(text: &str, holders: &[Holder], write: impl Fn(String) -> String) -> String {
    Seat::fill_marks(text, |seat| write(name_of(holders, seat)))
}

/// Those who hold the seats of tables.
pub type HoldersAt = HashMap<TableId, Vec<Holder>>;

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
        let rows = retry_transient(|| self.store.events_from(cached.id.0, cached.now.version)).await?;
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
        let projection = retry_transient(|| self.store.projection(id.0)).await?.ok_or(ReadError::NoTable)?;
        let latest = u32::try_from(projection.moves).unwrap_or(0);
        let first = first_in_log(latest);
        let last = LastEvent { version: projection.version, head: projection.head };
        let is_over = projection.status == Status::Over.name();
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
        };
        self.learn_who_sits(&mut cached).await?;
        let cached = Arc::new(cached);
        self.keep(cached.clone());
        Ok(cached)
    }

    /// Who holds the seats of a table, by the names they have now.
    pub async fn holders(&self, id: TableId) -> Result<Vec<Holder>, ReadError> {
        let ids = [id.0];
        let rows = retry_transient(|| self.store.holders(&ids)).await?;
        Ok(rows.into_iter().filter_map(Holder::of_row).collect())
    }

    /// Who holds the seats of tables, by the names they have now.
    pub async fn holders_at(&self, ids: &[Uuid]) -> Result<HoldersAt, StoreError> {
        let mut holders = HoldersAt::new();
        for row in retry_transient(|| self.store.holders(ids)).await? {
            let at = holders.entry(TableId(row.table_id)).or_default();
            at.extend(Holder::of_row(row));
        }
        Ok(holders)
    }

    async fn learn_who_sits(&self, cached: &mut CachedTable) -> Result<(), ReadError> {
        cached.holders = self.holders(cached.id).await?;
        if let Some(frame) = retry_transient(|| self.store.frame_of_table(cached.id.0)).await? {
            cached.opened_by = frame.opened_by.map(PlayerId);
            cached.link_token = frame.link_token;
        }
        let secret = retry_transient(|| self.store.secret_of_table(cached.id.0)).await?;
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
        if let Some(base) = self.last_checkpoint(source, id, room).await? {
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
                if CachedTable::checkpoint_due(end_of_move, folded) {
                    self.write_checkpoint(id, folded);
                }
                end_of_move = folded.version;
            }
        }
        self.metrics.folded(records.len(), started.elapsed());
        Ok(())
    }

    /// The table after a move, as a viewer may know it. Moves are counted as the viewer does.
    pub async fn table_at_move(
        &self,
        cached: &CachedTable,
        number: u32,
        viewer: Viewer,
    ) -> Result<HistoryView, ReadError> {
        let numbering = cached.now.numbering(viewer);
        if number > numbering.shown(cached.now.moves) {
            return Err(ReadError::NoMove);
        }
        let first = numbering.recorded(first_in_log(number));
        if cached.window.shows(first) {
            return Ok(cached.window.table_at_move(number, viewer, &numbering)?);
        }
        let until = numbering.recorded_until(number);
        let window = match self.window_from_standby(cached, first, until).await {
            Some(window) => window,
            None => self.load_window(&self.store, cached.id, first, Some(until)).await?,
        };
        let leaf = window.table_at_move(number, viewer, &numbering)?;
        // The database may have gone back since the table was read.
        if leaf.now.moves == until { Ok(leaf) } else { Err(ReadError::NoMove) }
    }

    /// The table as it is, as a viewer may know it.
    pub async fn table_now(&self, cached: &CachedTable, viewer: Viewer) -> Result<HistoryView, ReadError> {
        self.table_at_move(cached, cached.now.moves_for(viewer), viewer).await
    }

    /// All records of a table, from the first.
    pub async fn records(&self, id: TableId) -> Result<Vec<Record>, ReadError> {
        let rows = retry_transient(|| self.store.events_from(id.0, 0)).await?;
        if rows.is_empty() {
            return Err(ReadError::NoTable);
        }
        Ok(rows.into_iter().map(Record::try_from).collect::<Result<_, _>>()?)
    }
}

/// The first move of the log that goes with this one.
fn first_in_log(number: u32) -> u32 {
    (number + 1).saturating_sub(LOG_MOVES)
}

/// What whoever holds a seat is called: a player, a bot that plays so well, or neither any more.
fn holder_name(seat: Seat, name: Option<String>, bot: Option<&str>) -> String {
    match (name, bot.and_then(|bot| bot.parse().ok())) {
        (Some(name), _) => name,
        (None, Some(level)) => bot_name(seat, level),
        (None, None) => FORMER_PLAYER.to_owned(),
    }
}

/// The seats of a table in a list that are taken, and what their holders are called.
pub fn names_in_list(row: &TableRow) -> Vec<(Seat, String)> {
    let holders = row.taken.iter().zip(row.names.iter().zip(&row.bots));
    let named = holders.filter_map(|(seat, (name, bot))| {
        let seat = Seat::new(u8::try_from(*seat).ok()?)?;
        Some((seat, holder_name(seat, name.clone(), bot.as_deref())))
    });
    named.collect()
}

/// Those of them who are awaited.
pub fn awaited_in_list(row: &TableRow) -> Vec<String> {
    let is_awaited = |seat: Seat| row.awaiting.contains(&i16::from(seat.number()));
    names_in_list(row).into_iter().filter(|(seat, _)| is_awaited(*seat)).map(|(_, name)| name).collect()
}

/// The name of a bot: each seat has its own.
pub fn bot_name(seat: Seat, level: Level) -> String {
    const NAMES: [&str; Seat::MOST as usize] =
        ["Hatter", "March Hare", "Dormouse", "Gryphon", "Mock Turtle", "Duchess", "Dodo", "Caterpillar"];
    format!("{} ({} bot)", NAMES[seat.index()], level.name())
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
        Some(move_no) => retry_transient(|| source.events_until_move(id.0, seq, move_no)).await,
        None => retry_transient(|| source.events_from(id.0, seq)).await,
    }
}

fn records(rows: Vec<EventRow>) -> Result<Vec<Arc<Record>>, ReadError> {
    Ok(rows.into_iter().map(|row| Record::try_from(row).map(Arc::new)).collect::<Result<_, _>>()?)
}
