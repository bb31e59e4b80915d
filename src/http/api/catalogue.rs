//! What the house has: games, the archive, the garden of the day.

use actix_web::{HttpResponse, web};
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::db::tables::archive::ArchiveFilters;
use crate::db::tables::lists::ArchiveSearch;
use crate::http::AppState;
use crate::http::api::table_lines::table_row;
use crate::http::api::types::games;
use crate::http::api::types::tables::{TableId, Tables};
use crate::http::api::{Answer, OPENAPI, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::pages::daily::{columns_of, promises_of};
use crate::http::problem::Problem;
use crate::players::PlayerName;
use wonderpost_rules::{Game, OptionGroup, OptionSpec, Preset};

/// `GET /api/v1/openapi.json`
pub async fn openapi() -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(OPENAPI.as_str())
}

fn describe(game: &dyn Game) -> games::Game {
    let info = game.info();
    let defaults = game.default_options();
    let option = |spec: &OptionSpec| games::GameOption {
        key: spec.key,
        title: spec.title,
        help: spec.help,
        values: (&spec.choices).into(),
        default: defaults[spec.key].clone(),
    };
    let group = |group: &OptionGroup| games::OptionGroup { title: group.title, help: group.help, keys: group.keys };
    let preset = |preset: &Preset| games::Preset {
        name: preset.name,
        title: preset.title,
        help: preset.help,
        options: preset.options(),
    };
    games::Game {
        slug: info.slug,
        title: info.title,
        fewest_seats: info.seats.0,
        most_seats: info.seats.1,
        minutes: info.minutes,
        blurb: info.blurb,
        credits: info.credits,
        options: game.options().iter().map(option).collect(),
        option_groups: game.option_groups().iter().map(group).collect(),
        presets: game.presets().iter().map(preset).collect(),
        how_to_play: None,
    }
}

/// `GET /api/v1/games`
pub async fn games(app: web::Data<AppState>) -> Answer {
    Ok(json(&games::Games { games: app.tables.catalogue.iter().map(describe).collect() }))
}

/// `GET /api/v1/games/{slug}`
pub async fn game(app: web::Data<AppState>, slug: web::Path<String>) -> Answer {
    let game = app.tables.catalogue.find(&slug).ok_or(Problem::NoPage)?;
    Ok(json(&games::Game { how_to_play: Some(game.how_to_play()), ..describe(game) }))
}

#[derive(Deserialize, JsonSchema)]
pub struct Search {
    game: Option<String>,
    player: Option<String>,
    until: Option<NaiveDate>,
    since: Option<NaiveDate>,
    /// The fewest moves
    shortest: Option<u16>,
    /// The most moves
    longest: Option<u16>,
    /// Only games that the player won
    #[serde(default)]
    won: bool,
    /// Only close finishes
    #[serde(default)]
    close: bool,
    /// Only great comebacks
    #[serde(default)]
    comeback: bool,
    #[serde(default)]
    page: u16,
}

/// `GET /api/v1/archive`
pub async fn archive(app: web::Data<AppState>, search: web::Query<Search>) -> Answer {
    const A_PAGE: i64 = 50;
    let offset = i64::from(search.page) * A_PAGE;
    let name_key = search.player.as_deref().map(PlayerName::search_key);
    let (game, name_key) = (search.game.as_deref(), name_key.as_deref());
    let filters = ArchiveFilters {
        since: search.since,
        shortest: search.shortest.map(i32::from),
        longest: search.longest.map(i32::from),
        won: search.won && name_key.is_some(),
        close: search.close,
        comeback: search.comeback,
    };
    let asked = ArchiveSearch { game, name_key, until: search.until, filters, offset, limit: A_PAGE };
    let rows = app.tables.finished_tables(&asked).await?;
    let tables = rows.into_iter().map(|row| table_row(row, app.tables.now())).collect();
    Ok(json(&Tables { tables, page: Some(search.page) }))
}

/// `GET /api/v1/daily`
pub async fn daily(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let today = app.tables.today();
    day(&app, today, &user).await
}

/// `GET /api/v1/daily/{day}`
pub async fn daily_of(app: web::Data<AppState>, path: web::Path<NaiveDate>, user: ApiUser) -> Answer {
    day(&app, path.into_inner(), &user).await
}

async fn day(app: &AppState, day: NaiveDate, user: &ApiUser) -> Answer {
    let tables = &app.tables;
    let promises = promises_of(app, day).await?;
    let columns = columns_of(tables.daily_game());
    let results = tables
        .results_of_day(day, user.player())
        .await?
        .into_iter()
        .map(|result| games::DayResult {
            place: result.place,
            mine: result.is_mine,
            over: result.over,
            numbers: columns.iter().map(|column| (column.number.key, column.count(&result.ranking_key))).collect(),
        })
        .collect();
    let mine = match user.player() {
        Some(player) => tables.game_of_day(player, day).await?.map(|(table, _)| table.to_string()),
        None => None,
    };
    Ok(json(&games::Daily {
        day,
        promise: promises.promise,
        next_promise: promises.next,
        secret: promises.secret,
        table: mine,
        results,
    }))
}

/// `POST /api/v1/daily`
pub async fn play_today(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let table = app.tables.play_today(user.credentials()?.player).await?;
    Ok(json(&TableId { table: table.to_string() }))
}
