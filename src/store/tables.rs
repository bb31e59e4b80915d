//! Tables: the projection of their events, who sits at them, and the statements that move them on.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use sqlx::PgConnection;

use super::answers::{AnswerChange, change_answers};
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
    pub deadline: Option<DateTime<Utc>>,
    /// When the house has to see to the table. Also set back while somebody does, so it is not compared.
    pub due: Option<DateTime<Utc>>,
}

/// Who takes a seat: a player, or a bot that plays so well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sitting {
    pub seat: i16,
    pub player: Option<Uuid>,
    pub bot: Option<&'static str>,
}

/// A letter about a table: to whom, and of which kind. Its words are made when it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub kind: &'static str,
    pub player: Uuid,
}

/// A table to be opened.
pub struct NewTable<'a> {
    pub id: Uuid,
    pub game: &'a str,
    pub seats: i16,
    pub private: bool,
    pub opened_by: Option<Uuid>,
    pub link_token: &'a str,
    pub day: Option<NaiveDate>,
    /// None if chance comes from the day's secret.
    pub secret: Option<&'a [u8]>,
    pub sitting: &'a [Sitting],
    pub at: DateTime<Utc>,
    pub events: &'a [NewEvent<'a>],
    pub projection: &'a Projection,
}

/// Events that move a table on from the version at which they were decided, and what goes with them.
pub struct Append<'a> {
    pub table: Uuid,
    pub expected_version: i64,
    pub at: DateTime<Utc>,
    pub events: &'a [NewEvent<'a>],
    pub projection: &'a Projection,
    /// The seat that acts and the session (or token, or reply) that must hold it; nobody if the house acts itself.
    pub caller: Option<(i16, &'a [u8])>,
    /// Who sits down.
    pub sitting: &'a [Sitting],
    /// Who stands up.
    pub standing_up: Option<i16>,
    pub notices: &'a [Notice],
    /// Answers in advance that were left, used up or dropped.
    pub answers: &'a [AnswerChange],
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
    pub seats: i16,
    pub private: bool,
    pub moves: i32,
    pub standing: Vec<i64>,
    pub day: Option<NaiveDate>,
    pub deadline: Option<DateTime<Utc>>,
    pub opened_at: DateTime<Utc>,
    pub moved_at: DateTime<Utc>,
    /// Whether the player who asks is awaited.
    pub waits_for_me: bool,
    pub awaiting: Vec<i16>,
    /// The seats that are taken, in order; for each the name of who holds it, or how well the bot plays that does.
    pub taken: Vec<i16>,
    pub names: Vec<Option<String>>,
    pub bots: Vec<Option<String>>,
}

/// Who holds a seat.
#[derive(Clone, Debug)]
pub struct HolderRow {
    pub seat: i16,
    pub player_id: Option<Uuid>,
    pub bot: Option<String>,
    /// None for bots and former players.
    pub name: Option<String>,
}

/// What a table's row knows beyond its events.
pub struct FrameRow {
    pub opened_by: Option<Uuid>,
    pub link_token: Option<String>,
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

/// The columns of those who sit down.
struct Sitters {
    seats: Vec<i16>,
    players: Vec<Option<Uuid>>,
    bots: Vec<Option<String>>,
}

impl Sitters {
    fn of(sitting: &[Sitting]) -> Sitters {
        Sitters {
            seats: sitting.iter().map(|sitting| sitting.seat).collect(),
            players: sitting.iter().map(|sitting| sitting.player).collect(),
            bots: sitting.iter().map(|sitting| sitting.bot.map(str::to_owned)).collect(),
        }
    }
}

/// The columns of letters.
struct Letters {
    kinds: Vec<&'static str>,
    players: Vec<Uuid>,
}

impl Letters {
    fn of(notices: &[Notice]) -> Letters {
        Letters {
            kinds: notices.iter().map(|notice| notice.kind).collect(),
            players: notices.iter().map(|notice| notice.player).collect(),
        }
    }
}

/// What the house does: bots and the clock move, people come and go.
async fn append_by_the_house(connection: &mut PgConnection, append: &Append<'_>) -> Result<Appended> {
    let columns = Columns::of(append.events);
    let sitters = Sitters::of(append.sitting);
    let letters = Letters::of(append.notices);
    let moved = sqlx::query_scalar!(
        r#"with moved as (
             update game_table
             set status = $3, version = $4, moves = $5, awaiting = $6, standing = $7, moved_at = $8, deadline = $15, due = $16
             where id = $1 and version = $2
             returning id, day
         ), recorded as (
             insert into event (table_id, seq, move_no, seat, at, kind, body, digest)
             select id, given.seq, given.move_no, given.seat, $8, given.kind, given.body::json, given.digest
             from moved, unnest($9::bigint[], $10::int[], $11::smallint[], $12::text[], $13::text[], $14::bytea[])
                 as given (seq, move_no, seat, kind, body, digest)
         ), seated as (
             insert into seat (table_id, seat, player_id, bot, day)
             select id, given.seat, given.player_id, given.bot, day
             from moved, unnest($17::smallint[], $18::uuid[], $19::text[]) as given (seat, player_id, bot)
         ), freed as (
             delete from seat using moved where seat.table_id = moved.id and seat.seat = $20
         ), written as (
             insert into letter (kind, player_id, table_id, move_no, written_at, send_after)
             select given.kind, given.player_id, id, $5, $8, $8
             from moved, unnest($21::text[], $22::uuid[]) as given (kind, player_id)
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
        append.projection.deadline,
        append.projection.due,
        &sitters.seats,
        &sitters.players as &[Option<Uuid>],
        &sitters.bots as &[Option<String>],
        append.standing_up,
        &letters.kinds as &[&str],
        &letters.players,
    )
    .fetch_one(connection)
    .await?;
    Ok(if moved { Appended::Stored } else { Appended::Overtaken })
}

impl Store {
    pub async fn open_table(&self, table: &NewTable<'_>) -> Result<()> {
        let columns = Columns::of(table.events);
        let sitters = Sitters::of(table.sitting);
        sqlx::query!(
            "with opened as (
                 insert into game_table (id, game, seats, private, opened_by, link_token, status, version, moves, awaiting, standing,
                                         deadline, due, day, opened_at, moved_at)
                 values ($1, $2, $17, $18, $19, $20, $3, $4, $5, $6, $7, $21, $22, $8, $9, $9)
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
            table.seats,
            table.private,
            table.opened_by,
            table.link_token,
            table.projection.deadline,
            table.projection.due,
            &sitters.seats,
            &sitters.players as &[Option<Uuid>],
            &sitters.bots as &[Option<String>],
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Moves a table on, in one statement: checks that the caller holds the seat and that nobody moved in between, records the
    /// events, moves the projection, sees to the seats and writes the letters.
    pub async fn append(&self, append: &Append<'_>) -> Result<Appended> {
        if append.answers.is_empty() {
            let mut connection = self.lending.borrow().await?;
            let appended = self.append_on(&mut connection, append).await;
            return connection.give_back(appended);
        }
        let mut transaction = self.pool.begin().await?;
        let appended = self.append_on(&mut transaction, append).await?;
        if appended == Appended::Stored {
            change_answers(&mut transaction, append.table, append.answers).await?;
            transaction.commit().await?;
        }
        Ok(appended)
    }

    async fn append_on(&self, connection: &mut PgConnection, append: &Append<'_>) -> Result<Appended> {
        match append.caller {
            Some((seat, token_digest)) if append.sitting.is_empty() && append.standing_up.is_none() => {
                self.append_move(connection, append, seat, token_digest).await
            }
            _ => append_by_the_house(connection, append).await,
        }
    }

    /// What players do all the time: no seat changes hands.
    async fn append_move(
        &self,
        connection: &mut PgConnection,
        append: &Append<'_>,
        seat: i16,
        token_digest: &[u8],
    ) -> Result<Appended> {
        let columns = Columns::of(append.events);
        let letters = Letters::of(append.notices);
        // Unnesting in the list of columns takes the arrays as they come; as a table they would be written down first.
        let recorded = sqlx::query!(
            "with moved as (
                 update game_table
                 set status = $3, version = $4, moves = $5, awaiting = $6, standing = $7, moved_at = $8, deadline = $17, due = $18
                 from seat
                 where game_table.id = $1 and version = $2 and seat.table_id = $1 and seat.seat = $16
                   and (exists (select from session
                                where token_digest = $15 and session.player_id = seat.player_id and expires_at > now())
                        or exists (select from api_token where token_digest = $15 and api_token.player_id = seat.player_id)
                        or exists (select from inbox where inbox.digest = $15 and inbox.player_id = seat.player_id))
                 returning id
             ), written as (
                 insert into letter (kind, player_id, table_id, move_no, written_at, send_after)
                 select unnest($19::text[]), unnest($20::uuid[]), id, $5, $8, $8 from moved
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
            append.projection.deadline,
            append.projection.due,
            &letters.kinds as &[&str],
            &letters.players,
        )
        .execute(connection)
        .await?;
        Ok(if recorded.rows_affected() > 0 {
            Appended::Stored
        } else if self.holds_seat(append.table, seat, token_digest).await? {
            Appended::Overtaken
        } else {
            Appended::NotSeated
        })
    }

    /// Whether the bearer of a session or a token, or the writer of a reply, holds a seat.
    async fn holds_seat(&self, table: Uuid, seat: i16, token_digest: &[u8]) -> Result<bool> {
        let holds = sqlx::query_scalar!(
            r#"select exists (
                 select from seat where table_id = $1 and seat = $2
                   and (exists (select from session where token_digest = $3 and session.player_id = seat.player_id and expires_at > now())
                        or exists (select from api_token where token_digest = $3 and api_token.player_id = seat.player_id)
                        or exists (select from inbox where digest = $3 and inbox.player_id = seat.player_id))
             ) as "holds!""#,
            table,
            seat,
            token_digest,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(holds)
    }

    /// Who holds the seats of a table, with their names.
    pub async fn holders(&self, table: Uuid) -> Result<Vec<HolderRow>> {
        let rows = sqlx::query_as!(
            HolderRow,
            "select seat, player_id, bot, player.name from seat left join player on player.id = seat.player_id
             where table_id = $1 order by seat",
            table,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    pub async fn frame_of_table(&self, table: Uuid) -> Result<Option<FrameRow>> {
        let row = sqlx::query_as!(FrameRow, "select opened_by, link_token from game_table where id = $1", table)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row)
    }

    /// The tables to which the house has to see now. They are set aside for a while, so that nobody else sees to them meanwhile.
    pub async fn claim_due_tables(&self, limit: i64) -> Result<Vec<Uuid>> {
        let ids = sqlx::query_scalar!(
            // As an array, so that a plan made once looks the tables up instead of reading all.
            "update game_table set due = $2::timestamptz + interval '30 seconds'
             where id = any (array(select id from game_table where due <= $2 order by due limit $1 for update skip locked))
             returning id",
            limit,
            self.clock.now(),
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(ids)
    }

    /// Says when the house has to see to a table again, unless it has moved on.
    pub async fn postpone_table(&self, table: Uuid, version: i64, due: Option<DateTime<Utc>>) -> Result<()> {
        sqlx::query!("update game_table set due = $3 where id = $1 and version = $2", table, version, due)
            .execute(&self.pool)
            .await?;
        Ok(())
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
            "select status, version, moves, awaiting, standing, deadline, due from game_table where id = $1",
            table,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// Puts a rebuilt projection in the place of the one that stands, unless a move came in between.
    pub async fn mend_projection(&self, table: Uuid, projection: &Projection, found_version: i64) -> Result<bool> {
        let mended = sqlx::query!(
            "update game_table set status = $2, version = $3, moves = $4, awaiting = $5, standing = $6, deadline = $7, due = $8
             where id = $1 and version = $9
               and not exists (select from event where table_id = $1 and seq > $3)",
            table,
            projection.status,
            projection.version,
            projection.moves,
            &projection.awaiting,
            &projection.standing,
            projection.deadline,
            projection.due,
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

    /// The tables at which a player sits: those that wait for the player first, by the time left, then those moved last.
    pub async fn tables_of_player(&self, player: Uuid, limit: i64) -> Result<Vec<TableRow>> {
        let rows = sqlx::query_as!(
            TableRow,
            r#"select id, game, status, seats, private, moves, standing, game_table.day, deadline, opened_at, moved_at,
                 mine.seat = any (awaiting) as "waits_for_me!", awaiting,
                 array(select seat.seat from seat where seat.table_id = game_table.id order by seat.seat) as "taken!",
                 array(select player.name from seat left join player on player.id = seat.player_id
                       where seat.table_id = game_table.id order by seat.seat) as "names!: Vec<Option<String>>",
                 array(select seat.bot from seat where seat.table_id = game_table.id order by seat.seat) as "bots!: Vec<Option<String>>"
               from seat as mine join game_table on game_table.id = mine.table_id
               where mine.player_id = $1 and status <> 'gone'
               order by status = 'over', mine.seat = any (awaiting) desc, deadline nulls last, moved_at desc limit $2"#,
            player,
            limit,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// The running table that waits for a player with the least time left, but for those that are skipped. A solitaire keeps nobody
    /// waiting, and comes last.
    pub async fn next_table(&self, player: Uuid, skipped: &[Uuid]) -> Result<Option<Uuid>> {
        let id = sqlx::query_scalar!(
            "select id from seat join game_table on game_table.id = seat.table_id
             where player_id = $1 and status = 'playing' and seat.seat = any (awaiting) and id <> all ($2)
             order by deadline nulls last, seats = 1, moved_at limit 1",
            player,
            skipped,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(id)
    }

    /// The tables at which a player sits with others and which are not over.
    pub async fn seats_under_way(&self, player: Uuid) -> Result<Vec<Uuid>> {
        let ids = sqlx::query_scalar!(
            "select id from seat join game_table on game_table.id = seat.table_id
             where player_id = $1 and seats > 1 and status in ('open', 'playing')",
            player,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(ids)
    }

    /// Open tables that anybody may join, the latest first.
    pub async fn open_tables(&self, limit: i64) -> Result<Vec<TableRow>> {
        let rows = sqlx::query_as!(
            TableRow,
            r#"select id, game, status, seats, private, moves, standing, day, deadline, opened_at, moved_at,
                 false as "waits_for_me!", awaiting,
                 array(select seat.seat from seat where seat.table_id = game_table.id order by seat.seat) as "taken!",
                 array(select player.name from seat left join player on player.id = seat.player_id
                       where seat.table_id = game_table.id order by seat.seat) as "names!: Vec<Option<String>>",
                 array(select seat.bot from seat where seat.table_id = game_table.id order by seat.seat) as "bots!: Vec<Option<String>>"
               from game_table where status = 'open' and not private and seats > 1 order by opened_at desc limit $1"#,
            limit,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// How many tables a player has open or runs at the moment.
    pub async fn tables_under_way(&self, player: Uuid) -> Result<i64> {
        let count = sqlx::query_scalar!(
            r#"select count(*) as "count!" from game_table where opened_by = $1 and status in ('open', 'playing')"#,
            player,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(count)
    }

    /// Finished public games, the latest first: of a game, of a player, up to a day, if asked.
    pub async fn finished_tables(
        &self,
        game: Option<&str>,
        player: Option<&str>,
        until: Option<NaiveDate>,
        offset: i64,
        limit: i64,
    ) -> Result<Vec<TableRow>> {
        let rows = sqlx::query_as!(
            TableRow,
            r#"select id, game, status, seats, private, moves, standing, day, deadline, opened_at, moved_at,
                 false as "waits_for_me!", awaiting,
                 array(select seat.seat from seat where seat.table_id = game_table.id order by seat.seat) as "taken!",
                 array(select player.name from seat left join player on player.id = seat.player_id
                       where seat.table_id = game_table.id order by seat.seat) as "names!: Vec<Option<String>>",
                 array(select seat.bot from seat where seat.table_id = game_table.id order by seat.seat) as "bots!: Vec<Option<String>>"
               from game_table
               where status = 'over' and not private
                 and (day is null or day < (now() at time zone 'UTC')::date)
                 and ($1::text is null or game = $1)
                 and ($2::text is null or exists (select from seat join player on player.id = seat.player_id
                                                  where seat.table_id = game_table.id and lower(player.name) = lower($2)))
                 and ($3::date is null or moved_at < $3::date + 1)
               order by moved_at desc offset $4 limit $5"#,
            game,
            player,
            until,
            offset,
            limit,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Notes that the holder of a seat looks at the table; gives back up to which move they knew it when this visit began.
    pub async fn look_at_table(&self, table: Uuid, seat: i16, move_no: i32) -> Result<i32> {
        let looked = sqlx::query_scalar!(
            "update seat set
                 looked_move = case when last_look_at is null or last_look_at < $4::timestamptz - interval '10 minutes'
                                    then last_look_move else looked_move end,
                 last_look_move = $3, last_look_at = $4
             where table_id = $1 and seat = $2 returning looked_move",
            table,
            seat,
            move_no,
            self.clock.now(),
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(looked.unwrap_or(move_no))
    }
}
