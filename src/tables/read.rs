//! Reading a table: the folded state at hand, brought up to date by what the database has beyond it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::folded::{Folded, Status, Unfoldable};
use super::record::Record;
use super::window::{LOG_MOVES, Leaf, Window};
use super::{PlayerId, TableId, Tables};
use crate::rules::seed::{Secret, Seed};
use crate::rules::{Level, Seat, Viewer};
use crate::store::checkpoints::CheckpointRow;
use crate::store::events::EventRow;
use crate::store::tables::{HolderRow, TableRow};
use crate::store::{StoreError, patiently};

/// What somebody is called who deleted their account.
pub const FORMER_PLAYER: &str = "a former player";

/// A checkpoint is written whenever so many events have come.
const CHECKPOINT_EVENTS: i64 = 64;

/// Which build of the rules reads and writes checkpoints.
pub const SHAPE: &str = env!("WONDERPOST_SHAPE");

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

/// Those who hold the seats of tables.
pub type HoldersAt = HashMap<TableId, Vec<Holder>>;

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

    /// Whether a checkpoint is due between these two versions.
    pub(super) fn checkpoint_due(before: i64, after: &Folded) -> bool {
        before / CHECKPOINT_EVENTS != after.version / CHECKPOINT_EVENTS && after.status() == Status::Playing
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

    /// A table with all that had happened when the database said that it was at this version.
    pub async fn read_from(&self, id: TableId, version: i64) -> Result<Arc<Kept>, ReadError> {
        match self.kept.get(&id) {
            Some(kept) if kept.now.version >= version => Ok(kept),
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
        let rows = patiently(|| self.store.events_after(kept.id.0, kept.now.version)).await?;
        if rows.is_empty() {
            return Ok(kept);
        }
        let records = records(rows)?;
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

    async fn load(&self, id: TableId) -> Result<Arc<Kept>, ReadError> {
        let projection = patiently(|| self.store.projection(id.0)).await?.ok_or(ReadError::NoTable)?;
        let latest = u32::try_from(projection.moves).unwrap_or(0);
        let window = self.load_window(id, latest, true).await?;
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

    /// Reads the events around a move, from the last checkpoint that leaves room for the log; all that follow it, too, if asked.
    async fn load_window(&self, id: TableId, move_no: u32, to_the_end: bool) -> Result<Window, ReadError> {
        let room = i32::try_from(move_no.saturating_sub(LOG_MOVES)).unwrap_or(i32::MAX);
        let checkpoint = patiently(|| self.store.checkpoint_before(id.0, room, SHAPE)).await?;
        let base = checkpoint.and_then(|row| self.believe(&row));
        let from = base.as_ref().map_or(0, |base| base.version);
        let rows = if to_the_end {
            patiently(|| self.store.events_after(id.0, from)).await?
        } else {
            patiently(|| self.store.events_until_move(id.0, from, i32::try_from(move_no).unwrap_or(i32::MAX))).await?
        };
        let mut records = records(rows)?;
        let base = match base {
            Some(base) => base,
            None if records.is_empty() => return Err(ReadError::NoTable),
            None => Folded::begin(&self.catalogue, &records.remove(0))?,
        };
        Ok(Window::new(base, records))
    }

    /// The state of a checkpoint, if it is what was written there when the table stood so.
    fn believe(&self, row: &CheckpointRow) -> Option<Folded> {
        let state = Folded::read(&self.catalogue, &row.state)
            .filter(|state| state.version == row.seq && state.head[..] == row.head[..])
            .filter(|_| checkpoint_digest(&row.head, &row.state)[..] == row.digest[..]);
        if state.is_none() {
            tracing::warn!(seq = row.seq, "a checkpoint is damaged, and not used");
        }
        state
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

    /// Writes a checkpoint in the background. If that fails nothing is lost but time.
    pub(super) fn write_checkpoint(&self, id: TableId, folded: &Folded) {
        let (store, state) = (self.store.clone(), folded.write());
        let (version, moves) = (folded.version, folded.moves as i32);
        let digest = checkpoint_digest(&folded.head, &state);
        tokio::spawn(async move {
            if let Err(error) = store.keep_checkpoint(id.0, version, moves, SHAPE, &state, &digest).await {
                tracing::warn!(%error, "a checkpoint was not written");
            }
        });
    }

    /// The table after a move, as a viewer may know it.
    pub async fn leaf(&self, kept: &Kept, move_no: u32, viewer: Viewer) -> Result<Leaf, ReadError> {
        if move_no > kept.now.moves {
            return Err(ReadError::NoMove);
        }
        if kept.window.shows(move_no) {
            return Ok(kept.window.leaf(move_no, viewer)?);
        }
        let window = self.load_window(kept.id, move_no, false).await?;
        Ok(window.leaf(move_no, viewer)?)
    }

    /// All records of a table, from the first.
    pub async fn records(&self, id: TableId) -> Result<Vec<Record>, ReadError> {
        let rows = patiently(|| self.store.events_after(id.0, 0)).await?;
        if rows.is_empty() {
            return Err(ReadError::NoTable);
        }
        Ok(rows.into_iter().map(Record::try_from).collect::<Result<_, _>>()?)
    }
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

/// Binds a state to the chain of events that it comes from.
fn checkpoint_digest(head: &[u8], state: &str) -> [u8; 32] {
    Sha256::new().chain_update(head).chain_update(state).finalize().into()
}

fn records(rows: Vec<EventRow>) -> Result<Vec<Arc<Record>>, ReadError> {
    Ok(rows.into_iter().map(|row| Record::try_from(row).map(Arc::new)).collect::<Result<_, _>>()?)
}
