//! Tables: the projection of their events, who sits at them, and the statements that move them on.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::{Result, Store};

/// An event to be appended.
pub struct NewEvent<'a> {
    pub seq: i64,
    pub move_no: i32,
    pub seat: Option<i16>,
    pub kind: &'a str,
    pub body: &'a str,
    pub digest: &'a [u8],
}

/// The projection after an append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    pub status: String,
    pub version: i64,
    pub moves: i32,
    pub awaiting: Vec<i16>,
    pub standing: Vec<i64>,
}

/// A table to be opened.
pub struct NewTable<'a> {
    pub id: Uuid,
    pub game: &'a str,
    pub day: Option<NaiveDate>,
    /// None if chance comes from the day's secret.
    pub secret: Option<&'a [u8]>,
    /// Who sits down at once, and where.
    pub holder: Option<(i16, Uuid)>,
    pub at: DateTime<Utc>,
    pub events: &'a [NewEvent<'a>],
    pub projection: &'a Projection,
}

/// Events that move a table on from the version at which they were decided.
pub struct Append<'a> {
    pub table: Uuid,
    pub expected_version: i64,
    pub at: DateTime<Utc>,
    pub events: &'a [NewEvent<'a>],
    pub projection: &'a Projection,
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

/// A table as lists show it.
pub struct TableRow {
    pub id: Uuid,
    pub game: String,
    pub status: String,
    pub moves: i32,
    pub standing: Vec<i64>,
    pub day: Option<NaiveDate>,
    pub moved_at: DateTime<Utc>,
}

/// The columns of events, as arrays for one statement.
struct Columns<'a> {
    seqs: Vec<i64>,
    moves: Vec<i32>,
    seats: Vec<Option<i16>>,
    kinds: Vec<&'a str>,
    bodies: Vec<&'a str>,
    digests: Vec<&'a [u8]>,
}

impl<'a> Columns<'a> {
    fn of(events: &[NewEvent<'a>]) -> Columns<'a> {
        Columns {
            seqs: events.iter().map(|event| event.seq).collect(),
            moves: events.iter().map(|event| event.move_no).collect(),
            seats: events.iter().map(|event| event.seat).collect(),
            kinds: events.iter().map(|event| event.kind).collect(),
            bodies: events.iter().map(|event| event.body).collect(),
            digests: events.iter().map(|event| event.digest).collect(),
        }
    }
}

impl Store {
    pub async fn open_table(&self, table: &NewTable<'_>) -> Result<()> {
        let columns = Columns::of(table.events);
        sqlx::query!(
            "with opened as (
                 insert into game_table (id, game, status, version, moves, awaiting, standing, day, opened_at, moved_at)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
             ), hidden as (
                 insert into table_secret (table_id, secret) select $1, $10::bytea where $10 is not null
             ), seated as (
                 insert into seat (table_id, seat, player_id, day) select $1, $17, $18, $8 where $18::uuid is not null
             )
             insert into event (table_id, seq, move_no, seat, at, kind, body, digest)
             select $1, seq, move_no, seat, $9, kind, body::json, digest
             from unnest($11::bigint[], $12::int[], $13::smallint[], $14::text[], $15::text[], $16::bytea[])
                 as given (seq, move_no, seat, kind, body, digest)",
            table.id,
            table.game,
            table.projection.status,
            table.projection.version,
            table.projection.moves,
            &table.projection.awaiting,
            &table.projection.standing,
            table.day,
            table.at,
            table.secret,
            &columns.seqs,
            &columns.moves,
            &columns.seats as &[Option<i16>],
            &columns.kinds as &[&str],
            &columns.bodies as &[&str],
            &columns.digests as &[&[u8]],
            table.holder.map(|(seat, _)| seat),
            table.holder.map(|(_, player)| player),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Appends what somebody brought about by sitting down, and gives them the seat.
    pub async fn append_sitting(&self, append: &Append<'_>, seat: i16, player: Uuid) -> Result<Appended> {
        let columns = Columns::of(append.events);
        let moved = sqlx::query_scalar!(
            r#"with moved as (
                 update game_table set status = $3, version = $4, moves = $5, awaiting = $6, standing = $7, moved_at = $8
                 where id = $1 and version = $2 returning id, day
             ), recorded as (
                 insert into event (table_id, seq, move_no, seat, at, kind, body, digest)
                 select id, given.seq, given.move_no, given.seat, $8, given.kind, given.body::json, given.digest
                 from moved, unnest($9::bigint[], $10::int[], $11::smallint[], $12::text[], $13::text[], $14::bytea[])
                     as given (seq, move_no, seat, kind, body, digest)
             ), seated as (
                 insert into seat (table_id, seat, player_id, day) select id, $15, $16, day from moved
             )
             select exists (select from moved) as "moved!""#,
            append.table,
            append.expected_version,
            append.projection.status,
            append.projection.version,
            append.projection.moves,
            &append.projection.awaiting,
            &append.projection.standing,
            append.at,
            &columns.seqs,
            &columns.moves,
            &columns.seats as &[Option<i16>],
            &columns.kinds as &[&str],
            &columns.bodies as &[&str],
            &columns.digests as &[&[u8]],
            seat,
            player,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(if moved { Appended::Stored } else { Appended::Overtaken })
    }

    /// Appends a move: checks that the session holds the seat and that nobody moved in between, moves the projection on and
    /// records the events, in one statement.
    pub async fn append_move(&self, append: &Append<'_>, seat: i16, token_digest: &[u8]) -> Result<Appended> {
        let columns = Columns::of(append.events);
        let mut connection = self.lending.borrow().await?;
        // Unnesting in the list of columns takes the arrays as they come; as a table they would be written down first.
        let recorded = sqlx::query!(
            "with moved as (
                 update game_table set status = $3, version = $4, moves = $5, awaiting = $6, standing = $7, moved_at = $8
                 from session, seat
                 where game_table.id = $1 and version = $2
                   and session.token_digest = $15 and session.expires_at > now()
                   and seat.table_id = $1 and seat.seat = $16 and seat.player_id = session.player_id
                 returning id
             )
             insert into event (table_id, seq, move_no, seat, at, kind, body, digest)
             select id, unnest($9::bigint[]), unnest($10::int[]), unnest($11::smallint[]), $8, unnest($12::text[]),
                 unnest($13::text[])::json, unnest($14::bytea[])
             from moved",
            append.table,
            append.expected_version,
            append.projection.status,
            append.projection.version,
            append.projection.moves,
            &append.projection.awaiting,
            &append.projection.standing,
            append.at,
            &columns.seqs,
            &columns.moves,
            &columns.seats as &[Option<i16>],
            &columns.kinds as &[&str],
            &columns.bodies as &[&str],
            &columns.digests as &[&[u8]],
            token_digest,
            seat,
        )
        .execute(&mut *connection)
        .await;
        let recorded = connection.give_back(recorded)?;
        Ok(if recorded.rows_affected() > 0 {
            Appended::Stored
        } else if self.holds_seat(append.table, seat, token_digest).await? {
            Appended::Overtaken
        } else {
            Appended::NotSeated
        })
    }

    /// Whether a session holds a seat.
    async fn holds_seat(&self, table: Uuid, seat: i16, token_digest: &[u8]) -> Result<bool> {
        let holds = sqlx::query_scalar!(
            r#"select exists (
                 select from session join seat using (player_id)
                 where session.token_digest = $3 and session.expires_at > now() and seat.table_id = $1 and seat.seat = $2
             ) as "holds!""#,
            table,
            seat,
            token_digest,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(holds)
    }

    /// Who holds the seats of a table.
    pub async fn holders(&self, table: Uuid) -> Result<Vec<(i16, Uuid)>> {
        let rows = sqlx::query!("select seat, player_id from seat where table_id = $1 order by seat", table)
            .fetch_all(&self.pool)
            .await?;
        Ok(rows.into_iter().map(|row| (row.seat, row.player_id)).collect())
    }

    /// The secret of a table's chance, for the service alone: the table's own, or its day's.
    pub async fn secret_of_table(&self, table: Uuid) -> Result<Option<Vec<u8>>> {
        let secret = sqlx::query_scalar!(
            r#"select coalesce(
                 (select secret from table_secret where table_id = $1),
                 (select secret from garden_of_the_day join game_table using (day) where game_table.id = $1)) as secret"#,
            table,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(secret)
    }

    /// The projection of a table as it stands.
    pub async fn projection(&self, table: Uuid) -> Result<Option<Projection>> {
        let row = sqlx::query_as!(
            Projection,
            "select status, version, moves, awaiting, standing from game_table where id = $1",
            table,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// Puts a rebuilt projection in the place of the one that stands, unless a move came in between.
    pub async fn mend_projection(&self, table: Uuid, projection: &Projection, found_version: i64) -> Result<bool> {
        let mended = sqlx::query!(
            "update game_table set status = $2, version = $3, moves = $4, awaiting = $5, standing = $6
             where id = $1 and version = $7
               and not exists (select from event where table_id = $1 and seq > $3)",
            table,
            projection.status,
            projection.version,
            projection.moves,
            &projection.awaiting,
            &projection.standing,
            found_version,
        )
        .execute(&self.pool)
        .await?;
        Ok(mended.rows_affected() == 1)
    }

    /// The ids of all tables, those that come after this one.
    pub async fn table_ids_after(&self, id: Uuid, limit: i64) -> Result<Vec<Uuid>> {
        let ids = sqlx::query_scalar!("select id from game_table where id > $1 order by id limit $2", id, limit)
            .fetch_all(&self.pool)
            .await?;
        Ok(ids)
    }

    /// The tables at which a player sits, those that were moved last first.
    pub async fn tables_of_player(&self, player: Uuid, limit: i64) -> Result<Vec<TableRow>> {
        let rows = sqlx::query_as!(
            TableRow,
            "select id, game, status, moves, standing, game_table.day, moved_at
             from seat join game_table on game_table.id = seat.table_id
             where seat.player_id = $1 order by moved_at desc limit $2",
            player,
            limit,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}
