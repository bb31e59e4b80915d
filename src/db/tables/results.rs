//! Results of finished games, and ratings.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};

use crate::db::column_types::SeatNumber;
use crate::db::pool::Transaction;
use crate::db::{Result, Store};
use crate::tables::results::Rating;
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::Seat;

/// How a game went for a seat.
pub struct NewSeatResult<'a> {
    pub seat: Seat,
    pub won: bool,
    pub answers: &'a [i32],
}

/// A seat of a game that is to be rated.
pub struct SeatToRate {
    pub table_id: TableId,
    pub over_at: DateTime<Utc>,
    pub player_id: Option<PlayerId>,
    pub bot: Option<String>,
    pub won: bool,
}

/// The ratings of a game while they are changed: nobody else changes them meanwhile.
pub(crate) struct RatingTransaction<'a> {
    transaction: Transaction,
    game: &'a str,
}

impl Store {
    /// Public tables that ended since then and have no result of this version, by their ids, after one of them. Gardens of the day
    /// have theirs when the day is over.
    pub async fn tables_without_result(
        &self,
        version: i32,
        since: DateTime<Utc>,
        today: NaiveDate,
        after: Option<TableId>,
        limit: i64,
    ) -> Result<Vec<TableId>> {
        let ids = sqlx::query_scalar!(
            r#"select id as "id: TableId" from game_table
               where over_at >= $2 and status = 'over' and not private and (day is null or day < $3)
                 and ($4::uuid is null or id > $4)
                 and not exists (select from game_result where table_id = id and version = $1)
               order by id limit $5"#,
            version,
            since,
            today,
            after as _,
            limit,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(ids)
    }

    /// Keeps the result of a table, in the place of one of another version.
    pub async fn keep_result(
        &self,
        table: TableId,
        version: i32,
        counts: bool,
        lead: Option<i64>,
        seats: &[NewSeatResult<'_>],
    ) -> Result<()> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query!("delete from game_result where table_id = $1 and version <> $2", table as _, version)
            .execute(&mut *transaction)
            .await?;
        let kept = sqlx::query!(
            "insert into game_result (table_id, version, game, seats, over_at, counts, lead)
             select id, $2, game, seats, over_at, $3, $4 from game_table where id = $1 and over_at is not null
             on conflict do nothing",
            table as _,
            version,
            counts,
            lead,
        )
        .execute(&mut *transaction)
        .await?;
        if kept.rows_affected() == 1 {
            for seat in seats {
                sqlx::query!(
                    "insert into seat_result (table_id, seat, player_id, bot, won, answers)
                     select table_id, seat, player_id, bot, $3, $4 from seat where table_id = $1 and seat = $2",
                    table as _,
                    SeatNumber(seat.seat) as _,
                    seat.won,
                    seat.answers,
                )
                .execute(&mut *transaction)
                .await?;
            }
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Throws all results and ratings away.
    pub async fn drop_results(&self) -> Result<()> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query!("delete from game_result").execute(&mut *transaction).await?;
        sqlx::query!("delete from rating").execute(&mut *transaction).await?;
        sqlx::query!("delete from rating_progress").execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Begins to change the ratings of a game. If a game has come to light that ended before the last one that was rated, all are
    /// rated anew: ratings depend on the order.
    pub(crate) async fn begin_rating<'a>(&self, game: &'a str) -> Result<RatingTransaction<'a>> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query!("insert into rating_progress (game) values ($1) on conflict do nothing", game)
            .execute(&mut *transaction)
            .await?;
        sqlx::query!("select from rating_progress where game = $1 for update", game).execute(&mut *transaction).await?;
        let is_out_of_order = sqlx::query_scalar!(
            r#"select exists (select from game_result, rating_progress as progress
                 where game_result.game = $1 and progress.game = $1 and counts and not rated
                   and (game_result.over_at, game_result.table_id) < (progress.over_at, progress.table_id)) as "exists!""#,
            game,
        )
        .fetch_one(&mut *transaction)
        .await?;
        if is_out_of_order {
            sqlx::query!("delete from rating where game = $1", game).execute(&mut *transaction).await?;
            sqlx::query!("update game_result set rated = false where game = $1 and rated", game)
                .execute(&mut *transaction)
                .await?;
        }
        Ok(RatingTransaction { transaction, game })
    }
}

impl RatingTransaction<'_> {
    /// The seats of the next games to be rated, in the order in which the games ended.
    pub async fn next_games(&mut self, limit: i64) -> Result<Vec<SeatToRate>> {
        let rows = sqlx::query_as!(
            SeatToRate,
            r#"select table_id as "table_id: TableId", over_at, player_id as "player_id: PlayerId", bot, won
               from (select table_id, over_at from game_result where game = $1 and counts and not rated
                     order by over_at, table_id limit $2) as next join seat_result using (table_id)
               order by over_at, table_id, seat"#,
            self.game,
            limit,
        )
        .fetch_all(&mut *self.transaction)
        .await?;
        Ok(rows)
    }

    pub async fn ratings_of(&mut self, players: &[PlayerId]) -> Result<HashMap<PlayerId, Rating>> {
        let rows = sqlx::query!(
            r#"select player_id as "player_id: PlayerId", mean, deviation, games from rating
               where game = $1 and player_id = any ($2)"#,
            self.game,
            players as _,
        )
        .fetch_all(&mut *self.transaction)
        .await?;
        let rating = |mean, deviation, games| Rating { mean, deviation, games };
        Ok(rows.into_iter().map(|row| (row.player_id, rating(row.mean, row.deviation, row.games))).collect())
    }

    /// Stores the ratings that changed, and up to which game they are.
    pub async fn finish(
        mut self,
        ratings: &HashMap<PlayerId, Rating>,
        rated: &[TableId],
        last: Option<(DateTime<Utc>, TableId)>,
    ) -> Result<()> {
        for (player, rating) in ratings {
            sqlx::query!(
                "insert into rating (player_id, game, mean, deviation, games) values ($1, $2, $3, $4, $5)
                 on conflict (player_id, game) do update
                   set mean = excluded.mean, deviation = excluded.deviation, games = excluded.games",
                *player as _,
                self.game,
                rating.mean,
                rating.deviation,
                rating.games,
            )
            .execute(&mut *self.transaction)
            .await?;
        }
        sqlx::query!("update game_result set rated = true where table_id = any ($1)", rated as _)
            .execute(&mut *self.transaction)
            .await?;
        if let Some((over_at, table)) = last {
            sqlx::query!(
                "update rating_progress set over_at = $2, table_id = $3 where game = $1",
                self.game,
                over_at,
                table as _,
            )
            .execute(&mut *self.transaction)
            .await?;
        }
        self.transaction.commit().await?;
        Ok(())
    }
}
