//! What makes a habit of the garden: how I did among the others, beside the best, day by day, in a line to pass on.

use chrono::NaiveDate;

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::pages::daily::{Column, columns_of, words};
use crate::http::problem::Problem;
use crate::tables::PlayerId;
use crate::tables::lifecycle::daily::DayResult;
use crate::tables::state::table_state::Status;

/// How many of my days are shown in a row.
const DAYS_IN_A_ROW: i64 = 14;

/// How I did among those who have finished.
pub(super) struct MyResult {
    pub place: usize,
    pub players: usize,
    /// To be passed on: it gives nothing away.
    pub shared: String,
    /// Beside the best game, if that is not mine.
    pub best: Option<Comparison>,
}

/// My game and the best one, step by step.
pub(super) struct Comparison {
    pub mine: String,
    pub best: String,
    pub steps: Vec<Milestone>,
}

/// When each had so many of what counts first.
pub(super) struct Milestone {
    pub count: String,
    pub mine: Option<u32>,
    pub best: Option<u32>,
}

/// A day on which I played.
pub(super) struct MyDay {
    pub day: NaiveDate,
    pub url: String,
    pub words: String,
}

/// The best game of a day.
pub(crate) struct BestGame {
    pub url: String,
    pub words: String,
}

/// A result in words: “4 of 12 roses · 31 turns”.
fn result_in_words(columns: &[Column], ranking_key: &[i64]) -> String {
    let words: Vec<String> = columns.iter().map(|column| column.words_of_most(ranking_key)).collect();
    words.join(" · ")
}

/// A sign for each that I have, and for each that I have not.
fn line_of_symbols(columns: &[Column], ranking_key: &[i64]) -> String {
    let Some((first, most)) = columns.first().and_then(|first| Some((first, first.number.most?))) else {
        return String::new();
    };
    let count = first.count(ranking_key).clamp(0, most);
    "🌹".repeat(usize::try_from(count).unwrap_or(0)) + &"▫️".repeat(usize::try_from(most - count).unwrap_or(0))
}

impl MyResult {
    /// `None` while my game is not over.
    pub async fn new(app: &AppState, day: NaiveDate, results: &[DayResult]) -> Result<Option<MyResult>, Problem> {
        let Some(mine) = results.iter().find(|result| result.is_mine && result.over) else { return Ok(None) };
        let columns = columns_of(app.tables.daily_game());
        let shared = [
            format!("The garden of {}", words(&day)),
            result_in_words(&columns, &mine.ranking_key),
            line_of_symbols(&columns, &mine.ranking_key),
            app.link(&format!("/daily/{day}")),
        ];
        let best = results.first().filter(|best| best.ranking_key != mine.ranking_key);
        let best = match best {
            Some(best) => Some(Comparison::new(app, &columns, mine, best).await?),
            None => None,
        };
        Ok(Some(MyResult {
            place: mine.place,
            players: results.iter().filter(|result| result.over).count(),
            shared: shared.join("\n"),
            best,
        }))
    }
}

impl Comparison {
    async fn new(
        app: &AppState,
        columns: &[Column],
        mine: &DayResult,
        best: &DayResult,
    ) -> Result<Comparison, Problem> {
        let (my_steps, best_steps) =
            (app.tables.milestones(mine.table).await?, app.tables.milestones(best.table).await?);
        let longest = my_steps.len().max(best_steps.len());
        let milestone = |place: usize| {
            let count = columns.first().map(|first| first.number.words(place as i64 + 1)).unwrap_or_default();
            Milestone { count, mine: my_steps.get(place).copied(), best: best_steps.get(place).copied() }
        };
        Ok(Comparison {
            mine: format!("/t/{}", mine.table),
            best: format!("/t/{}", best.table),
            steps: (0..longest).map(milestone).collect(),
        })
    }
}

/// My row of days, the latest first.
pub(super) async fn my_days(app: &AppState, player: PlayerId) -> Result<Vec<MyDay>, Problem> {
    let rows = retry_transient(|| app.tables.store.days_of_player(player, DAYS_IN_A_ROW)).await?;
    let columns = columns_of(app.tables.daily_game());
    let line = |row: crate::db::tables::days::DayOfPlayer| MyDay {
        day: row.day,
        url: format!("/t/{}", row.table_id),
        words: match row.status {
            Status::Over => result_in_words(&columns, &row.standing),
            Status::Open | Status::Playing | Status::Gone => "not finished".to_owned(),
        },
    };
    Ok(rows.into_iter().map(line).collect())
}

/// The best game of a day that is over.
pub(crate) async fn best_of(app: &AppState, day: NaiveDate) -> Result<Option<BestGame>, Problem> {
    let results = app.tables.results_of_day(day, None).await?;
    let best = results.first().filter(|best| best.over);
    let columns = columns_of(app.tables.daily_game());
    Ok(best.map(|best| BestGame {
        url: format!("/t/{}/at/0", best.table),
        words: result_in_words(&columns, &best.ranking_key),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_told_without_telling_how() {
        let columns = columns_of(wonderpost_games::catalogue().daily().map(|(_, daily)| daily));
        let ranking_key = [4, 1, -31];
        assert_eq!(result_in_words(&columns, &ranking_key), "4 of 12 roses · 31 turns");
        assert_eq!(line_of_symbols(&columns, &ranking_key), "🌹🌹🌹🌹▫️▫️▫️▫️▫️▫️▫️▫️");
    }
}
