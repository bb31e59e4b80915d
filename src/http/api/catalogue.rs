//! What the house has: games, the archive, the garden of the day.

use actix_web::{HttpResponse, web};
use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::db::tables::lists::ArchiveSearch;
use crate::http::AppState;
use crate::http::api::tables::table_row;
use crate::http::api::{Answer, OPENAPI, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::pages::daily::promises_of;
use crate::http::problem::Problem;
use wonderpost_rules::{Choices, Game};

/// `GET /api/v1/openapi.json`
pub async fn openapi() -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(OPENAPI)
}

fn describe(game: &dyn Game) -> Value {
    let info = game.info();
    let defaults = game.default_options();
    let options: Vec<Value> = game
        .options()
        .iter()
        .map(|spec| {
            let values = match &spec.choices {
                Choices::Flag => json!({"type": "flag"}),
                Choices::Number { from, to, step } => json!({"type": "number", "from": from, "to": to, "step": step}),
                Choices::One(choices) => {
                    let choices: Vec<Value> =
                        choices.iter().map(|choice| json!({"value": choice.value.to_json(), "title": choice.title})).collect();
                    json!({"type": "one", "of": choices})
                }
                Choices::Text => json!({"type": "text"}),
            };
            json!({"key": spec.key, "title": spec.title, "help": spec.help, "values": values, "default": defaults[spec.key]})
        })
        .collect();
    let groups: Vec<Value> = game
        .option_groups()
        .iter()
        .map(|group| json!({"title": group.title, "help": group.help, "keys": group.keys}))
        .collect();
    let presets: Vec<Value> = game
        .presets()
        .iter()
        .map(|preset| {
            json!({"name": preset.name, "title": preset.title, "help": preset.help, "options": preset.options()})
        })
        .collect();
    json!({
        "slug": info.slug, "title": info.title, "fewest_seats": info.seats.0, "most_seats": info.seats.1,
        "minutes": info.minutes, "blurb": info.blurb, "credits": info.credits, "options": options,
        "option_groups": groups, "presets": presets,
    })
}

/// `GET /api/v1/games`
pub async fn games(app: web::Data<AppState>) -> Answer {
    let games: Vec<Value> = app.tables.catalogue.iter().map(describe).collect();
    Ok(json(&json!({"games": games})))
}

/// `GET /api/v1/games/{slug}`
pub async fn game(app: web::Data<AppState>, slug: web::Path<String>) -> Answer {
    let game = app.tables.catalogue.find(&slug).ok_or(Problem::NoPage)?;
    let mut body = describe(game);
    body["how_to_play"] = game.how_to_play().into();
    Ok(json(&body))
}

#[derive(Deserialize)]
pub struct Search {
    game: Option<String>,
    player: Option<String>,
    until: Option<NaiveDate>,
    #[serde(default)]
    page: u16,
}

/// `GET /api/v1/archive`
pub async fn archive(app: web::Data<AppState>, search: web::Query<Search>) -> Answer {
    const A_PAGE: i64 = 50;
    let offset = i64::from(search.page) * A_PAGE;
    let (game, player) = (search.game.as_deref(), search.player.as_deref());
    let asked = ArchiveSearch { game, player, until: search.until, offset, limit: A_PAGE };
    let rows = app.tables.finished_tables(&asked).await?;
    let tables: Vec<Value> = rows.into_iter().map(|row| table_row(row, app.tables.now())).collect();
    Ok(json(&json!({"tables": tables, "page": search.page})))
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
    let results: Vec<Value> = tables
        .results_of_day(day, user.player())
        .await?
        .into_iter()
        .map(|result| {
            json!({"place": result.place, "mine": result.is_mine, "over": result.over, "roses": result.roses, "turns": result.turns})
        })
        .collect();
    let mine = match user.player() {
        Some(player) => tables.game_of_day(player, day).await?.map(|(table, _)| table.to_string()),
        None => None,
    };
    Ok(json(&json!({
        "day": day, "promise": promises.promise, "next_promise": promises.next, "secret": promises.secret, "table": mine,
        "results": results,
    })))
}

/// `POST /api/v1/daily`
pub async fn play_today(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let table = app.tables.play_today(user.credentials()?.player).await?;
    Ok(json(&json!({"table": table.to_string()})))
}
