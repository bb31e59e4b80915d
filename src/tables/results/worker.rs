//! Keeping results and ratings: finished tables are read in the background, and rated in the order in which they ended.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;

use crate::db::StoreError;
use crate::db::tables::results::NewSeatResult;
use crate::tables::results::ratings::{Rated, RatedSeat, rate};
use crate::tables::results::{Outcome, Rating, VERSION};
use crate::tables::{PlayerId, ReadError, TableId, Tables};
use wonderpost_rules::Level;

/// How long to wait between two rounds.
const ROUND: Duration = Duration::from_secs(10);

/// How many tables are read or rated at a time.
const TABLES_A_ROUND: i64 = 100;

/// How long ago the games ended that a round looks at; the first of a process looks at all.
const RECENT: TimeDelta = TimeDelta::days(2);

/// How many results and ratings there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    pub results: usize,
    pub rated: usize,
}

impl Tables {
    /// Keeps results for ever.
    pub async fn keep_results(self: Arc<Tables>) {
        let mut reaches_back = TimeDelta::days(36_500);
        loop {
            match self.catch_up_results(reaches_back).await {
                Ok(_) => reaches_back = RECENT,
                Err(error) => tracing::warn!(%error, "the results of games could not be kept; this is tried again"),
            }
            tokio::time::sleep(ROUND).await;
        }
    }

    /// Reads all that ended since then and is not read, and rates it.
    pub async fn catch_up_results(&self, reaches_back: TimeDelta) -> Result<Rebuilt, StoreError> {
        let since = self.now() - reaches_back;
        let mut results = 0;
        let mut after = None;
        loop {
            let ids = self.store.tables_without_result(VERSION, since, self.today(), after, TABLES_A_ROUND).await?;
            for id in &ids {
                match self.keep_result(*id).await {
                    Ok(()) => results += 1,
                    Err(ReadError::Store(error)) => return Err(error),
                    Err(error) => tracing::warn!(%error, table = %id, "the result of a table cannot be read"),
                }
            }
            after = ids.last().copied();
            if ids.len() < TABLES_A_ROUND as usize {
                break;
            }
        }
        let mut rated = 0;
        for game in self.catalogue.iter() {
            rated += self.rate_game(game.info().slug).await?;
        }
        Ok(Rebuilt { results, rated })
    }

    /// Throws results and ratings away and makes them again.
    pub async fn rebuild_results(&self) -> Result<Rebuilt, StoreError> {
        self.store.drop_results().await?;
        self.catch_up_results(TimeDelta::days(36_500)).await
    }

    async fn keep_result(&self, id: TableId) -> Result<(), ReadError> {
        let records = self.records(id).await?;
        let Some(outcome) = Outcome::read(&self.catalogue, &records)? else { return Ok(()) };
        let seats: Vec<NewSeatResult> = outcome
            .seats
            .iter()
            .map(|seat| NewSeatResult { seat: seat.seat, won: seat.won, answers: &seat.answers })
            .collect();
        Ok(self.store.keep_result(id, VERSION, outcome.counts, outcome.lead, &seats).await?)
    }

    /// Rates the games of a kind that are not rated yet; how many there were.
    async fn rate_game(&self, game: &str) -> Result<usize, StoreError> {
        let mut rated = 0;
        loop {
            let some = self.rate_some(game).await?;
            rated += some;
            if some < TABLES_A_ROUND as usize {
                return Ok(rated);
            }
        }
    }

    async fn rate_some(&self, game: &str) -> Result<usize, StoreError> {
        let mut rating = self.store.begin_rating(game).await?;
        let seats = rating.next_games(TABLES_A_ROUND).await?;
        let players: Vec<PlayerId> = seats.iter().filter_map(|seat| seat.player_id).collect();
        let mut ratings: HashMap<PlayerId, Rating> = rating.ratings_of(&players).await?;
        let games: Vec<_> = seats.chunk_by(|left, right| left.table_id == right.table_id).collect();
        for game in &games {
            let seats: Vec<RatedSeat> = game
                .iter()
                .filter_map(|row| {
                    let bot = || row.bot.as_deref().and_then(|level| level.parse::<Level>().ok()).map(Rated::Bot);
                    let who = row.player_id.map(Rated::Player).or_else(bot)?;
                    Some(RatedSeat { who, won: row.won })
                })
                .collect();
            rate(&mut ratings, &seats);
        }
        let last = seats.last().map(|seat| (seat.over_at, seat.table_id));
        let rated: Vec<TableId> = games.iter().filter_map(|game| game.first()).map(|row| row.table_id).collect();
        rating.finish(&ratings, &rated, last).await?;
        Ok(games.len())
    }
}
