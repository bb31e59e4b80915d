//! Finished games as records: one, or all of a player's.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::{HttpResponse, web};
use serde::Deserialize;

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::signed_in::SignedIn;
use crate::http::extract::whole_table::WholeTable;
use crate::http::problem::Problem;
use crate::tables::{PlayerId, ReadError};

/// How many games one file holds.
const GAMES_A_FILE: i64 = 100;

/// The last file that can be asked for.
const LAST_PAGE: i64 = 1_000;

/// A file of records, to be kept.
pub fn file(name: &str, text: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
        .body(text)
}

/// `GET /t/{id}/record.txt`
pub async fn of_table(
    app: web::Data<AppState>,
    WholeTable { glance, .. }: WholeTable,
) -> Result<HttpResponse, Problem> {
    let table = &glance.table;
    let record =
        app.tables.game_record(table, &glance.holders).await?.ok_or_else(|| {
            Problem::Refused("A game has a record when it is over and its secret is published.".into())
        })?;
    Ok(file(&format!("{}-{}.txt", table.now.opened.game, table.id), record.to_string()))
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Page {
    page: i64,
}

/// `GET /me/games.txt`: all finished games of a player, the latest first, so many in each file.
pub async fn of_player(
    app: web::Data<AppState>,
    query: web::Query<Page>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let page = query.page.clamp(0, LAST_PAGE);
    Ok(file("wonderpost-games.txt", records_of(&app, user.player(), page).await?))
}

/// The records of a player's finished games, and where the next ones are.
async fn records_of(app: &AppState, player: PlayerId, page: i64) -> Result<String, Problem> {
    let tables = &app.tables;
    let ids = retry_transient(|| tables.store.finished_tables_of(player, page * GAMES_A_FILE, GAMES_A_FILE)).await?;
    let mut text = String::new();
    for id in &ids {
        let cached = match tables.load_fresh(*id).await {
            Ok(cached) => cached,
            // It went while we wrote.
            Err(ReadError::NoTable) => continue,
            Err(error) => return Err(error.into()),
        };
        let record = tables.game_record(&cached, &cached.holders).await?;
        text.extend(record.map(|record| record.to_string()));
    }
    if ids.len() == GAMES_A_FILE as usize {
        text.push_str(&format!("; older games: /me/games.txt?page={}\n", page + 1));
    }
    Ok(text)
}
