//! A table that waits for players: sit down, stand up, invite.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::table::page::visible;
use crate::http::pages::table::talk::Talk;
use crate::http::problem::Problem;
use crate::http::render::{html, see};
use crate::tables::state::live::short;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, LONGEST_CUT, name_of};
use wonderpost_rules::{Choices, Game, Seat};

#[derive(Template)]
#[template(path = "pages/open_table.html")]
struct OpenTablePage {
    frame: Frame,
    url: String,
    title: &'static str,
    slug: &'static str,
    promise: String,
    longest_cut: usize,
    is_solitaire: bool,
    private: bool,
    pace: String,
    options: Vec<(&'static str, String)>,
    seats: Vec<OpenSeat>,
    i_sit: bool,
    /// The link that invites whoever has it, for those who may hand it out.
    link: Option<String>,
    invited: Vec<Invited>,
    /// Where a form to sit down leads: the table, or an invitation.
    sit_at: String,
    /// Tells this state of the table from others, for live updates.
    mark: String,
    talk: Option<Talk>,
}

struct OpenSeat {
    number: u8,
    name: Option<String>,
    is_me: bool,
}

struct Invited {
    name: String,
    answer: &'static str,
}

/// The options of a table in words, those that differ from the defaults.
pub fn options_in_words(game: &dyn Game, options: &serde_json::Value) -> Vec<(&'static str, String)> {
    let defaults = game.default_options();
    let differing = game.options().iter().filter(|spec| options[spec.key] != defaults[spec.key]);
    differing
        .map(|spec| {
            let value = &options[spec.key];
            let words = match &spec.choices {
                Choices::Flag => if *value == true { "yes" } else { "no" }.to_owned(),
                Choices::One(choices) => {
                    let choice = choices.iter().find(|choice| choice.value.to_json() == *value);
                    choice.map_or_else(|| value.to_string(), |choice| choice.title.to_owned())
                }
                Choices::Number { .. } | Choices::Text => {
                    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
                }
            };
            (spec.title, words)
        })
        .collect()
}

/// The page of a table that has not begun.
pub async fn show(app: &AppState, cached: &CachedTable, user: &RequestUser) -> Result<HttpResponse, Problem> {
    let sit_at = format!("/t/{}/sit", cached.id);
    show_with(app, cached, user, sit_at).await
}

/// The same for somebody who came by an invitation, which lets them sit down.
pub async fn show_with(
    app: &AppState,
    cached: &CachedTable,
    user: &RequestUser,
    sit_at: String,
) -> Result<HttpResponse, Problem> {
    let mine = cached.seat_of(user.player());
    let hosts = mine.is_some() || (user.player().is_some() && cached.opened_by == user.player());
    let holders = app.tables.holders(cached.id).await?;
    let is_solitaire = cached.now.opened.seats == 1;
    let mut invited = Vec::new();
    if hosts {
        for row in retry_transient(|| app.tables.store.invitations_of_table(cached.id.0)).await? {
            let answer = match row.answer.as_deref() {
                Some("accepted") => "has accepted",
                Some("declined") => "has declined",
                _ => "has not answered yet",
            };
            // The address is known to whoever typed it, and shown to nobody.
            invited.push(Invited { name: row.name.unwrap_or_else(|| "somebody by letter".to_owned()), answer });
        }
    }
    let game = cached.now.game;
    let page = OpenTablePage {
        frame: user.frame(),
        url: format!("/t/{}", cached.id),
        title: game.info().title,
        slug: game.info().slug,
        promise: cached.now.opened.promise.clone(),
        longest_cut: LONGEST_CUT,
        is_solitaire,
        private: cached.now.opened.private,
        pace: cached.now.opened.pace.words(),
        options: options_in_words(game, &cached.now.opened.options),
        seats: Seat::all(cached.now.opened.seats)
            .map(|seat| OpenSeat {
                number: seat.number(),
                name: cached.now.seated.contains(seat).then(|| name_of(&holders, seat)),
                is_me: mine == Some(seat),
            })
            .collect(),
        i_sit: mine.is_some(),
        link: cached
            .link_token
            .as_ref()
            .filter(|_| hosts && !is_solitaire)
            .map(|token| app.link(&format!("/i/{token}"))),
        invited,
        sit_at,
        mark: app.stamp_key().await?.mark(cached.id, short(&cached.now.head)),
        talk: app.talk(cached, user.player()).await?,
    };
    Ok(html(StatusCode::OK, &page)?)
}

#[derive(Deserialize)]
pub struct SitForm {
    #[serde(default)]
    cut: String,
}

/// `POST /t/{id}/sit`
pub async fn sit(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<SitForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let ensured = app.ensure_player(&user).await?;
    app.tables.sit(ensured.player, cached.id, &form.cut).await?;
    app.answer_ensured(ensured, see(format!("/t/{}", cached.id)))
}

/// `POST /t/{id}/stand`
pub async fn stand(
    app: web::Data<AppState>,
    id: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let player = user.player().ok_or(Problem::NotSeated)?;
    app.tables.stand_up(player, cached.id).await?;
    Ok(see(format!("/t/{}", cached.id)))
}

#[derive(Deserialize)]
pub struct InviteForm {
    address: String,
}

/// `POST /t/{id}/invite`: by address, also of somebody whom the house does not know.
pub async fn invite(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<InviteForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let player = user.player().ok_or(Problem::NotSeated)?;
    app.players.invite(player, &cached, &form.address, user.network.to_string()).await?;
    Ok(see(format!("/t/{}", cached.id)))
}

/// `GET /i/{token}`: the table to which somebody is invited. The link only shows it.
pub async fn invitation(
    app: web::Data<AppState>,
    token: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let id = app.tables.table_of_invitation(&token).await?;
    let cached = app.tables.load_fresh(id).await?;
    if cached.seat_of(user.player()).is_some() {
        return Ok(see(format!("/t/{id}")));
    }
    match cached.now.status() {
        Status::Open => show_with(&app, &cached, &user, format!("/i/{token}")).await,
        Status::Gone => Err(Problem::Refused("This table was cleared away: nobody started it in time.".into())),
        Status::Playing | Status::Over => {
            Err(Problem::Refused("This table has begun without you: all seats were taken.".into()))
        }
    }
}

#[derive(Deserialize)]
pub struct AnswerForm {
    #[serde(default)]
    cut: String,
    #[serde(default)]
    decline: Option<String>,
}

/// `POST /i/{token}`: accepts or declines.
pub async fn answer(
    app: web::Data<AppState>,
    token: web::Path<String>,
    form: web::Form<AnswerForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    if form.decline.is_some() {
        app.players.decline_invitation(&token, user.player()).await?;
        return Ok(see("/"));
    }
    // Before somebody becomes a guest: the invitation has to exist.
    app.tables.table_of_invitation(&token).await?;
    let ensured = app.ensure_player(&user).await?;
    let (table, _) = app.players.accept_invitation(&token, ensured.player, &form.cut).await?;
    app.answer_ensured(ensured, see(format!("/t/{table}")))
}
