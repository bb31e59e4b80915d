//! The garden of the day: one secret a day.

use chrono::NaiveDate;

use crate::db::{Result, Store};
use crate::tables::state::table_state::Status;
use crate::tables::{PlayerId, TableId};

/// A game of the day as the list of results shows it.
pub struct DayResult {
    pub table_id: TableId,
    pub player_id: PlayerId,
    pub status: Status,
    pub standing: Vec<i64>,
}

/// A player's game of a day.
pub struct DayOfPlayer {
    pub day: NaiveDate,
    pub table_id: TableId,
    pub status: Status,
    pub standing: Vec<i64>,
}

impl Store {
    /// The secret of a day. The first to ask brings one along; it then stays.
    pub async fn secret_of_day(&self, day: NaiveDate, fresh: &[u8]) -> Result<Vec<u8>> {
        sqlx::query!("insert into garden_of_the_day (day, secret) values ($1, $2) on conflict do nothing", day, fresh)
            .execute(&self.pool)
            .await?;
        let secret = sqlx::query_scalar!("select secret from garden_of_the_day where day = $1", day)
            .fetch_one(&self.pool)
            .await?;
        Ok(secret)
    }

    /// The secret of a day, if that day had one.
    pub async fn known_secret_of_day(&self, day: NaiveDate) -> Result<Option<Vec<u8>>> {
        let secret = sqlx::query_scalar!("select secret from garden_of_the_day where day = $1", day)
            .fetch_optional(&self.pool)
            .await?;
        Ok(secret)
    }

    /// All games of a day, the best first.
    pub async fn results_of_day(&self, day: NaiveDate) -> Result<Vec<DayResult>> {
        let rows = sqlx::query_as!(
            DayResult,
            r#"select game_table.id as "table_id: TableId", seat.player_id as "player_id!: PlayerId", status as "status: Status", standing
             from game_table join seat on seat.table_id = game_table.id
             where game_table.day = $1
             order by status = 'over' desc, standing desc, moved_at
             limit 200"#,
            day,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// The days before this one that had a garden, the latest first.
    pub async fn days_before(&self, day: NaiveDate, limit: i64) -> Result<Vec<NaiveDate>> {
        let days = sqlx::query_scalar!(
            "select day from garden_of_the_day where day < $1 order by day desc limit $2",
            day,
            limit,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(days)
    }

    /// The player's games of gardens, the latest first.
    pub async fn days_of_player(&self, player: PlayerId, limit: i64) -> Result<Vec<DayOfPlayer>> {
        let rows = sqlx::query_as!(
            DayOfPlayer,
            r#"select seat.day as "day!", game_table.id as "table_id: TableId", status as "status: Status", standing
             from seat join game_table on game_table.id = seat.table_id
             where seat.player_id = $1 and seat.day is not null
             order by seat.day desc limit $2"#,
            player as _,
            limit,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// The player's game of a day, and whether it is over.
    pub async fn game_of_day(&self, player: PlayerId, day: NaiveDate) -> Result<Option<(TableId, bool)>> {
        let row = sqlx::query!(
            r#"select game_table.id as "id: TableId", status = 'over' as "over!" from seat join game_table on game_table.id = seat.table_id
               where seat.player_id = $1 and seat.day = $2"#,
            player as _,
            day,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|row| (row.id, row.over)))
    }
}
