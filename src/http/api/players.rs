//! How somebody plays, as far as the holder of the token may know.

use actix_web::web;

use crate::http::AppState;
use crate::http::api::types::players as types;
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::pages::player::visible_record;

/// `GET /api/v1/players/{who}`
pub async fn show(app: web::Data<AppState>, who: web::Path<String>, user: ApiUser) -> Answer {
    let record = visible_record(&app, &who, user.player()).await?;
    let mut ratings: Vec<types::Rating> = record
        .ratings
        .into_iter()
        .map(|(game, rating)| types::Rating {
            game,
            rating: rating.points(),
            margin: rating.margin(),
            games: rating.games,
        })
        .collect();
    ratings.sort_by(|left, right| left.game.cmp(&right.game));
    let played = record.played.into_iter();
    let opponents = record.opponents.into_iter();
    Ok(json(&types::Player {
        id: record.id.to_string(),
        name: record.name,
        games: played
            .map(|row| types::Played { game: row.game, seats: row.seats, games: row.games, won: row.won })
            .collect(),
        ratings,
        pace: record.pace.map(|pace| types::Pace {
            median_seconds: pace.median_seconds,
            missed: pace.missed,
            of: pace.of,
        }),
        opponents: opponents
            .map(|met| types::Opponent { name: met.name, games: met.games, won: met.won, lost: met.lost })
            .collect(),
    }))
}
