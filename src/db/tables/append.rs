//! The statements that open tables and move them on.

use chrono::{DateTime, NaiveDate, Utc};

use crate::db::column_types::SeatNumber;
use crate::db::host::log::{NewDeed, write_deed};
use crate::db::host::players::tell_seated;
use crate::db::tables::lists::Projection;
use crate::db::tables::moves::append_moves;
use crate::db::tables::plans::{AnswerChange, change_answers};
use crate::db::{Connection, Result, Store};
use crate::mail::Kind;
use crate::tables::state::table_state::Status;
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::{Level, Seat};

/// An event to be appended.
pub struct NewEvent {
    pub seq: i64,
    pub move_no: i32,
    pub seat: Option<Seat>,
    pub kind: String,
    pub body: String,
    pub digest: [u8; 32],
}

/// Who takes a seat: a player, or a bot that plays so well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sitting {
    pub seat: Seat,
    pub player: Option<PlayerId>,
    pub bot: Option<Level>,
}

/// A letter about a table: to whom, and of which kind. Its words are made when it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub kind: Kind,
    pub player: PlayerId,
}

/// A table to be opened.
pub struct NewTable<'a> {
    pub id: TableId,
    pub game: &'a str,
    pub seats: i16,
    pub private: bool,
    pub opened_by: Option<PlayerId>,
    pub link_token: &'a str,
    pub day: Option<NaiveDate>,
    /// The table that it plays again.
    pub rematch_of: Option<TableId>,
    /// None if chance comes from the day's secret.
    pub secret: Option<&'a [u8]>,
    pub sitting: &'a [Sitting],
    pub at: DateTime<Utc>,
    pub events: &'a [NewEvent],
    pub projection: &'a Projection,
}

/// Events that move a table on from the event behind which they were decided, and what goes with them.
pub struct Append {
    pub table: TableId,
    pub expected_version: i64,
    /// The digest of the event at that version: another line of events may have as many.
    pub expected_head: [u8; 32],
    pub at: DateTime<Utc>,
    /// When something last happened that everybody knows of.
    pub moved_at: DateTime<Utc>,
    pub events: Vec<NewEvent>,
    pub projection: Projection,
    /// The seat that acts and the session (or token, or reply) that must hold it; nobody if the house acts itself.
    pub caller: Option<(Seat, [u8; 32])>,
    /// Who sits down.
    pub sitting: Vec<Sitting>,
    /// Who stands up.
    pub standing_up: Option<Seat>,
    pub notices: Vec<Notice>,
    /// Answers in advance that were left, used up or dropped.
    pub answers: Vec<AnswerChange>,
    /// What the host did, if it was the host.
    pub deed: Option<NewDeed>,
}

/// What became of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    Stored,
    /// Somebody else moved first; nothing was written.
    Overtaken,
    /// The session does not hold the seat (any more); nothing was written.
    NotSeated,
}

/// The columns of events, as arrays for one statement.
#[derive(Default)]
pub(crate) struct Columns<'a> {
    pub seqs: Vec<i64>,
    pub moves: Vec<i32>,
    pub seats: Vec<Option<SeatNumber>>,
    pub kinds: Vec<&'a str>,
    pub bodies: Vec<&'a str>,
    pub digests: Vec<&'a [u8]>,
}

impl<'a> Columns<'a> {
    fn of(events: &'a [NewEvent]) -> Columns<'a> {
        let mut columns = Columns::default();
        columns.add(events);
        columns
    }

    pub fn add(&mut self, events: &'a [NewEvent]) {
        self.seqs.extend(events.iter().map(|event| event.seq));
        self.moves.extend(events.iter().map(|event| event.move_no));
        self.seats.extend(events.iter().map(|event| event.seat.map(SeatNumber)));
        self.kinds.extend(events.iter().map(|event| event.kind.as_str()));
        self.bodies.extend(events.iter().map(|event| event.body.as_str()));
        self.digests.extend(events.iter().map(|event| event.digest.as_slice()));
    }
}

/// The columns of those who sit down.
struct Sitters {
    seats: Vec<SeatNumber>,
    players: Vec<Option<PlayerId>>,
    bots: Vec<Option<&'static str>>,
}

impl Sitters {
    fn of(sitting: &[Sitting]) -> Sitters {
        Sitters {
            seats: sitting.iter().map(|sitting| SeatNumber(sitting.seat)).collect(),
            players: sitting.iter().map(|sitting| sitting.player).collect(),
            bots: sitting.iter().map(|sitting| sitting.bot.map(Level::name)).collect(),
        }
    }
}

/// What the house does: bots and the clock move, people come and go. Whether nobody else moved first.
async fn append_by_the_house(connection: &mut Connection, append: &Append) -> Result<bool> {
    let columns = Columns::of(&append.events);
    let sitters = Sitters::of(&append.sitting);
    let kinds: Vec<Kind> = append.notices.iter().map(|notice| notice.kind).collect();
    let players: Vec<PlayerId> = append.notices.iter().map(|notice| notice.player).collect();
    let Append { projection, .. } = append;
    // Unnesting in the list of columns takes the arrays as they come; as a table they would be written down first.
    let recorded = sqlx::query!(
        "with moved as (
             update game_table
             set status = $3, version = $4, moves = $5, awaiting = $6, standing = $7, moved_at = $27, deadlines = $9, due = $10,
                 over_at = $11, kept = $12, head = $25
             where id = $1 and version = $2
               and coalesce(head, (select digest from event where table_id = $1 and seq = $2)) = $26
             returning id, day
         ), seated as (
             insert into seat (table_id, seat, player_id, bot, day)
             select id, unnest($19::smallint[]), unnest($20::uuid[]), unnest($21::text[]), day from moved
         ), freed as (
             delete from seat using moved where seat.table_id = moved.id and seat.seat = $22
         ), written as (
             insert into letter (kind, player_id, table_id, move_no, written_at, send_after)
             select unnest($23::text[]), unnest($24::uuid[]), id, $5, $8, $8 from moved
         )
         insert into event (table_id, seq, move_no, seat, at, kind, body, digest)
         select id, unnest($13::bigint[]), unnest($14::int[]), unnest($15::smallint[]), $8, unnest($16::text[]),
             unnest($17::text[])::json, unnest($18::bytea[])
         from moved",
        append.table as _,
        append.expected_version,
        projection.status as _,
        projection.version,
        projection.moves,
        &projection.awaiting as _,
        &projection.standing,
        append.at,
        &projection.deadlines as &[Option<DateTime<Utc>>],
        projection.due,
        projection.over_at,
        &projection.kept as _,
        &columns.seqs,
        &columns.moves,
        &columns.seats as _,
        &columns.kinds as &[&str],
        &columns.bodies as &[&str],
        &columns.digests as &[&[u8]],
        &sitters.seats as _,
        &sitters.players as &[Option<PlayerId>],
        &sitters.bots as &[Option<&str>],
        append.standing_up.map(SeatNumber) as _,
        &kinds as _,
        &players as _,
        projection.head.as_slice(),
        append.expected_head.as_slice(),
        append.moved_at,
    )
    .execute(connection)
    .await?;
    Ok(recorded.rows_affected() > 0)
}

impl Store {
    pub async fn open_table(&self, table: &NewTable<'_>) -> Result<()> {
        let columns = Columns::of(table.events);
        let sitters = Sitters::of(table.sitting);
        sqlx::query!(
            "with opened as (
                 insert into game_table (id, game, seats, private, opened_by, link_token, status, version, moves, awaiting, standing,
                                         deadlines, due, day, opened_at, moved_at, head, rematch_of)
                 values ($1, $2, $17, $18, $19, $20, $3, $4, $5, $6, $7, $21, $22, $8, $9, $9, $26, $27)
             ), hidden as (
                 insert into table_secret (table_id, secret) select $1, $10::bytea where $10 is not null
             ), seated as (
                 insert into seat (table_id, seat, player_id, bot, day)
                 select $1, given.seat, given.player_id, given.bot, $8
                 from unnest($23::smallint[], $24::uuid[], $25::text[]) as given (seat, player_id, bot)
             )
             insert into event (table_id, seq, move_no, seat, at, kind, body, digest)
             select $1, seq, move_no, seat, $9, kind, body::json, digest
             from unnest($11::bigint[], $12::int[], $13::smallint[], $14::text[], $15::text[], $16::bytea[])
                 as given (seq, move_no, seat, kind, body, digest)",
            table.id as _,
            table.game,
            table.projection.status as _,
            table.projection.version,
            table.projection.moves,
            &table.projection.awaiting as _,
            &table.projection.standing,
            table.day,
            table.at,
            table.secret,
            &columns.seqs,
            &columns.moves,
            &columns.seats as _,
            &columns.kinds as &[&str],
            &columns.bodies as &[&str],
            &columns.digests as &[&[u8]],
            table.seats,
            table.private,
            table.opened_by as _,
            table.link_token,
            &table.projection.deadlines as &[Option<DateTime<Utc>>],
            table.projection.due,
            &sitters.seats as _,
            &sitters.players as &[Option<PlayerId>],
            &sitters.bots as &[Option<&str>],
            table.projection.head.as_slice(),
            table.rematch_of as _,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Moves a table on, in one statement: checks that the caller holds the seat and that nobody moved in between, records the
    /// events, moves the projection, sees to the seats and writes the letters.
    pub async fn append(&self, append: Append) -> Result<Appended> {
        let Append { table, expected_version, expected_head, caller, .. } = append;
        // What players do all the time: no seat changes hands.
        let is_move = caller.is_some() && append.sitting.is_empty() && append.standing_up.is_none();
        let stored = if !append.answers.is_empty() || append.deed.is_some() {
            let mut transaction = self.pool.begin().await?;
            let stored = if is_move {
                !append_moves(&mut transaction, &[&append]).await?.is_empty()
            } else {
                append_by_the_house(&mut transaction, &append).await?
            };
            if stored {
                change_answers(&mut transaction, table, &append.answers).await?;
                if let Some(deed) = &append.deed {
                    let log = write_deed(&mut transaction, append.at, deed).await?;
                    // There is no letter about the end of a game that never began.
                    if append.projection.status == Status::Gone {
                        tell_seated(&mut transaction, append.at, table, log).await?;
                    }
                }
                transaction.commit().await?;
            }
            stored
        } else if is_move {
            self.gather(append).await?
        } else {
            append_by_the_house(&mut *self.lookups.acquire().await?, &append).await?
        };
        if stored {
            return Ok(Appended::Stored);
        }
        // Where nobody else moved it was the caller who must not.
        let stands = self.projection(table).await?;
        let is_behind =
            |stands: &Projection| (stands.version, &stands.head[..]) == (expected_version, &expected_head[..]);
        let overtaken = caller.is_none() || stands.is_some_and(|stands| !is_behind(&stands));
        Ok(if overtaken { Appended::Overtaken } else { Appended::NotSeated })
    }
}
