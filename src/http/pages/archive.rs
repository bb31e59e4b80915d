//! The archive: finished games, by game, player, date and how they went; as a page and as a feed.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::db::tables::archive::ArchiveFilters;
use crate::db::tables::lists::{ArchiveSearch, TableRow};
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::feeds;
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

/// A search as the form sends it: what is not filled in is empty.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Search {
    game: String,
    player: String,
    since: String,
    until: String,
    shortest: String,
    longest: String,
    /// Boxes that are not ticked are not sent.
    won: String,
    close: String,
    comeback: String,
    page: i64,
}

/// What a search asks for, read.
struct Asked {
    game: Option<String>,
    name_key: Option<String>,
    until: Option<NaiveDate>,
    filters: ArchiveFilters,
}

#[derive(Template)]
#[template(path = "pages/archive.html")]
struct ArchivePage {
    frame: Frame,
    /// Whether more than the first fields is asked for.
    is_filtered: bool,
    games: Vec<(&'static str, &'static str)>,
    tables: Vec<TableLine>,
    /// The address of the next page, if there is one.
    next: Option<String>,
    /// The address of the same list as a feed.
    feed: String,
    search: Search,
}

fn filled(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn day(text: &str) -> Result<Option<NaiveDate>, Problem> {
    let read = |day: String| day.parse().map_err(|_| Problem::Refused("A date is written like 2026-11-16.".into()));
    filled(text).map(read).transpose()
}

fn count(text: &str) -> Result<Option<i32>, Problem> {
    let read = |count: String| match count.parse::<i32>() {
        Ok(count) if count >= 0 => Ok(count),
        _ => Err(Problem::Refused("A number of moves is written in digits, like 120.".into())),
    };
    filled(text).map(read).transpose()
}

impl Search {
    fn read(&self) -> Result<Asked, Problem> {
        let player = filled(&self.player);
        let filters = ArchiveFilters {
            since: day(&self.since)?,
            shortest: count(&self.shortest)?,
            longest: count(&self.longest)?,
            // Who won is asked of somebody.
            won: player.is_some() && !self.won.is_empty(),
            close: !self.close.is_empty(),
            comeback: !self.comeback.is_empty(),
        };
        let name_key = player.as_deref().map(PlayerName::search_key);
        Ok(Asked { game: filled(&self.game), name_key, until: day(&self.until)?, filters })
    }

    /// The same search as a query, without its page.
    fn query(&self) -> String {
        let fields = [
            ("game", &self.game),
            ("player", &self.player),
            ("since", &self.since),
            ("until", &self.until),
            ("shortest", &self.shortest),
            ("longest", &self.longest),
            ("won", &self.won),
            ("close", &self.close),
            ("comeback", &self.comeback),
        ];
        let filled = fields.iter().filter(|(_, value)| !value.trim().is_empty());
        let written = filled.map(|(name, value)| format!("{name}={}", percent_encoded(value.as_bytes())));
        written.collect::<Vec<_>>().join("&")
    }
}

async fn find(app: &AppState, search: &Search, limit: i64) -> Result<Vec<TableRow>, Problem> {
    let asked = search.read()?;
    let asked = ArchiveSearch {
        game: asked.game.as_deref(),
        name_key: asked.name_key.as_deref(),
        until: asked.until,
        filters: asked.filters,
        offset: search.page.clamp(0, LAST_PAGE) * GAMES_A_PAGE,
        limit,
    };
    Ok(app.tables.finished_tables(&asked).await?)
}

/// `GET /archive`
pub async fn show(
    app: web::Data<AppState>,
    search: web::Query<Search>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let search = search.into_inner();
    let rows = find(&app, &search, GAMES_A_PAGE + 1).await?;
    let more = rows.len() > GAMES_A_PAGE as usize;
    let tables = rows.into_iter().take(GAMES_A_PAGE as usize).map(|row| TableLine::new(&app, row)).collect();
    let query = search.query();
    let next = more.then(|| format!("/archive?{query}&page={}", search.page.clamp(0, LAST_PAGE) + 1));
    let games = app.tables.catalogue.iter().map(|game| (game.info().slug, game.info().title)).collect();
    let feed = format!("/archive.atom?{query}");
    let is_filtered = search.read()?.filters != ArchiveFilters::default();
    let page = ArchivePage { frame: user.frame(), is_filtered, games, tables, next, feed, search };
    Ok(html(StatusCode::OK, &page)?)
}

/// `GET /archive.atom`: the latest games of a search, for programs that follow it.
pub async fn feed(
    app: web::Data<AppState>,
    search: web::Query<Search>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let search = Search { page: 0, ..search.into_inner() };
    let rows = find(&app, &search, GAMES_A_PAGE).await?;
    let query = search.query();
    feeds::of_games(&app, &request, rows, &format!("/archive.atom?{query}"), &format!("/archive?{query}"))
}
