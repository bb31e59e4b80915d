//! Reading a table: the folded state at hand, brought up to date by what the database has beyond it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use uuid::Uuid;

use super::folded::{Folded, Status, Unfoldable};
use super::record::{Digest, Record, first_break};
use super::window::{LOG_MOVES, Leaf, Window};
use super::{PlayerId, TableId, Tables};
use crate::store::events::EventRow;
use crate::store::tables::{HolderRow, TableRow};
use crate::store::{Store, StoreError, patiently};
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

impl From<super::record::Damaged> for ReadError {
    fn from(damaged: super::record::Damaged) -> ReadError {
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
    Seat::fill_marks(text, |seat| name_of(holders, seat))
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
    fn is_that_of(&self, state: &Folded) -> bool {
        (self.version, &self.head[..]) == (state.version, &state.head[..])
    }

    /// Whether a window goes on to this event.
    pub(super) fn ends(&self, window: &Window) -> bool {
        let (seq, digest) = window.last_event();
        (seq, &digest[..]) == (self.version, &self.head[..])
    }
}

/// A table kept in memory.
#[derive(Clone)]
pub struct Kept {
    pub id: TableId,
    pub now: Folded,
    /// Who holds the seats.
    pub holders: Vec<Holder>,
    pub opened_by: Option<PlayerId>,
    /// Whoever has it is invited.
    pub link_token: Option<String>,
    /// `None` until the table has started.
    pub(super) seed: Option<Seed>,
    pub(super) secret: Option<Secret>,
    pub(super) window: Window,
}

impl Kept {
    /// The seat that a player holds.
    pub fn seat_of(&self, player: Option<PlayerId>) -> Option<Seat> {
        let player = player?;
        self.holders.iter().find(|holder| holder.player == Some(player)).map(|holder| holder.seat)
    }

    pub fn viewer(&self, player: Option<PlayerId>) -> Viewer {
        self.seat_of(player).map_or(Viewer::Public, Viewer::Seat)
    }

    /// What last came of something that a seat had a part in, since its holder last moved.
    pub fn sequel(&self, seat: Seat) -> Result<Option<String>, ReadError> {
        Ok(self.window.sequel(seat, self.now.clocks[seat.index()].last_move)?)
    }
}

impl Tables {
    /// A table as fresh as the database.
    pub async fn read(&self, id: TableId) -> Result<Arc<Kept>, ReadError> {
        match self.kept.get(&id) {
            Some(kept) => self.freshen(kept).await,
            None => self.load(id).await,
        }
    }

    /// A table with all that had happened when the database said that this was its last event.
    pub async fn read_from(&self, id: TableId, last: &LastEvent) -> Result<Arc<Kept>, ReadError> {
        match self.kept.get(&id) {
            Some(kept) if last.is_that_of(&kept.now) => Ok(kept),
            Some(kept) => self.freshen(kept).await,
            None => self.load(id).await,
        }
    }

    /// A table as this process last saw it, or as fresh as the database if it has not. Only for deciding what the
    /// database checks once more.
    pub(super) async fn recall(&self, id: TableId) -> Result<Arc<Kept>, ReadError> {
        match self.kept.get(&id) {
            Some(kept) => Ok(kept),
            None => self.load(id).await,
        }
    }

    pub(super) fn keep(&self, kept: Arc<Kept>) {
        // A slower request must not put an older state in the place of a newer one.
        if self.kept.peek(&kept.id).is_none_or(|there| there.now.version < kept.now.version) {
            self.kept.insert(kept.id, kept);
        }
    }

    pub(super) fn forget(&self, id: TableId) {
        self.kept.remove(&id);
    }

    async fn freshen(&self, kept: Arc<Kept>) -> Result<Arc<Kept>, ReadError> {
        let rows = patiently(|| self.store.events_from(kept.id.0, kept.now.version)).await?;
        let Some(records) = following(&kept.now, rows)?
            .filter(|records| first_break(kept.id, &kept.now.head, records.iter().map(|record| &**record)).is_none())
        else {
            return self.load_anew(&kept).await;
        };
        if records.is_empty() {
            return Ok(kept);
        }
        let mut fresh = Kept::clone(&kept);
        self.fold_on(kept.id, &mut fresh.now, &records)?;
        fresh.window.extend(records)?;
        if kept.now.status() == Status::Open {
            self.learn_who_sits(&mut fresh).await?;
        }
        let fresh = Arc::new(fresh);
        self.keep(fresh.clone());
        Ok(fresh)
    }

    /// Loads a table whose remembered state is not one that the database knows.
    async fn load_anew(&self, ghost: &Arc<Kept>) -> Result<Arc<Kept>, ReadError> {
        tracing::warn!(table = %ghost.id, "the database went back in time: the table is read anew");
        self.metrics.went_back();
        self.kept.remove_if(&ghost.id, |there| there.now.head == ghost.now.head);
        self.live.went_back(ghost.id);
        self.load(ghost.id).await
    }

    async fn load(&self, id: TableId) -> Result<Arc<Kept>, ReadError> {
        let projection = patiently(|| self.store.projection(id.0)).await?.ok_or(ReadError::NoTable)?;
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
        let mut kept =
            Kept { id, now, holders: Vec::new(), opened_by: None, link_token: None, seed: None, secret: None, window };
        self.learn_who_sits(&mut kept).await?;
        let kept = Arc::new(kept);
        self.keep(kept.clone());
        Ok(kept)
    }

    /// Who holds the seats of a table, by the names they have now.
    pub async fn holders(&self, id: TableId) -> Result<Vec<Holder>, ReadError> {
        let ids = [id.0];
        let rows = patiently(|| self.store.holders(&ids)).await?;
        Ok(rows.into_iter().filter_map(Holder::of_row).collect())
    }

    /// Who holds the seats of tables, by the names they have now.
    pub async fn holders_at(&self, ids: &[Uuid]) -> Result<HoldersAt, StoreError> {
        let mut holders = HoldersAt::new();
        for row in patiently(|| self.store.holders(ids)).await? {
            let at = holders.entry(TableId(row.table_id)).or_default();
            at.extend(Holder::of_row(row));
        }
        Ok(holders)
    }

    async fn learn_who_sits(&self, kept: &mut Kept) -> Result<(), ReadError> {
        kept.holders = self.holders(kept.id).await?;
        if let Some(frame) = patiently(|| self.store.frame_of_table(kept.id.0)).await? {
            kept.opened_by = frame.opened_by.map(PlayerId);
            kept.link_token = frame.link_token;
        }
        let secret = patiently(|| self.store.secret_of_table(kept.id.0)).await?;
        kept.secret = secret.as_deref().and_then(Secret::from_slice);
        kept.seed = match (&kept.secret, kept.now.status()) {
            (Some(secret), Status::Playing | Status::Over) => Some(kept.now.seed(secret)),
            _ => None,
        };
        Ok(())
    }

    /// Reads events from the last checkpoint before the first move of a log on, to the end or to the end of a move.
    pub(super) async fn load_window(
        &self,
        source: &Store,
        id: TableId,
        first: u32,
        until: Option<u32>,
    ) -> Result<Window, ReadError> {
        let room = i32::try_from(first.saturating_sub(1)).unwrap_or(i32::MAX);
        if let Some(base) = self.last_checkpoint(source, id, room).await? {
            let rows = rows_from(source, id, base.version, until).await?;
            // If the database went back since the checkpoint was read, it is of no use.
            if let Some(records) = following(&base, rows)? {
                self.report_break(id, &base.head, &records);
                return Ok(Window::new(base, records));
            }
        }
        let mut records = records(rows_from(source, id, 0, until).await?)?;
        if records.is_empty() {
            return Err(ReadError::NoTable);
        }
        self.report_break(id, &[0; 32], &records);
        let base = Folded::begin(&self.catalogue, &records.remove(0))?;
        Ok(Window::new(base, records))
    }

    /// Leaves a line in the log if the stored events of a table are no unbroken chain. Its players can still see and end it; checking it tells
    /// them.
    fn report_break(&self, id: TableId, head: &Digest, records: &[Arc<Record>]) {
        if let Some(seq) = first_break(id, head, records.iter().map(|record| &**record)) {
            tracing::error!(table = %id, seq, "the events of a table do not form a chain");
        }
    }

    /// Folds records that came from the database, and writes the checkpoints that are due on the way.
    fn fold_on(&self, id: TableId, folded: &mut Folded, records: &[Arc<Record>]) -> Result<(), ReadError> {
        let started = Instant::now();
        let mut end_of_move = folded.version;
        for (place, record) in records.iter().enumerate() {
            folded.fold(record)?;
            if records.get(place + 1).is_some_and(|next| next.move_no != record.move_no) {
                if Kept::checkpoint_due(end_of_move, folded) {
                    self.write_checkpoint(id, folded);
                }
                end_of_move = folded.version;
            }
        }
        self.metrics.folded(records.len(), started.elapsed());
        Ok(())
    }

    /// The table after a move, as a viewer may know it. Moves are counted as the viewer does.
    pub async fn leaf(&self, kept: &Kept, number: u32, viewer: Viewer) -> Result<Leaf, ReadError> {
        let numbering = kept.now.numbering(viewer);
        if number > numbering.shown(kept.now.moves) {
            return Err(ReadError::NoMove);
        }
        let first = numbering.recorded(first_in_log(number));
        if kept.window.shows(first) {
            return Ok(kept.window.leaf(number, viewer, &numbering)?);
        }
        let until = numbering.recorded_until(number);
        let window = match self.window_from_standby(kept, first, until).await {
            Some(window) => window,
            None => self.load_window(&self.store, kept.id, first, Some(until)).await?,
        };
        let leaf = window.leaf(number, viewer, &numbering)?;
        // The database may have gone back since the table was read.
        if leaf.now.moves == until { Ok(leaf) } else { Err(ReadError::NoMove) }
    }

    /// The table as it is, as a viewer may know it.
    pub async fn leaf_now(&self, kept: &Kept, viewer: Viewer) -> Result<Leaf, ReadError> {
        self.leaf(kept, kept.now.moves_for(viewer), viewer).await
    }

    /// All records of a table, from the first.
    pub async fn records(&self, id: TableId) -> Result<Vec<Record>, ReadError> {
        let rows = patiently(|| self.store.events_from(id.0, 0)).await?;
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
fn following(state: &Folded, rows: Vec<EventRow>) -> Result<Option<Vec<Arc<Record>>>, ReadError> {
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
        Some(move_no) => patiently(|| source.events_until_move(id.0, seq, move_no)).await,
        None => patiently(|| source.events_from(id.0, seq)).await,
    }
}

fn records(rows: Vec<EventRow>) -> Result<Vec<Arc<Record>>, ReadError> {
    Ok(rows.into_iter().map(|row| Record::try_from(row).map(Arc::new)).collect::<Result<_, _>>()?)
}
