//! Tables: the projection of their events, who sits at them, and lists of them.

use chrono::{DateTime, NaiveDate, Utc};

use crate::db::column_types::{SeatList, SeatNumber};
use crate::db::tables::archive::ArchiveFilters;
use crate::db::{Result, Store};
use crate::tables::state::table_state::Status;
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::Seat;

/// A table as lists and the house need it: the projection of its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    pub status: Status,
    pub version: i64,
    /// The digest of the last event.
    pub head: Vec<u8>,
    pub moves: i32,
    pub awaiting: SeatList,
    pub standing: Vec<i64>,
    /// When time runs out for each of the awaited, in their order.
    pub deadlines: Vec<Option<DateTime<Utc>>>,
    /// Seats that a bot keeps until their owners return.
    pub kept: SeatList,
    pub over_at: Option<DateTime<Utc>>,
    /// When the house has to see to the table. Also set back while somebody does, so it is not compared.
    pub due: Option<DateTime<Utc>>,
}

/// A table as lists show it.
pub struct TableRow {
    pub id: TableId,
    pub game: String,
    pub status: Status,
    pub seats: i16,
    pub private: bool,
    pub moves: i32,
    pub standing: Vec<i64>,
    pub day: Option<NaiveDate>,
    /// When time runs out: for the player who asks, or else for the first of the others.
    pub deadline: Option<DateTime<Utc>>,
    pub opened_at: DateTime<Utc>,
    pub moved_at: DateTime<Utc>,
    /// Whether the player who asks is awaited.
    pub waits_for_me: bool,
    /// Whether a bot keeps their seat until they return.
    pub kept_for_me: bool,
    pub awaiting: SeatList,
    /// The seats that are taken, in order; for each the name of who holds it, or how well the bot plays that does.
    pub taken: Vec<SeatNumber>,
    pub names: Vec<Option<String>>,
    pub bots: Vec<Option<String>>,
}

/// Who holds a seat.
#[derive(Clone, Debug)]
pub struct HolderRow {
    pub table_id: TableId,
    pub seat: Seat,
    pub player_id: Option<PlayerId>,
    pub bot: Option<String>,
    /// None for bots and former players.
    pub name: Option<String>,
}

/// Which finished games are asked for: of a game, of a player, up to a day, and how they went, if said so.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArchiveSearch<'a> {
    pub game: Option<&'a str>,
    /// What a name is looked up by.
    pub name_key: Option<&'a str>,
    pub until: Option<NaiveDate>,
    pub filters: ArchiveFilters,
    pub offset: i64,
    pub limit: i64,
}

/// What a table's row knows beyond its events.
pub struct FrameRow {
    pub opened_by: Option<PlayerId>,
    pub link_token: Option<String>,
}

impl Store {
    /// Who holds the seats of tables, with their names.
    pub async fn holders(&self, tables: &[TableId]) -> Result<Vec<HolderRow>> {
        let rows = sqlx::query_as!(
            HolderRow,
            r#"select table_id as "table_id: TableId", seat as "seat: SeatNumber", player_id as "player_id: PlayerId", bot, player.name
               from seat left join player on player.id = seat.player_id
             where table_id = any ($1) order by table_id, seat"#,
            tables as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    pub async fn frame_of_table(&self, table: TableId) -> Result<Option<FrameRow>> {
        let row = sqlx::query_as!(
            FrameRow,
            r#"select opened_by as "opened_by: PlayerId", link_token from game_table where id = $1"#,
            table as _
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// The tables to which the house has to see now. They are set aside for a while, so that nobody else sees to them meanwhile.
    pub async fn claim_due_tables(&self, limit: i64) -> Result<Vec<TableId>> {
        let ids = sqlx::query_scalar!(
            // As an array, so that a plan made once looks the tables up instead of reading all.
            r#"update game_table set due = $2::timestamptz + interval '30 seconds'
             where id = any (array(select id from game_table where due <= $2 order by due limit $1 for update skip locked))
             returning id as "id: TableId""#,
            limit,
            self.clock.now(),
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(ids)
    }

    /// Says when the house has to see to a table again, unless it has moved on from this state.
    pub async fn postpone_table(&self, table: TableId, stands: &Projection) -> Result<()> {
        sqlx::query!(
            "update game_table set due = $3
             where id = $1 and version = $2
               and coalesce(head, (select digest from event where table_id = $1 and seq = $2)) = $4",
            table as _,
            stands.version,
            stands.due,
            stands.head.as_slice(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The secret of a table's chance, for the service alone: the table's own, or its day's.
    pub async fn secret_of_table(&self, table: TableId) -> Result<Option<Vec<u8>>> {
        let secret = sqlx::query_scalar!(
            r#"select coalesce(
                 (select secret from table_secret where table_id = $1),
                 (select secret from garden_of_the_day join game_table using (day) where game_table.id = $1)) as secret"#,
            table as _,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(secret)
    }

    /// The projection of a table as it stands.
    pub async fn projection(&self, table: TableId) -> Result<Option<Projection>> {
        let row = sqlx::query_as!(
            Projection,
            r#"select status as "status: Status", version,
                 coalesce(head, (select digest from event where table_id = $1 and seq = version), '') as "head!", moves, awaiting as "awaiting: SeatList", standing,
                 deadlines as "deadlines!: Vec<Option<DateTime<Utc>>>", kept as "kept: SeatList", over_at, due
               from game_table where id = $1"#,
            table as _,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// Puts a rebuilt projection in the place of the one that stands, unless a move came in between.
    pub async fn mend_projection(&self, table: TableId, projection: &Projection, found_version: i64) -> Result<bool> {
        let mended = sqlx::query!(
            "update game_table set status = $2, version = $3, moves = $4, awaiting = $5, standing = $6, deadlines = $7, due = $8,
                 kept = $10, over_at = $11, head = $12
             where id = $1 and version = $9
               and not exists (select from event where table_id = $1 and seq > $3)",
            table as _,
            projection.status as _,
            projection.version,
            projection.moves,
            &projection.awaiting as _,
            &projection.standing,
            &projection.deadlines as &[Option<DateTime<Utc>>],
            projection.due,
            found_version,
            &projection.kept as _,
            projection.over_at,
            projection.head.as_slice(),
        )
        .execute(&self.pool)
        .await?;
        Ok(mended.rows_affected() == 1)
    }

    /// The ids of all tables, those that come after this one.
    pub async fn table_ids_after(&self, id: TableId, limit: i64) -> Result<Vec<TableId>> {
        let ids = sqlx::query_scalar!(
            r#"select id as "id: TableId" from game_table where id > $1 order by id limit $2"#,
            id as _,
            limit
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(ids)
    }

    /// The tables at which a player sits: those that wait for the player first, by the time left, then those moved last.
    pub async fn tables_of_player(&self, player: PlayerId, limit: i64) -> Result<Vec<TableRow>> {
        let rows = sqlx::query_as!(
            TableRow,
            r#"select id as "id!: TableId", game as "game!", status as "status!: Status", seats as "seats!", private as "private!", moves as "moves!",
                 standing as "standing!", listed_table.day, opened_at as "opened_at!", moved_at as "moved_at!", awaiting as "awaiting!: SeatList",
                 mine.seat = any (awaiting) as "waits_for_me!", mine.seat = any (kept) as "kept_for_me!",
                 case when mine.seat = any (awaiting) then deadlines[array_position(awaiting, mine.seat)]
                      else (select min(deadline) from unnest(deadlines) as deadline) end as deadline,
                 taken as "taken!: Vec<SeatNumber>", names as "names!: Vec<Option<String>>", bots as "bots!: Vec<Option<String>>"
               from seat as mine join listed_table on listed_table.id = mine.table_id
               where mine.player_id = $1 and status <> 'gone'
               order by status = 'over', mine.seat = any (awaiting) desc, deadline nulls last, moved_at desc limit $2"#,
            player as _,
            limit,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// The running table that waits for a player with the least time left, but for those that are skipped. A solitaire keeps nobody
    /// waiting, and comes last.
    pub async fn next_table(&self, player: PlayerId, skipped: &[TableId]) -> Result<Option<TableId>> {
        let id = sqlx::query_scalar!(
            r#"select id as "id: TableId" from seat join game_table on game_table.id = seat.table_id
             where player_id = $1 and status = 'playing' and seat.seat = any (awaiting) and id <> all ($2)
             order by deadlines[array_position(awaiting, seat.seat)] nulls last, seats = 1, moved_at limit 1"#,
            player as _,
            skipped as _,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(id)
    }

    /// The tables at which a player sits with others and which are not over.
    pub async fn seats_under_way(&self, player: PlayerId) -> Result<Vec<TableId>> {
        let ids = sqlx::query_scalar!(
            r#"select id as "id: TableId" from seat join game_table on game_table.id = seat.table_id
             where player_id = $1 and seats > 1 and status in ('open', 'playing')"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(ids)
    }

    /// Open tables that anybody may join, the latest first.
    pub async fn open_tables(&self, limit: i64) -> Result<Vec<TableRow>> {
        let rows = sqlx::query_as!(
            TableRow,
            r#"select id as "id!: TableId", game as "game!", status as "status!: Status", seats as "seats!", private as "private!", moves as "moves!",
                 standing as "standing!", day, opened_at as "opened_at!", moved_at as "moved_at!", awaiting as "awaiting!: SeatList",
                 false as "waits_for_me!", false as "kept_for_me!", null::timestamptz as deadline,
                 taken as "taken!: Vec<SeatNumber>", names as "names!: Vec<Option<String>>", bots as "bots!: Vec<Option<String>>"
               from listed_table where status = 'open' and not private and seats > 1 order by opened_at desc limit $1"#,
            limit,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows)
    }

    /// How many tables a player has open or runs at the moment.
    pub async fn tables_under_way(&self, player: PlayerId) -> Result<i64> {
        let count = sqlx::query_scalar!(
            r#"select count(*) as "count!" from game_table where opened_by = $1 and status in ('open', 'playing')"#,
            player as _,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(count)
    }

    /// Finished public games, the latest first. Whatever is asked for is found by an index, and only what is shown is read whole.
    pub async fn finished_tables(&self, search: &ArchiveSearch<'_>) -> Result<Vec<TableRow>> {
        if search.filters != ArchiveFilters::default() {
            return self.finished_tables_like(search).await;
        }
        // “Between” instead of “=”, so that the games in the order of time are no way to those of one game, of which there may be few.
        let rows = sqlx::query_as!(
            TableRow,
            r#"select id as "id!: TableId", game as "game!", status as "status!: Status", seats as "seats!", private as "private!", moves as "moves!",
                 standing as "standing!", day, opened_at as "opened_at!", moved_at as "moved_at!", awaiting as "awaiting!: SeatList",
                 false as "waits_for_me!", false as "kept_for_me!", null::timestamptz as deadline,
                 taken as "taken!: Vec<SeatNumber>", names as "names!: Vec<Option<String>>", bots as "bots!: Vec<Option<String>>"
               from listed_table join (
                 (select id as found_id from game_table
                  where $1::text is null and $2::text is null and not private and over_at < coalesce($3::date + 1, 'infinity')
                    and (day is null or day < (now() at time zone 'UTC')::date)
                  order by over_at desc limit $4::bigint + $5::bigint)
                 union all
                 (select id from game_table
                  where game between $1 and $1 and $2::text is null and not private and over_at < coalesce($3::date + 1, 'infinity')
                    and (day is null or day < (now() at time zone 'UTC')::date)
                  order by game desc, over_at desc limit $4::bigint + $5::bigint)
                 union all
                 (select distinct game_table.id from player join seat on seat.player_id = player.id
                    join game_table on game_table.id = seat.table_id
                  where name_key = $2 and ($1 is null or game = $1) and not private and over_at < coalesce($3::date + 1, 'infinity')
                    and (game_table.day is null or game_table.day < (now() at time zone 'UTC')::date))
               ) as found on id = found_id
               order by over_at desc offset $4 limit $5"#,
            search.game,
            search.name_key,
            search.until,
            search.offset,
            search.limit,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows)
    }
}
