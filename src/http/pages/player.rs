//! The page of a player: what they have played, how well, how fast and against whom.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::home::game_title;
use crate::http::problem::Problem;
use crate::http::render::html;
use crate::percent::percent_encoded;
use crate::players::record::{MaySee, PlayerRecord};
use crate::tables::PlayerId;

#[derive(Template)]
#[template(path = "pages/player.html")]
struct PlayerPage {
    frame: Frame,
    name: String,
    is_me: bool,
    games: Vec<GameLine>,
    pace: Option<String>,
    opponents: Vec<OpponentLine>,
    /// Where their games are found.
    archive: String,
}

/// What somebody did in a game.
struct GameLine {
    title: String,
    slug: String,
    rows: Vec<PlayedLine>,
    rating: Option<(i64, i64)>,
    is_solitaire: bool,
}

struct PlayedLine {
    seats: i16,
    games: i64,
    won: i64,
}

struct OpponentLine {
    url: String,
    name: String,
    games: i64,
    won: i64,
    lost: i64,
}

/// A player's record, if the viewer may see it. Otherwise there is no such page, but for those who know the player.
pub async fn visible_record(app: &AppState, who: &str, viewer: Option<PlayerId>) -> Result<PlayerRecord, Problem> {
    let player = app.players.find(who).await?.ok_or(Problem::NoPage)?;
    match app.players.may_see_page(viewer, &player).await? {
        MaySee::Yes => Ok(app.players.record(player).await?),
        MaySee::Kept => Err(Problem::NotForYou("This player keeps their games and ratings to themselves.")),
        MaySee::No => Err(Problem::NoPage),
    }
}

/// `GET /players/{who}`
pub async fn show(
    app: web::Data<AppState>,
    who: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let record = visible_record(&app, &who, user.player()).await?;
    let page = PlayerPage {
        frame: user.frame(),
        is_me: user.player() == Some(record.id),
        games: games(&app, &record),
        pace: record.pace.map(|pace| pace.words()),
        opponents: record
            .opponents
            .iter()
            .map(|met| OpponentLine {
                url: format!("/players/{}", met.id),
                name: met.name.clone(),
                games: met.games,
                won: met.won,
                lost: met.lost,
            })
            .collect(),
        archive: format!("/archive?player={}", percent_encoded(record.name.as_bytes())),
        name: record.name,
    };
    Ok(html(StatusCode::OK, &page)?)
}

fn games(app: &AppState, record: &PlayerRecord) -> Vec<GameLine> {
    let by_game = record.played.chunk_by(|left, right| left.game == right.game);
    by_game
        .filter_map(|rows| {
            let slug = rows.first()?.game.clone();
            let rating = record.ratings.get(&slug);
            Some(GameLine {
                title: game_title(app, &slug),
                rows: rows.iter().map(|row| PlayedLine { seats: row.seats, games: row.games, won: row.won }).collect(),
                rating: rating.map(|rating| (rating.points(), rating.margin())),
                is_solitaire: rows.iter().all(|row| row.seats == 1),
                slug,
            })
        })
        .collect()
}
