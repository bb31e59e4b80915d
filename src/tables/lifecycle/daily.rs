//! The garden of the day: one deal for everybody, promised a day ahead, its secret published when the day is over.
//!
//! A game of today's garden would tell what is to come, so it is hidden from those who have not finished theirs.

use chrono::{Days, NaiveDate};
use serde_json::Value;

use crate::db::retry_transient;
use crate::db::tables::append::{NewTable, Sitting};
use crate::tables::clock::absence::Habits;
use crate::tables::clock::pace::Pace;
use crate::tables::lifecycle::open::{begin, fresh_secret, fresh_token, opening, sit_and_deal};
use crate::tables::state::record::{Chain, TableFact};
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, OpenError, PlayerId, ReadError, SitError, TableId, TableOptions, Tables};
use wonderpost_rules::seed::{Promise, Secret};
use wonderpost_rules::{DailyGame, Position, Refusal, Seat};

/// How much of a table somebody may see.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    Whole,
    /// How it stands among the results, nothing else.
    ResultOnly,
}

/// One line of the list of results.
#[derive(Debug, PartialEq, Eq)]
pub struct DayResult {
    /// Equal games share a place.
    pub place: usize,
    pub table: TableId,
    pub is_mine: bool,
    pub over: bool,
    /// By which it is compared with others: the game says what the numbers are.
    pub ranking_key: Vec<i64>,
}

#[derive(Debug, thiserror::Error)]
pub enum DayError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Sit(#[from] SitError),
}

impl Tables {
    /// Today, everywhere: days begin and end at midnight UTC.
    pub fn today(&self) -> NaiveDate {
        self.now().date_naive()
    }

    async fn secret_of_day(&self, day: NaiveDate) -> Result<Secret, ReadError> {
        let fresh = fresh_secret();
        let secret = retry_transient(|| self.store.secret_of_day(day, fresh.bytes())).await?;
        Secret::from_slice(&secret).ok_or(ReadError::NoTable)
    }

    /// The promises of a day and of the one after it.
    pub async fn promises(&self, day: NaiveDate) -> Result<(Promise, Promise), ReadError> {
        let tomorrow = day.checked_add_days(Days::new(1)).unwrap_or(day);
        Ok((self.secret_of_day(day).await?.promise(), self.secret_of_day(tomorrow).await?.promise()))
    }

    /// The secret of a day that is over, if that day had a garden.
    pub async fn published_secret(&self, day: NaiveDate) -> Result<Option<Secret>, ReadError> {
        if day >= self.today() {
            return Ok(None);
        }
        let secret = retry_transient(|| self.store.known_secret_of_day(day)).await?;
        Ok(secret.as_deref().and_then(Secret::from_slice))
    }

    /// The player's game of today's garden; it is laid out if they have none yet.
    pub async fn play_today(&self, player: PlayerId) -> Result<TableId, DayError> {
        let day = self.today();
        if let Some((table, _)) = self.game_of_day(player, day).await.map_err(SitError::from)? {
            return Ok(table);
        }
        let secret = self.secret_of_day(day).await.map_err(SitError::from)?;
        match self.open_garden(player, day, &secret, true).await {
            // Two clicks: the other one laid it out.
            Err(DayError::Open(OpenError::Store(error))) if error.is_duplicate() => {
                let there = self.game_of_day(player, day).await.map_err(SitError::from)?;
                there.map(|(table, _)| table).ok_or_else(|| OpenError::Store(error).into())
            }
            opened => opened,
        }
    }

    /// A former garden for a player to try: a table like any other on the deal of that day, and no part of its results.
    pub async fn play_former(&self, player: PlayerId, day: NaiveDate) -> Result<Option<TableId>, DayError> {
        let Some(secret) = self.published_secret(day).await.map_err(SitError::from)? else { return Ok(None) };
        self.check_table_limit(player).await?;
        self.open_garden(player, day, &secret, false).await.map(Some)
    }

    async fn open_garden(
        &self,
        player: PlayerId,
        day: NaiveDate,
        secret: &Secret,
        counts: bool,
    ) -> Result<TableId, DayError> {
        let id = TableId::fresh();
        let (folded, chain) = self.lay_out_garden(id, day, secret, counts)?;
        let events: Vec<_> = chain.records.iter().map(|record| record.to_new_event()).collect();
        let table = NewTable {
            id,
            game: folded.game.info().slug,
            seats: 1,
            private: false,
            opened_by: Some(player),
            link_token: &fresh_token(),
            day: counts.then_some(day),
            rematch_of: None,
            secret: (!counts).then_some(&secret.bytes()[..]),
            sitting: &[Sitting { seat: Seat::FIRST, player: Some(player), bot: None }],
            at: chain.at,
            events: &events,
            projection: &folded.projection(),
        };
        self.store.open_table(&table).await.map_err(OpenError::Store)?;
        Ok(id)
    }

    /// A game of a day's garden, laid out.
    fn lay_out_garden(
        &self,
        id: TableId,
        day: NaiveDate,
        secret: &Secret,
        counts: bool,
    ) -> Result<(TableState, Chain), DayError> {
        let daily = self.catalogue.daily();
        let (game, _) = daily.ok_or_else(|| OpenError::Refused(Refusal::new("There is no garden here.")))?;
        let wishes = TableOptions {
            game,
            seats: 1,
            options: Value::Object(Default::default()),
            pace: Pace::default(),
            private: false,
            by_lot: false,
            preset_answers: false,
            bots: Vec::new(),
        };
        let mut opened = opening(&wishes, secret.promise(), format!("day {day}")).map_err(OpenError::from)?;
        opened.day = counts.then_some(day);
        let (mut folded, mut chain) = begin(self, id, opened).map_err(OpenError::from)?;
        let sat = TableFact::Sat { seat: Seat::FIRST, cut: None, bot: None };
        sit_and_deal(&mut folded, &mut chain, Seat::FIRST, &sat, secret, &Habits::default(), None)?;
        Ok((folded, chain))
    }

    /// The garden of today or of a day that is over, as everybody finds it; `None` if that day has none.
    pub async fn garden_of_day(&self, day: NaiveDate) -> Result<Option<Box<dyn Position>>, DayError> {
        let secret = match day == self.today() {
            true => Some(self.secret_of_day(day).await.map_err(SitError::from)?),
            false => self.published_secret(day).await.map_err(SitError::from)?,
        };
        let Some(secret) = secret else { return Ok(None) };
        Ok(Some(self.lay_out_garden(TableId::fresh(), day, &secret, true)?.0.position))
    }

    /// The player's game of a day, and whether it is over.
    pub async fn game_of_day(&self, player: PlayerId, day: NaiveDate) -> Result<Option<(TableId, bool)>, ReadError> {
        Ok(retry_transient(|| self.store.game_of_day(player, day)).await?)
    }

    /// After how many moves a game had its first, second and so on of what counts first on its day.
    pub async fn milestones(&self, table: TableId) -> Result<Vec<u32>, ReadError> {
        let records = self.records(table).await?;
        let Some((first, rest)) = records.split_first() else { return Err(ReadError::NoTable) };
        let mut state = TableState::begin(&self.catalogue, first)?;
        let mut reached = Vec::new();
        for record in rest {
            state.fold(record)?;
            let count = state.position.ranking_key().first().copied().unwrap_or(0);
            reached.resize(usize::try_from(count).unwrap_or(0), record.move_no);
        }
        Ok(reached)
    }

    /// What the results of a day say of its game.
    pub fn daily_game(&self) -> Option<&'static DailyGame> {
        self.catalogue.daily().map(|(_, daily)| daily)
    }

    /// The results of a day, the best first.
    pub async fn results_of_day(&self, day: NaiveDate, player: Option<PlayerId>) -> Result<Vec<DayResult>, ReadError> {
        let rows = retry_transient(|| self.store.results_of_day(day)).await?;
        let mut results: Vec<DayResult> = Vec::with_capacity(rows.len());
        for (index, row) in rows.into_iter().enumerate() {
            let over = row.status == Status::Over;
            let place = match results.last() {
                Some(before) if before.ranking_key == row.standing && before.over == over => before.place,
                _ => index + 1,
            };
            results.push(DayResult {
                place,
                table: row.table_id,
                is_mine: player == Some(row.player_id),
                over,
                ranking_key: row.standing,
            });
        }
        Ok(results)
    }

    /// How much of a table a player (or somebody without a session) may see.
    pub async fn sight(&self, cached: &CachedTable, player: Option<PlayerId>) -> Result<Sight, ReadError> {
        let Some(day) = cached.now.opened.day.filter(|day| *day >= self.today()) else { return Ok(Sight::Whole) };
        let Some(player) = player else { return Ok(Sight::ResultOnly) };
        if cached.seat_of(Some(player)).is_some() {
            return Ok(Sight::Whole);
        }
        let finished = self.game_of_day(player, day).await?.is_some_and(|(_, over)| over);
        Ok(if finished { Sight::Whole } else { Sight::ResultOnly })
    }
}
