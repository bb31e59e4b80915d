//! A game of the catalogue: what it is, how it is played, and the form that opens a table.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::http::AppState;
use crate::http::extract::local_path::LocalPath;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::assets;
use crate::http::pages::frame::Frame;
use crate::http::pages::home::seats_in_words;
use crate::http::pages::table::opening_form::{Field, Filled, OpeningForm, Sent, read_wishes};
use crate::http::problem::Problem;
use crate::http::render::{html, see};
use crate::tables::LONGEST_CUT;
use wonderpost_rules::{Game, Level};

#[derive(Template)]
#[template(path = "pages/game.html")]
struct GamePage {
    frame: Frame,
    slug: &'static str,
    title: &'static str,
    blurb: &'static str,
    credits: &'static str,
    seats: String,
    minutes: u16,
    how_to_play: &'static str,
    is_solitaire: bool,
    /// How well bots play, for those who would like to play at once.
    levels: [Level; Level::ALL.len()],
    picture: &'static str,
    longest_cut: usize,
    form: OpeningForm,
    error: Option<String>,
}

fn find(app: &AppState, slug: &str) -> Result<&'static dyn Game, Problem> {
    app.tables.catalogue.find(slug).ok_or(Problem::NoPage)
}

#[derive(Deserialize)]
pub struct Wanted {
    preset: Option<String>,
}

/// `GET /games/{slug}`, the form filled in as a preset says.
pub async fn show(
    app: web::Data<AppState>,
    slug: web::Path<String>,
    wanted: web::Query<Wanted>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let game = find(&app, &slug)?;
    let preset = game.presets().iter().find(|preset| Some(preset.name) == wanted.preset.as_deref());
    page(&app, game, &user, StatusCode::OK, preset.map_or(Filled::Defaults, Filled::Preset), None)
}

/// `GET /games/{slug}/fits`: why what was chosen so far does not go together, in a sentence; nothing if it does.
pub async fn fits(
    app: web::Data<AppState>,
    slug: web::Path<String>,
    sent: web::Query<Sent>,
) -> Result<HttpResponse, Problem> {
    let game = find(&app, &slug)?;
    let begun = read_wishes(game, &sent).and_then(|wishes| {
        let begun = game.begin(&wishes.options, wishes.seats);
        begun.map_err(|refusal| refusal.to_string())
    });
    let sentence = begun.err().unwrap_or_default();
    Ok(HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(sentence))
}

fn page(
    app: &AppState,
    game: &'static dyn Game,
    user: &RequestUser,
    status: StatusCode,
    filled: Filled,
    error: Option<String>,
) -> Result<HttpResponse, Problem> {
    let info = game.info();
    let page = GamePage {
        frame: Frame { preview: Some(app.preview_of_game(info)), ..user.frame() },
        slug: info.slug,
        title: info.title,
        blurb: info.blurb,
        credits: info.credits,
        seats: seats_in_words(info.seats),
        minutes: info.minutes,
        how_to_play: game.how_to_play(),
        is_solitaire: info.seats.1 == 1,
        levels: Level::ALL,
        picture: assets::picture_of(info.slug),
        longest_cut: LONGEST_CUT,
        form: OpeningForm::new(game, filled),
        error,
    };
    Ok(html(status, &page)?)
}

/// `POST /games/{slug}/first-steps`: they have been read, and are shown no more.
pub async fn read_first_steps(
    app: web::Data<AppState>,
    slug: web::Path<String>,
    request: HttpRequest,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let game = find(&app, &slug)?;
    if let Some(player) = user.player() {
        app.players.read_first_steps(player, game.info().slug).await?;
    }
    Ok(see(LocalPath::before(&request).as_ref().map_or("/", LocalPath::as_str)))
}

/// `POST /tables`: opens a table as the form says. The opener sits down at once where the form says so, or else like everybody else.
pub async fn open(app: web::Data<AppState>, form: web::Form<Sent>, user: RequestUser) -> Result<HttpResponse, Problem> {
    let slug = form.get("game").ok_or(Problem::Unreadable)?;
    let game = app.tables.find_game(slug)?;
    let refuse =
        |error: String| page(&app, game, &user, StatusCode::UNPROCESSABLE_ENTITY, Filled::Sent(&form), Some(error));
    let wishes = match read_wishes(game, &form) {
        Ok(wishes) => wishes,
        Err(error) => return refuse(error),
    };
    let ensured = app.ensure_player(&user, form.get("zone").map(String::as_str)).await?;
    match app.tables.open(&wishes, Some(ensured.player)).await {
        Ok(table) => {
            if form.contains_key("sit") {
                let cut = form.get("cut").map_or("", String::as_str);
                app.tables.sit(ensured.player, table, cut).await?;
            }
            app.answer_ensured(ensured, see(format!("/t/{table}")))
        }
        Err(crate::tables::OpenError::Refused(refusal)) => refuse(refusal.to_string()),
        Err(error) => Err(error.into()),
    }
}
