//! What a newcomer is shown of the house: a game to watch, and how much is going on.

use std::time::Duration;

use chrono::TimeDelta;

use crate::db::host::figures::Span;
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::pages::home::game_title;
use crate::http::problem::Problem;
use crate::tables::state::glance::Glance;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, PlayerId, name_of};
use wonderpost_rules::Seat;

/// How many of the tables that moved lately are looked at for one to watch.
const TRIES: usize = 3;

/// Below so many moves in a month the house says nothing of how much is played.
const WORTH_TELLING: i64 = 100;

/// How long a process trusts what it last read of how much is played.
pub(in crate::http) const FIGURES_FRESH_FOR: Duration = Duration::from_secs(60);

#[derive(Default)]
pub(crate) struct Welcome {
    pub watch: Option<Watched>,
    pub figures: Option<MonthFigures>,
}

/// A game under way that anybody may look at.
pub(crate) struct Watched {
    pub url: String,
    pub title: String,
    pub names: String,
    /// How many moves were made, as those who only watch count them.
    pub moves: u32,
}

/// How much was played in the last thirty days.
#[derive(Clone)]
pub(crate) struct MonthFigures {
    pub moves: String,
    pub games: String,
}

impl Welcome {
    pub async fn new(app: &AppState, player: Option<PlayerId>) -> Result<Welcome, Problem> {
        let figures = app.month_figures.get(async || figures(app).await).await;
        Ok(Welcome { watch: watch(app, player).await?, figures: Option::clone(&figures) })
    }
}

/// Whether anybody may watch it: people play it, or one against bots, and nobody knows more by having looked.
fn is_watchable(table: &CachedTable) -> bool {
    let opened = &table.now.opened;
    !opened.private && opened.day.is_none() && opened.seats > 1 && table.now.status() == Status::Playing
}

async fn watch(app: &AppState, player: Option<PlayerId>) -> Result<Option<Watched>, Problem> {
    for id in app.tables.recently_moved.tables().into_iter().take(TRIES) {
        // What was taken back by the database is not there any more.
        let Ok(Glance { table, holders, .. }) = app.tables.glance(id, player).await else { continue };
        if !is_watchable(&table) || table.seat_of(player).is_some() {
            continue;
        }
        let names: Vec<String> = Seat::all(table.now.opened.seats).map(|seat| name_of(&holders, seat)).collect();
        let numbering = table.now.numbering(wonderpost_rules::Viewer::Public);
        return Ok(Some(Watched {
            url: format!("/t/{id}"),
            title: game_title(app, &table.now.opened.game),
            names: names.join(", "),
            moves: numbering.shown(table.now.moves),
        }));
    }
    Ok(None)
}

async fn figures(app: &AppState) -> Result<Option<MonthFigures>, Problem> {
    let since = app.tables.now() - TimeDelta::days(30);
    let rows = retry_transient(|| app.tables.store.figures(Span::Day, since)).await?;
    let (moves, games) = rows.iter().fold((0, 0), |(moves, games), row| (moves + row.moves, games + row.tables_over));
    let figures = MonthFigures { moves: thousands(moves), games: thousands(games) };
    Ok((moves >= WORTH_TELLING && games > 0).then_some(figures))
}

/// A number as people write it: 12,345.
fn thousands(number: i64) -> String {
    let digits = number.to_string();
    let mut written = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_written_in_groups() {
        assert_eq!([7, 999, 1_000, 1_234_567].map(thousands), ["7", "999", "1,000", "1,234,567"]);
    }
}
