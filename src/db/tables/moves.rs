//! The moves of players, written down together where they come together.
//!
//! A statement costs the database more than what it does for one move: it is set up, its transaction waits for the disk, and processes
//! are woken. So while moves are being written the next ones wait, and go with one statement as soon as that is done, or as soon as there are
//! some: while one statement waits for the disk the database works at another. A move that comes alone goes at once.

use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use tokio::sync::oneshot;

use crate::db::column_types::SeatNumber;
use crate::db::statement_count::count_statement;
use crate::db::tables::append::{Append, Columns};
use crate::db::{Connection, Result, Store, in_time, time_budget};
use crate::tables::TableId;

/// The most moves in one batch.
const MOST: usize = 64;

/// The most statements in flight.
const MOST_STATEMENTS: usize = 2;

/// How many moves have to wait before another statement is begun for them.
const SOME: usize = 2;

/// The moves that wait to be written.
#[derive(Default)]
pub(crate) struct MoveBatcher(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    moves: Vec<Move>,
    /// How many writers are at work, which will look again when they are done.
    writing: usize,
}

struct Move {
    append: Append,
    /// Whether it was stored.
    answer: oneshot::Sender<Result<bool>>,
}

impl MoveBatcher {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a move. Whether somebody else has to begin to write.
    fn add(&self, one: Move) -> bool {
        let mut waiting = self.lock();
        waiting.moves.push(one);
        let begins = waiting.writing == 0 || (waiting.writing < MOST_STATEMENTS && waiting.moves.len() >= SOME);
        waiting.writing += usize::from(begins);
        begins
    }

    /// The moves that go next, at most one a table; if there are none, one less is writing.
    fn next(&self) -> Vec<Move> {
        let mut waiting = self.lock();
        let mut next: Vec<Move> = Vec::with_capacity(waiting.moves.len());
        for one in std::mem::take(&mut waiting.moves) {
            let fits = next.len() < MOST && next.iter().all(|other| other.append.table != one.append.table);
            if fits { next.push(one) } else { waiting.moves.push(one) }
        }
        waiting.writing -= usize::from(next.is_empty());
        next
    }
}

/// Somebody who writes. If that breaks off, those who wait are told, and the next move begins anew.
struct Writing {
    gathering: Arc<MoveBatcher>,
    is_done: bool,
}

impl Drop for Writing {
    fn drop(&mut self) {
        if !self.is_done {
            let mut waiting = self.gathering.lock();
            waiting.writing -= 1;
            waiting.moves.clear();
        }
    }
}

impl Store {
    /// Stores a move with those that come at the same time. Goes on to do so if the caller does not wait.
    pub(crate) async fn gather(&self, append: Append) -> Result<bool> {
        // Sent by somebody else, for this and other moves.
        count_statement();
        let (answer, answered) = oneshot::channel();
        if self.gathering.add(Move { append, answer }) {
            let writing = Writing { gathering: self.gathering.clone(), is_done: false };
            tokio::spawn(self.clone().write_gathered(writing));
        }
        // If there is no answer in time it may be stored yet: the same form sent again tells.
        in_time(async { answered.await.unwrap_or_else(|_| Err(sqlx::Error::WorkerCrashed.into())) }).await
    }

    async fn write_gathered(self, mut writing: Writing) {
        loop {
            let mut moves = writing.gathering.next();
            if moves.is_empty() {
                writing.is_done = true;
                return;
            }
            // In one order everywhere, so that no two statements wait for each other.
            moves.sort_unstable_by_key(|one| one.append.table);
            match self.write_moves(&moves.iter().map(|one| &one.append).collect::<Vec<_>>()).await {
                Ok(stored) => {
                    for Move { append, answer } in moves {
                        // Whoever asked may be gone.
                        let _ = answer.send(Ok(stored.contains(&append.table)));
                    }
                }
                // One of them is at fault, and the others must not suffer from it.
                Err(error) if moves.len() > 1 && error.is_of_statement() => {
                    for one in moves {
                        tokio::spawn(self.clone().write_alone(one));
                    }
                }
                Err(error) => {
                    for Move { answer, .. } in moves {
                        let _ = answer.send(Err(error.clone()));
                    }
                }
            }
        }
    }

    async fn write_alone(self, Move { append, answer }: Move) {
        let stored = self.write_moves(&[&append]).await;
        let _ = answer.send(stored.map(|stored| !stored.is_empty()));
    }

    /// Others wait until this is done, so it has as little time as a request.
    async fn write_moves(&self, moves: &[&Append]) -> Result<Vec<TableId>> {
        time_budget::within(time_budget::REQUEST, async {
            append_moves(&mut *self.lookups.acquire().await?, moves).await
        })
        .await
    }
}

/// Stores moves, at most one a table, in one statement. Gives back the tables that were moved on: those at which nobody moved in between and
/// the caller holds the seat. Who holds it must be the one of whom the session, the token or the reply is, and not suspended.
pub(crate) async fn append_moves(connection: &mut Connection, moves: &[&Append]) -> Result<Vec<TableId>> {
    fn column<T>(moves: &[&Append], of: impl Fn(&Append) -> T) -> Vec<T> {
        moves.iter().map(|one| of(one)).collect()
    }
    let callers = moves.iter().filter_map(|one| one.caller.as_ref());
    let (seats, tokens): (Vec<SeatNumber>, Vec<&[u8]>) =
        callers.map(|(seat, token)| (SeatNumber(*seat), token.as_slice())).unzip();
    let mut events = Columns::default();
    let (mut tables_of_events, mut tables_of_letters) = (Vec::new(), Vec::new());
    let (mut kinds, mut players) = (Vec::new(), Vec::new());
    for one in moves {
        events.add(&one.events);
        tables_of_events.resize(events.seqs.len(), one.table);
        kinds.extend(one.notices.iter().map(|notice| notice.kind));
        players.extend(one.notices.iter().map(|notice| notice.player));
        tables_of_letters.resize(kinds.len(), one.table);
    }
    // Lists of lists must be even, so those go as text. A table that is to be seen to later than before is still looked at when it was to be,
    // and put off then: so a move changes nothing that an index is about, and its row is written in place.
    let stored = sqlx::query_scalar!(
        r#"with moved as (
             update game_table
             set status = given.status, version = given.version, moves = given.moves, awaiting = given.awaiting::smallint[],
                 standing = given.standing::bigint[], moved_at = given.moved_at, deadlines = given.deadlines::timestamptz[],
                 due = case when game_table.due <= given.due then game_table.due else given.due end,
                 over_at = given.over_at, kept = given.kept::smallint[], head = given.head
             from unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::int[], $6::text[], $7::text[], $8::timestamptz[],
                         $9::text[], $10::timestamptz[], $11::timestamptz[], $12::text[], $13::smallint[], $14::bytea[], $25::bytea[], $26::bytea[],
                         $27::timestamptz[])
                 as given (id, expected, status, version, moves, awaiting, standing, at, deadlines, due, over_at, kept, seat, token, head, expected_head,
                           moved_at),
                 seat
             where game_table.id = given.id and game_table.version = given.expected
               and coalesce(game_table.head, (select digest from event where table_id = given.id and seq = given.expected))
                   = given.expected_head
               and seat.table_id = given.id and seat.seat = given.seat
               and seat.player_id = coalesce(
                   (select player_id from session where token_digest = given.token and expires_at > now()),
                   (select player_id from api_token where token_digest = given.token),
                   (select player_id from inbox where digest = given.token))
               and not exists (select from suspension where suspension.player_id = seat.player_id)
             returning game_table.id, given.moves, given.at
         ), written as (
             insert into letter (kind, player_id, table_id, move_no, written_at, send_after)
             select given.kind, given.player_id, id, moves, at, at
             from moved join unnest($15::uuid[], $16::text[], $17::uuid[]) as given (id, kind, player_id) using (id)
         ), recorded as (
             insert into event (table_id, seq, move_no, seat, at, kind, body, digest)
             select id, given.seq, given.move_no, given.seat, at, given.kind, given.body::json, given.digest
             from moved join unnest($18::uuid[], $19::bigint[], $20::int[], $21::smallint[], $22::text[], $23::text[], $24::bytea[])
                 as given (id, seq, move_no, seat, kind, body, digest) using (id)
         )
         select id as "id!: TableId" from moved"#,
        &column(moves, |one| one.table) as _,
        &column(moves, |one| one.expected_version),
        &column(moves, |one| one.projection.status) as _,
        &column(moves, |one| one.projection.version),
        &column(moves, |one| one.projection.moves),
        &column(moves, |one| list(one.projection.awaiting.numbers())),
        &column(moves, |one| list(one.projection.standing.iter())),
        &column(moves, |one| one.at),
        &column(moves, |one| list(one.projection.deadlines.iter().map(time))),
        &column(moves, |one| one.projection.due) as &[Option<DateTime<Utc>>],
        &column(moves, |one| one.projection.over_at) as &[Option<DateTime<Utc>>],
        &column(moves, |one| list(one.projection.kept.numbers())),
        &seats as _,
        &tokens as &[&[u8]],
        &tables_of_letters as _,
        &kinds as _,
        &players as _,
        &tables_of_events as _,
        &events.seqs,
        &events.moves,
        &events.seats as _,
        &events.kinds as &[&str],
        &events.bodies as &[&str],
        &events.digests as &[&[u8]],
        &column(moves, |one| one.projection.head.clone()),
        &column(moves, |one| one.expected_head.to_vec()),
        &column(moves, |one| one.moved_at),
    )
    .fetch_all(connection)
    .await?;
    Ok(stored)
}

/// An array as Postgres writes it.
fn list<T: Display>(items: impl Iterator<Item = T>) -> String {
    let items: Vec<String> = items.map(|item| item.to_string()).collect();
    format!("{{{}}}", items.join(","))
}

fn time(time: &Option<DateTime<Utc>>) -> String {
    time.map_or("NULL".to_owned(), |time| time.to_rfc3339())
}
