//! When the holders of seats last looked at their tables.
//!
//! Nobody waits for it to be written: looks are kept in memory and written at once in the background, together where they come together.
//! Whoever asks this process for what depends on them waits until they are written.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::watch;

use crate::db::column_types::SeatNumber;
use crate::db::{Result, Store, retry_transient, time_budget};
use crate::tables::TableId;
use wonderpost_rules::Seat;

/// Whoever comes back after this time begins another visit.
const VISIT: TimeDelta = TimeDelta::minutes(10);

/// The pause before looks are written that could not be.
const PAUSE: Duration = Duration::from_secs(1);

/// The most looks that wait while the database cannot be written to. More are forgotten.
const MOST: usize = 10_000;

/// The most that anybody waits for looks to be written.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// What a seat's row says of its holder's looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatLook {
    /// Up to which move they knew the table when their visit began.
    pub known_before_visit: i32,
    /// The last move when they last looked.
    pub last_move: i32,
    pub last_at: Option<DateTime<Utc>>,
}

impl SeatLook {
    /// The same after another look.
    fn followed_by(self, last_move: i32, at: DateTime<Utc>) -> SeatLook {
        let goes_on = self.last_at.is_some_and(|last| last >= at - VISIT);
        let known_before_visit = if goes_on { self.known_before_visit } else { self.last_move };
        SeatLook { known_before_visit, last_move, last_at: Some(at) }
    }
}

/// When the holder of a seat last looked at its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastLook {
    /// Up to which move they knew the table when this visit began.
    pub moves: i32,
    /// When they last loaded its page.
    pub at: Option<DateTime<Utc>>,
}

type Batch = HashMap<(TableId, Seat), SeatLook>;

/// The looks that are not written yet.
#[derive(Default)]
pub(crate) struct Looks {
    waiting: Mutex<Waiting>,
    /// Whether somebody writes.
    writing: watch::Sender<bool>,
}

#[derive(Default)]
struct Waiting {
    next: Batch,
    /// Those that are being written.
    under_way: Batch,
    is_writing: bool,
}

impl Looks {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a look to those that the row and the ones that wait tell of. Gives back what its holder knew, and whether the caller has to
    /// begin to write.
    fn add(&self, place: (TableId, Seat), row: SeatLook, last_move: i32, at: DateTime<Utc>) -> (LastLook, bool) {
        let mut waiting = self.lock();
        let before = waiting.next.get(&place).or_else(|| waiting.under_way.get(&place)).copied().unwrap_or(row);
        let look = before.followed_by(last_move, at);
        if waiting.next.len() < MOST {
            waiting.next.insert(place, look);
        }
        let begins = !std::mem::replace(&mut waiting.is_writing, true);
        if begins {
            self.writing.send_replace(true);
        }
        (LastLook { moves: look.known_before_visit, at: before.last_at }, begins)
    }

    /// The looks to write next; none if all are written.
    fn take(&self) -> Batch {
        let mut waiting = self.lock();
        waiting.under_way = std::mem::take(&mut waiting.next);
        if waiting.under_way.is_empty() {
            self.stop(&mut waiting);
        }
        waiting.under_way.clone()
    }

    /// Nobody writes any more.
    fn stop(&self, waiting: &mut Waiting) {
        waiting.is_writing = false;
        self.writing.send_replace(false);
    }

    /// Those under way were not written: they wait again, unless there are newer ones.
    fn put_back(&self) -> MutexGuard<'_, Waiting> {
        let mut waiting = self.lock();
        for (place, look) in std::mem::take(&mut waiting.under_way) {
            waiting.next.entry(place).or_insert(look);
        }
        waiting
    }
}

impl Store {
    /// Notes that the holder of a seat looks at the table now, of whom its row says this; gives back what they knew of it.
    pub fn note_look(&self, table: TableId, seat: Seat, row: SeatLook, last_move: i32) -> LastLook {
        let (last, begins) = self.looks.add((table, seat), row, last_move, self.clock.now());
        if begins {
            tokio::spawn(write_looks(self.clone()));
        }
        last
    }

    /// Waits until all looks are written, as before asking what depends on them.
    pub async fn looks_written(&self) {
        let mut writing = self.looks.writing.subscribe();
        let _ = time_budget::limited(LONGEST_WAIT, writing.wait_for(|writing| !writing)).await;
    }

    /// Writes the looks that nobody writes any more, as when the service stops.
    pub(crate) async fn flush_looks(&self) {
        self.looks_written().await;
        let batch = self.looks.take();
        if !batch.is_empty()
            && let Err(error) = self.save_looks(&batch).await
        {
            tracing::warn!(%error, looks = batch.len(), "who looked at tables last could not be written");
        }
    }

    async fn save_looks(&self, looks: &Batch) -> Result<()> {
        let mut looks: Vec<_> = looks.iter().collect();
        // In one order everywhere, so that no two processes wait for each other.
        looks.sort_unstable_by_key(|(place, _)| **place);
        let tables: Vec<TableId> = looks.iter().map(|((table, _), _)| *table).collect();
        let seats: Vec<SeatNumber> = looks.iter().map(|((_, seat), _)| SeatNumber(*seat)).collect();
        let known: Vec<i32> = looks.iter().map(|(_, look)| look.known_before_visit).collect();
        let moves: Vec<i32> = looks.iter().map(|(_, look)| look.last_move).collect();
        let times: Vec<Option<DateTime<Utc>>> = looks.iter().map(|(_, look)| look.last_at).collect();
        // Nobody waits for the disk: what a crash loses is that somebody looked in the last moment before it.
        sqlx::query!(
            "with hastily as (select set_config('synchronous_commit', 'off', true))
             update seat set looked_move = given.looked_move, last_look_move = given.last_look_move, last_look_at = given.last_look_at
             from hastily, unnest($1::uuid[], $2::smallint[], $3::int[], $4::int[], $5::timestamptz[])
                 as given (table_id, seat, looked_move, last_look_move, last_look_at)
             where seat.table_id = given.table_id and seat.seat = given.seat
               and (seat.last_look_at is null or seat.last_look_at <= given.last_look_at)",
            &tables as _,
            &seats as _,
            &known,
            &moves,
            &times as &[Option<DateTime<Utc>>],
        )
        .execute(&self.lookups)
        .await?;
        Ok(())
    }
}

/// Somebody who writes. If that breaks off, as with the thread it is on, the next look begins anew.
struct Writing {
    looks: Arc<Looks>,
    is_done: bool,
}

impl Drop for Writing {
    fn drop(&mut self) {
        if !self.is_done {
            self.looks.stop(&mut self.looks.put_back());
        }
    }
}

/// Writes what waits until nothing does.
async fn write_looks(store: Store) {
    let mut writing = Writing { looks: store.looks.clone(), is_done: false };
    loop {
        let batch = store.looks.take();
        if batch.is_empty() {
            writing.is_done = true;
            return;
        }
        let Err(error) = retry_transient(|| store.save_looks(&batch)).await else { continue };
        if matches!(&*error.0, sqlx::Error::PoolClosed) {
            return;
        }
        tracing::warn!(%error, looks = batch.len(), "who looked at tables could not be written");
        drop(store.looks.put_back());
        tokio::time::sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEAT: Seat = Seat::FIRST;

    fn at(minute: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(minute)
    }

    #[test]
    fn a_visit_goes_on_until_its_player_has_been_away_for_a_while() {
        let row = SeatLook { known_before_visit: 1, last_move: 4, last_at: Some(at(0)) };
        assert_eq!(row.followed_by(6, at(9)).known_before_visit, 1);
        assert_eq!(row.followed_by(6, at(11)).known_before_visit, 4);
        assert_eq!(SeatLook::default().followed_by(6, at(11)).known_before_visit, 0);
    }

    #[test]
    fn a_look_that_waits_counts_more_than_the_row() {
        let (looks, place, row) = (Looks::default(), (TableId::fresh(), SEAT), SeatLook::default());
        assert_eq!(looks.add(place, row, 3, at(0)), (LastLook { moves: 0, at: None }, true));
        assert_eq!(looks.add(place, row, 5, at(20)), (LastLook { moves: 3, at: Some(at(0)) }, false));
        assert_eq!(looks.take().len(), 1);
        assert_eq!(looks.add(place, row, 8, at(21)), (LastLook { moves: 3, at: Some(at(20)) }, false));
    }

    #[test]
    fn what_could_not_be_written_waits_again_behind_what_is_newer() {
        let (looks, one, other) = (Looks::default(), (TableId::fresh(), SEAT), (TableId::fresh(), SEAT));
        looks.add(one, SeatLook::default(), 3, at(0));
        looks.add(other, SeatLook::default(), 4, at(0));
        looks.take();
        looks.add(one, SeatLook::default(), 7, at(1));
        drop(looks.put_back());
        let batch = looks.take();
        assert_eq!((batch[&one].last_move, batch[&other].last_move), (7, 4));
        assert!(looks.take().is_empty());
    }
}
