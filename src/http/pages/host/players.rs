//! Players: find them, see how they stand, suspend them, lift that, and rename them.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::db::host::players::{FoundPlayer, PlayerForHost, Renamed};
use crate::db::host::tables::TableSearch;
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::host::log::LogLine;
use crate::http::pages::host::tables::TableLine;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html, see};
use crate::players::{HostReason, NAME_TAKEN, PlayerName, masked_address};
use crate::tables::{FORMER_PLAYER, PlayerId};

/// How many players, tables of a player and deeds about a player are listed.
const LISTED_PLAYERS: i64 = 50;
const LISTED_TABLES: i64 = 30;
const LISTED_DEEDS: i64 = 50;

#[derive(Template)]
#[template(path = "host/players.html")]
struct PlayersPage {
    frame: Frame,
    q: String,
    /// Whether this is what was looked for; else those who are suspended.
    found: bool,
    players: Vec<PlayerLine>,
}

struct PlayerLine {
    id: PlayerId,
    name: String,
    address: Option<String>,
    joined: Moment,
    suspended: Option<Moment>,
}

impl From<FoundPlayer> for PlayerLine {
    fn from(row: FoundPlayer) -> PlayerLine {
        PlayerLine {
            id: row.id,
            name: row.name.unwrap_or_else(|| FORMER_PLAYER.to_owned()),
            address: row.email.as_deref().map(masked_address),
            joined: row.created_at.into(),
            suspended: row.suspended_since.map(Moment::from),
        }
    }
}

#[derive(Deserialize)]
pub struct Search {
    #[serde(default)]
    q: String,
}

/// `GET /host/players`: those whose name holds what was typed, or whose address it is; else those who are suspended.
pub async fn list(
    app: web::Data<AppState>,
    query: web::Query<Search>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let store = &app.tables.store;
    let q: String = query.q.trim().chars().take(254).collect();
    let rows = if q.is_empty() {
        retry_transient(|| store.suspended_players(LISTED_PLAYERS)).await?
    } else {
        let key = PlayerName::search_key(&q);
        retry_transient(|| store.find_players(&key, &q, LISTED_PLAYERS)).await?
    };
    let players = rows.into_iter().map(PlayerLine::from).collect();
    Ok(html(StatusCode::OK, &PlayersPage { frame: user.frame(), found: !q.is_empty(), q, players })?)
}

#[derive(Template)]
#[template(path = "host/player.html")]
struct PlayerPage {
    frame: Frame,
    notice: Option<&'static str>,
    error: Option<String>,
    id: PlayerId,
    name: String,
    is_gone: bool,
    address: Option<String>,
    joined: Moment,
    seen: Option<Moment>,
    row: PlayerForHost,
    suspended: Option<(Moment, String)>,
    tables: Vec<TableLine>,
    lines: Vec<LogLine>,
    longest_reason: usize,
}

async fn page(
    app: &AppState,
    user: &RequestUser,
    id: PlayerId,
    notice: Option<&'static str>,
    error: Option<String>,
) -> Result<HttpResponse, Problem> {
    let store = &app.tables.store;
    let row = retry_transient(|| store.player_for_host(id)).await?.ok_or(Problem::NoPage)?;
    let search = TableSearch { player: Some(id), ..TableSearch::default() };
    let tables = retry_transient(|| store.find_tables(&search, LISTED_TABLES)).await?;
    let lines = retry_transient(|| store.host_log(Some(id), None, LISTED_DEEDS)).await?;
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = PlayerPage {
        frame: user.frame(),
        notice,
        error,
        id,
        name: row.name.clone().unwrap_or_else(|| FORMER_PLAYER.to_owned()),
        is_gone: row.deleted_at.is_some(),
        address: row.email.as_deref().map(masked_address),
        joined: row.created_at.into(),
        seen: row.seen_at.map(Moment::from),
        suspended: row.suspended_since.map(Moment::from).zip(row.suspension_reason.clone()),
        row,
        tables: tables.into_iter().map(|row| TableLine::new(app, row)).collect(),
        lines: lines.into_iter().map(|row| LogLine::new(app, row)).collect(),
        longest_reason: HostReason::LONGEST,
    };
    Ok(html(status, &page)?)
}

#[derive(Deserialize)]
pub struct Done {
    done: Option<String>,
}

/// `GET /host/players/{player}`
pub async fn show(
    app: web::Data<AppState>,
    id: web::Path<PlayerId>,
    query: web::Query<Done>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let notice = match query.done.as_deref() {
        Some("suspended") => Some("Suspended. Bots keep the seats, and the player is told."),
        Some("lifted") => Some("The suspension is lifted. The player has the seats again, and is told."),
        Some("renamed") => Some("Renamed. The player is told."),
        _ => None,
    };
    page(&app, &user, *id, notice, None).await
}

#[derive(Deserialize)]
pub struct ReasonForm {
    #[serde(default)]
    reason: String,
}

/// `POST /host/players/{player}/suspend`
pub async fn suspend(
    app: web::Data<AppState>,
    id: web::Path<PlayerId>,
    form: web::Form<ReasonForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let host = user.player().ok_or(Problem::NoPage)?;
    let row = retry_transient(|| app.tables.store.player_for_host(*id)).await?.ok_or(Problem::NoPage)?;
    let refused = async |error: String| page(&app, &user, *id, None, Some(error)).await;
    if app.players.is_host(row.email.as_deref()) {
        return refused(
            "Somebody who runs the house cannot be suspended. Take them out of the list of hosts first.".into(),
        )
        .await;
    }
    if row.deleted_at.is_some() {
        return refused("This player has left the house.".into()).await;
    }
    let reason = match HostReason::parse(&form.reason) {
        Ok(reason) => reason,
        Err(error) => return refused(error.to_string()).await,
    };
    let is_new = app.tables.suspend(host, *id, &reason).await?;
    app.players.forget_player(*id);
    if !is_new {
        return refused("This player is suspended already.".into()).await;
    }
    Ok(see(format!("/host/players/{id}?done=suspended")))
}

/// `POST /host/players/{player}/lift`
pub async fn lift(
    app: web::Data<AppState>,
    id: web::Path<PlayerId>,
    form: web::Form<ReasonForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let host = user.player().ok_or(Problem::NoPage)?;
    let refused = async |error: String| page(&app, &user, *id, None, Some(error)).await;
    let reason = match HostReason::parse_optional(&form.reason) {
        Ok(reason) => reason,
        Err(error) => return refused(error.to_string()).await,
    };
    let was_suspended = app.tables.lift_suspension(host, *id, &reason).await?;
    app.players.forget_player(*id);
    if !was_suspended {
        return refused("This player is not suspended.".into()).await;
    }
    Ok(see(format!("/host/players/{id}?done=lifted")))
}

#[derive(Deserialize)]
pub struct RenameForm {
    #[serde(default)]
    name: String,
    #[serde(default)]
    reason: String,
}

/// `POST /host/players/{player}/rename`: to a name that the host chose, or else to one like a guest's.
pub async fn rename(
    app: web::Data<AppState>,
    id: web::Path<PlayerId>,
    form: web::Form<RenameForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let host = user.player().ok_or(Problem::NoPage)?;
    let refused = async |error: String| page(&app, &user, *id, None, Some(error)).await;
    let reason = match HostReason::parse(&form.reason) {
        Ok(reason) => reason,
        Err(error) => return refused(error.to_string()).await,
    };
    let name = match form.name.trim() {
        "" => PlayerName::for_guest(1),
        typed => match PlayerName::parse(typed) {
            Ok(name) => name,
            Err(error) => return refused(error.to_string()).await,
        },
    };
    match app.tables.store.rename_by_host(host, *id, &name, &reason).await? {
        Renamed::Taken => refused(NAME_TAKEN.into()).await,
        Renamed::No => refused("There is no such player, or that is their name already.".into()).await,
        Renamed::Yes => {
            app.players.forget_player(*id);
            Ok(see(format!("/host/players/{id}?done=renamed")))
        }
    }
}
