//! The archive: finished games, by game, player and date.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::NaiveDate;
use serde::Deserialize;

use crate::db::tables::lists::ArchiveSearch;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::home::TableLine;
use crate::http::problem::Problem;
use crate::http::render::html;
use crate::percent::percent_encoded;
use crate::players::PlayerName;

/// How many games a page lists.
const GAMES_A_PAGE: i64 = 50;

/// The last page that can be asked for.
const LAST_PAGE: i64 = 1_000;

#[derive(Deserialize)]
pub struct Search {
    #[serde(default)]
    game: String,
    #[serde(default)]
    player: String,
    #[serde(default)]
    until: String,
    #[serde(default)]
    page: i64,
}

#[derive(Template)]
#[template(path = "pages/archive.html")]
struct ArchivePage {
    frame: Frame,
    search: Search,
    games: Vec<(&'static str, &'static str)>,
    tables: Vec<TableLine>,
    /// The address of the next page, if there is one.
    next: Option<String>,
}

/// `GET /archive`
pub async fn show(
    app: web::Data<AppState>,
    search: web::Query<Search>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let search = search.into_inner();
    let filled = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let (game, player) = (filled(&search.game), filled(&search.player));
    let until: Option<NaiveDate> = match filled(&search.until) {
        Some(day) => Some(day.parse().map_err(|_| Problem::Refused("A date is written like 2026-11-16.".into()))?),
        None => None,
    };
    let number = search.page.clamp(0, LAST_PAGE);
    let offset = number * GAMES_A_PAGE;
    let name_key = player.as_deref().map(PlayerName::search_key);
    let (game, name_key) = (game.as_deref(), name_key.as_deref());
    let asked = ArchiveSearch { game, name_key, until, offset, limit: GAMES_A_PAGE + 1 };
    let rows = app.tables.finished_tables(&asked).await?;
    let more = rows.len() > GAMES_A_PAGE as usize;
    let tables = rows.into_iter().take(GAMES_A_PAGE as usize).map(|row| TableLine::new(&app, row)).collect();
    let next = more.then(|| {
        let [game, player, until] =
            [&search.game, &search.player, &search.until].map(|field| percent_encoded(field.as_bytes()));
        format!("/archive?game={game}&player={player}&until={until}&page={}", number + 1)
    });
    let games = app.tables.catalogue.iter().map(|game| (game.info().slug, game.info().title)).collect();
    Ok(html(StatusCode::OK, &ArchivePage { frame: user.frame(), search, games, tables, next })?)
}
