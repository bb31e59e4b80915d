//! What finished games say of a player.

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::db::{Result, Store};
use crate::tables::PlayerId;

/// Somebody whose page is asked for.
pub struct FoundPlayer {
    pub id: PlayerId,
    pub name: String,
    /// JSON.
    pub settings: String,
    pub created_at: DateTime<Utc>,
}

/// How often somebody played a game with so many seats, and won.
pub struct PlayedRow {
    pub game: String,
    pub seats: i16,
    pub games: i64,
    pub won: i64,
}

#[derive(Serialize)]
pub struct RatingRow {
    pub game: String,
    pub mean: f64,
    pub deviation: f64,
    pub games: i32,
}

/// Somebody whom a player met.
pub struct OpponentRow {
    pub id: PlayerId,
    pub name: String,
    pub games: i64,
    /// How often the player won, and how often they did.
    pub won: i64,
    pub lost: i64,
}

/// A player's last decisions in one game.
pub struct AnswersRow {
    pub player_id: PlayerId,
    pub answers: Vec<i32>,
}

impl Store {
    /// The player with this id or name; former players have neither page nor name.
    pub async fn find_player(&self, id: Option<PlayerId>, name_key: &str) -> Result<Option<FoundPlayer>> {
        let row = sqlx::query_as!(
            FoundPlayer,
            r#"select id as "id: PlayerId", name as "name!", settings::text as "settings!", created_at from player
               where name is not null and (id = $1 or ($1 is null and name_key = $2))"#,
            id as _,
            name_key,
        )
        .fetch_optional(&self.lookups)
        .await?;
        Ok(row)
    }

    /// Whether two players have ever had seats at the same table.
    pub async fn have_met(&self, one: PlayerId, other: PlayerId) -> Result<bool> {
        let met = sqlx::query_scalar!(
            r#"select exists (select from seat as mine join seat as theirs using (table_id)
               where mine.player_id = $1 and theirs.player_id = $2) as "met!""#,
            one as _,
            other as _,
        )
        .fetch_one(&self.lookups)
        .await?;
        Ok(met)
    }

    /// How often a player played what, and won; games for one among them.
    pub async fn games_played(&self, player: PlayerId) -> Result<Vec<PlayedRow>> {
        let rows = sqlx::query_as!(
            PlayedRow,
            r#"select game, seats, count(*) as "games!", count(*) filter (where won) as "won!"
               from seat_result join game_result using (table_id)
               where player_id = $1 and (counts or seats = 1) group by game, seats order by game, seats"#,
            player as _,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows)
    }

    pub async fn ratings_of(&self, player: PlayerId) -> Result<Vec<RatingRow>> {
        let rows = sqlx::query_as!(
            RatingRow,
            "select game, mean, deviation, games from rating where player_id = $1 order by game",
            player as _,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows)
    }

    /// Whom a player met most often.
    pub async fn opponents_of(&self, player: PlayerId, limit: i64) -> Result<Vec<OpponentRow>> {
        let rows = sqlx::query_as!(
            OpponentRow,
            r#"select player.id as "id: PlayerId", name as "name!", count(*) as "games!",
                 count(*) filter (where mine.won) as "won!", count(*) filter (where theirs.won) as "lost!"
               from seat_result as mine join game_result using (table_id)
                 join seat_result as theirs on theirs.table_id = mine.table_id and theirs.seat <> mine.seat
                 join player on player.id = theirs.player_id
               where mine.player_id = $1 and counts and name is not null
               group by player.id, name order by count(*) desc, name limit $2"#,
            player as _,
            limit,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows)
    }

    /// The decisions of players in their last games for several, the latest game first.
    pub async fn last_answers(&self, players: &[PlayerId], games_each: i64) -> Result<Vec<AnswersRow>> {
        let rows = sqlx::query_as!(
            AnswersRow,
            r#"select asked.player_id as "player_id!: PlayerId", last.answers as "answers!"
               from unnest($1::uuid[]) as asked (player_id) cross join lateral (
                 select answers, over_at from seat_result join game_result using (table_id)
                 where seat_result.player_id = asked.player_id and seats > 1
                 order by over_at desc limit $2) as last
               order by asked.player_id, last.over_at desc"#,
            players as _,
            games_each,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows)
    }

    /// What players chose, as JSON.
    pub async fn settings_of(&self, players: &[PlayerId]) -> Result<Vec<(PlayerId, String)>> {
        let rows = sqlx::query!(
            r#"select id as "id: PlayerId", settings::text as "settings!" from player where id = any ($1)"#,
            players as _,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows.into_iter().map(|row| (row.id, row.settings)).collect())
    }
}
