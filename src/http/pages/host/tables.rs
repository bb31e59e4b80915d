//! Tables: find them, see who sits there and how it stands, close them. The host sees what every spectator does, and of private tables
//! less: seats, state and times.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::db::host::tables::{HostTableRow, TableSearch};
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::home::game_title;
use crate::http::pages::table::page::title;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html, see};
use crate::players::{HostReason, PlayerName};
use crate::tables::state::table_state::Status;
use crate::tables::{FORMER_PLAYER, PlayerId, TableId};

/// How many tables are listed.
const LISTED_TABLES: i64 = 50;

/// A table as the console lists it.
pub(crate) struct TableLine {
    pub id: TableId,
    pub title: String,
    pub names: String,
    pub status: &'static str,
    pub private: bool,
    pub moves: i32,
    pub opened: Moment,
    pub moved: Moment,
}

impl TableLine {
    pub fn new(app: &AppState, row: HostTableRow) -> TableLine {
        let names: Vec<String> = row.names.into_iter().map(|name| name.unwrap_or_else(|| "a bot".to_owned())).collect();
        TableLine {
            id: row.id,
            title: game_title(app, &row.game),
            names: names.join(", "),
            status: match row.status {
                Status::Open => "not begun",
                Status::Playing => "running",
                Status::Over => "over",
                Status::Gone => "cleared away",
            },
            private: row.private,
            moves: row.moves,
            opened: row.opened_at.into(),
            moved: row.moved_at.into(),
        }
    }
}

#[derive(Template)]
#[template(path = "host/tables.html")]
struct TablesPage {
    frame: Frame,
    search: Search,
    games: Vec<(&'static str, &'static str)>,
    tables: Vec<TableLine>,
}

#[derive(Deserialize)]
pub struct Search {
    #[serde(default)]
    table: String,
    #[serde(default)]
    player: String,
    #[serde(default)]
    game: String,
}

impl Search {
    /// What is looked for; `None` if that can be no table.
    fn read(&self) -> Option<TableSearch> {
        let filled = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let mut search = TableSearch {
            name_key: filled(&self.player).map(|name| PlayerName::search_key(&name)),
            game: filled(&self.game),
            ..TableSearch::default()
        };
        if let Some(typed) = filled(&self.table) {
            // A whole address, with or without what follows the table's name.
            let path = typed.split(['?', '#']).next().unwrap_or_default();
            match (path.split_once("/t/"), path.split_once("/i/")) {
                (Some((_, rest)), _) => search.table = Some(rest.split('/').next()?.parse::<TableId>().ok()?),
                (None, Some((_, link))) => search.link = Some(link.trim_end_matches('/').to_owned()),
                (None, None) => search.table = Some(path.parse::<TableId>().ok()?),
            }
        }
        Some(search)
    }
}

/// `GET /host/tables`
pub async fn list(
    app: web::Data<AppState>,
    query: web::Query<Search>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let search = query.into_inner();
    let rows = match search.read() {
        Some(wanted) => retry_transient(|| app.tables.store.find_tables(&wanted, LISTED_TABLES)).await?,
        None => Vec::new(),
    };
    let tables = rows.into_iter().map(|row| TableLine::new(&app, row)).collect();
    let games = app.tables.catalogue.iter().map(|game| (game.info().slug, game.info().title)).collect();
    Ok(html(StatusCode::OK, &TablesPage { frame: user.frame(), search, games, tables })?)
}

#[derive(Template)]
#[template(path = "host/table.html")]
struct TablePage {
    frame: Frame,
    notice: Option<&'static str>,
    error: Option<String>,
    id: TableId,
    title: String,
    /// As lists show it: what players do in secret does not count.
    line: TableLine,
    pace: String,
    seats: Vec<SeatLine>,
    can_be_closed: bool,
    longest_reason: usize,
}

struct SeatLine {
    number: u8,
    player: Option<PlayerId>,
    name: String,
    looked: Option<Moment>,
    /// Since when the seat is awaited, and until when.
    awaited: Option<Moment>,
    until: Option<Moment>,
    kept: bool,
}

async fn page(
    app: &AppState,
    user: &RequestUser,
    id: TableId,
    notice: Option<&'static str>,
    error: Option<String>,
) -> Result<HttpResponse, Problem> {
    let cached = app.tables.load_fresh(id).await.map_err(|error| match Problem::from(error) {
        Problem::NoTable => Problem::NoPage,
        other => other,
    })?;
    let now = &cached.now;
    let awaiting = now.awaiting();
    let search = TableSearch { table: Some(id), ..TableSearch::default() };
    let row = retry_transient(|| app.tables.store.find_tables(&search, 1)).await?.pop().ok_or(Problem::NoPage)?;
    let seats = retry_transient(|| app.tables.store.seats_for_host(id)).await?;
    let seats = seats.into_iter().map(|row| {
        let seat = row.seat;
        SeatLine {
            number: seat.number(),
            player: row.player_id,
            name: row.name.unwrap_or_else(|| if row.bot.is_some() { "a bot" } else { FORMER_PLAYER }.to_owned()),
            looked: row.last_look_at.map(Moment::from),
            awaited: now.clocks[seat.index()].since.filter(|_| awaiting.contains(seat)).map(Moment::from),
            until: now.deadline_of(seat).filter(|_| awaiting.contains(seat)).map(Moment::from),
            kept: now.times.kept.contains(seat),
        }
    });
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = TablePage {
        frame: user.frame(),
        notice,
        error,
        id,
        title: title(now),
        line: TableLine::new(app, row),
        pace: now.opened.pace.words(),
        seats: seats.collect(),
        can_be_closed: matches!(now.status(), Status::Open | Status::Playing) && now.opened.day.is_none(),
        longest_reason: HostReason::LONGEST,
    };
    Ok(html(status, &page)?)
}

fn read_id(id: &str) -> Result<TableId, Problem> {
    id.parse().map_err(|_| Problem::NoPage)
}

#[derive(Deserialize)]
pub struct Done {
    done: Option<String>,
}

/// `GET /host/tables/{id}`
pub async fn show(
    app: web::Data<AppState>,
    id: web::Path<String>,
    query: web::Query<Done>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let notice = query.done.as_ref().map(|_| "The table is closed. Those who sat there are told.");
    page(&app, &user, read_id(&id)?, notice, None).await
}

#[derive(Deserialize)]
pub struct ReasonForm {
    #[serde(default)]
    reason: String,
}

/// `POST /host/tables/{id}/close`
pub async fn close(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<ReasonForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let (host, id) = (user.player().ok_or(Problem::NoPage)?, read_id(&id)?);
    let reason = match HostReason::parse(&form.reason) {
        Ok(reason) => reason,
        Err(error) => return page(&app, &user, id, None, Some(error.to_string())).await,
    };
    match app.tables.close(host, id, &reason).await.map_err(Problem::from) {
        Ok(()) => Ok(see(format!("/host/tables/{id}?done=closed"))),
        Err(Problem::Refused(sentence)) => page(&app, &user, id, None, Some(sentence)).await,
        Err(Problem::NoTable) => Err(Problem::NoPage),
        Err(problem) => Err(problem),
    }
}
