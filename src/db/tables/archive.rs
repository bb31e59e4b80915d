//! Finished games by how they went.

use chrono::NaiveDate;

use crate::db::column_types::{SeatList, SeatNumber};
use crate::db::tables::lists::{ArchiveSearch, TableRow};
use crate::db::{Result, Store};
use crate::tables::state::table_state::Status;
use crate::tables::{PlayerId, TableId};

/// A game is a close finish if it was open until this much of it was played, or if the best was no more than one point ahead.
const CLOSE_UNTIL: f32 = 0.85;
const CLOSE_LEAD: i64 = 1;

/// A game is a comeback if its winners once had no better chance than this.
const COMEBACK_FROM: f32 = 0.15;

/// What else is asked of finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArchiveFilters {
    pub since: Option<NaiveDate>,
    /// The fewest and the most moves.
    pub shortest: Option<i32>,
    pub longest: Option<i32>,
    /// Only those that the player won.
    pub won: bool,
    pub close: bool,
    pub comeback: bool,
}

impl Store {
    /// The finished games of a player, private ones among them, the latest first.
    pub async fn finished_tables_of(&self, player: PlayerId, offset: i64, limit: i64) -> Result<Vec<TableId>> {
        let ids = sqlx::query_scalar!(
            r#"select id as "id: TableId" from seat join game_table on game_table.id = seat.table_id
               where player_id = $1 and over_at is not null and status = 'over'
               order by over_at desc, id offset $2 limit $3"#,
            player as _,
            offset,
            limit,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(ids)
    }

    /// Finished public games by how they went, the latest first. They come from results, which follow the end of a game within seconds.
    pub(super) async fn finished_tables_like(&self, search: &ArchiveSearch<'_>) -> Result<Vec<TableRow>> {
        let ArchiveFilters { since, shortest, longest, won, close, comeback } = search.filters;
        let rows = sqlx::query_as!(
            TableRow,
            r#"select id as "id!: TableId", listed_table.game as "game!", status as "status!: Status", listed_table.seats as "seats!",
                 private as "private!", moves as "moves!", standing as "standing!", day, opened_at as "opened_at!", moved_at as "moved_at!",
                 awaiting as "awaiting!: SeatList", false as "waits_for_me!", false as "kept_for_me!", null::timestamptz as deadline,
                 taken as "taken!: Vec<SeatNumber>", names as "names!: Vec<Option<String>>", bots as "bots!: Vec<Option<String>>"
               from game_result as result join listed_table on id = table_id
               where not private and ($1::text is null or result.game = $1)
                 and ($2::text is null or exists (select from seat_result join player on player.id = player_id
                      where seat_result.table_id = result.table_id and name_key = $2 and (won or not $3)))
                 and result.over_at >= coalesce($4::date, '-infinity') and result.over_at < coalesce($5::date + 1, 'infinity')
                 and moves between coalesce($6, 0) and coalesce($7, 2147483647)
                 and (not $8 or coalesce(lead <= $9, false)
                      or exists (select from analysis where analysis.table_id = result.table_id and open_until >= $10))
                 and (not $11 or exists (select from analysis where analysis.table_id = result.table_id and winners_least <= $12))
               order by result.over_at desc offset $13 limit $14"#,
            search.game,
            search.name_key,
            won,
            since,
            search.until,
            shortest,
            longest,
            close,
            CLOSE_LEAD,
            CLOSE_UNTIL,
            comeback,
            COMEBACK_FROM,
            search.offset,
            search.limit,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows)
    }
}
