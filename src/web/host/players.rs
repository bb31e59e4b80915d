//! Players: find them, see how they stand, suspend them, lift that, and rename them.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;
use uuid::Uuid;

use super::log::LogLine;
use super::tables::TableLine;
use crate::players::{HostReason, PlayerName, masked_address};
use crate::store::host::players::{FoundPlayer, PlayerForHost, Renamed};
use crate::store::host::tables::TableSearch;
use crate::store::patiently;
use crate::tables::{FORMER_PLAYER, PlayerId};
use crate::web::House;
use crate::web::frame::Frame;
use crate::web::page::{Moment, html, see};
use crate::web::problem::Problem;
use crate::web::session::Visitor;

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
    id: Uuid,
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
    house: web::Data<House>,
    query: web::Query<Search>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let store = &house.tables.store;
    let q: String = query.q.trim().chars().take(254).collect();
    let rows = if q.is_empty() {
        patiently(|| store.suspended_players(LISTED_PLAYERS)).await?
    } else {
        let key = PlayerName::search_key(&q);
        patiently(|| store.find_players(&key, &q, LISTED_PLAYERS)).await?
    };
    let players = rows.into_iter().map(PlayerLine::from).collect();
    Ok(html(StatusCode::OK, &PlayersPage { frame: visitor.frame(), found: !q.is_empty(), q, players })?)
}

#[derive(Template)]
#[template(path = "host/player.html")]
struct PlayerPage {
    frame: Frame,
    notice: Option<&'static str>,
    error: Option<String>,
    id: Uuid,
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
    house: &House,
    visitor: &Visitor,
    id: Uuid,
    notice: Option<&'static str>,
    error: Option<String>,
) -> Result<HttpResponse, Problem> {
    let store = &house.tables.store;
    let row = patiently(|| store.player_for_host(id)).await?.ok_or(Problem::NoPage)?;
    let search = TableSearch { player: Some(id), ..TableSearch::default() };
    let tables = patiently(|| store.find_tables(&search, LISTED_TABLES)).await?;
    let lines = patiently(|| store.host_log(Some(id), None, LISTED_DEEDS)).await?;
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = PlayerPage {
        frame: visitor.frame(),
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
        tables: tables.into_iter().map(|row| TableLine::new(house, row)).collect(),
        lines: lines.into_iter().map(|row| LogLine::new(house, row)).collect(),
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
    house: web::Data<House>,
    id: web::Path<Uuid>,
    query: web::Query<Done>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let notice = match query.done.as_deref() {
        Some("suspended") => Some("Suspended. Bots keep the seats, and the player is told."),
        Some("lifted") => Some("The suspension is lifted. The player has the seats again, and is told."),
        Some("renamed") => Some("Renamed. The player is told."),
        _ => None,
    };
    page(&house, &visitor, *id, notice, None).await
}

#[derive(Deserialize)]
pub struct ReasonForm {
    #[serde(default)]
    reason: String,
}

/// `POST /host/players/{player}/suspend`
pub async fn suspend(
    house: web::Data<House>,
    id: web::Path<Uuid>,
    form: web::Form<ReasonForm>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let host = visitor.player().ok_or(Problem::NoPage)?;
    let row = patiently(|| house.tables.store.player_for_host(*id)).await?.ok_or(Problem::NoPage)?;
    let refused = async |error: String| page(&house, &visitor, *id, None, Some(error)).await;
    if house.hosts.has(row.email.as_deref()) {
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
    let is_new = house.tables.suspend(host, PlayerId(*id), &reason).await?;
    house.forget_person(PlayerId(*id));
    if !is_new {
        return refused("This player is suspended already.".into()).await;
    }
    Ok(see(format!("/host/players/{id}?done=suspended")))
}

/// `POST /host/players/{player}/lift`
pub async fn lift(
    house: web::Data<House>,
    id: web::Path<Uuid>,
    form: web::Form<ReasonForm>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let host = visitor.player().ok_or(Problem::NoPage)?;
    let refused = async |error: String| page(&house, &visitor, *id, None, Some(error)).await;
    let reason = match HostReason::parse_optional(&form.reason) {
        Ok(reason) => reason,
        Err(error) => return refused(error.to_string()).await,
    };
    let was_suspended = house.tables.lift_suspension(host, PlayerId(*id), &reason).await?;
    house.forget_person(PlayerId(*id));
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
    house: web::Data<House>,
    id: web::Path<Uuid>,
    form: web::Form<RenameForm>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let host = visitor.player().ok_or(Problem::NoPage)?;
    let refused = async |error: String| page(&house, &visitor, *id, None, Some(error)).await;
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
    match house.tables.store.rename_by_host(host.0, *id, &name, &reason).await? {
        Renamed::Taken => refused("Somebody else is called that, or nearly that.".into()).await,
        Renamed::No => refused("There is no such player, or that is their name already.".into()).await,
        Renamed::Yes => {
            house.forget_person(PlayerId(*id));
            Ok(see(format!("/host/players/{id}?done=renamed")))
        }
    }
}
