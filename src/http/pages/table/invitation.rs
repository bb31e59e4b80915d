//! The page of an invitation: who asks, to what, and the two answers.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::db::tables::invitations::{InvitationAnswer, InvitationLink};
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::home::seats_in_words;
use crate::http::pages::table::open::options_in_words;
use crate::http::problem::Problem;
use crate::http::render::{html, see};
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, FORMER_PLAYER, LONGEST_CUT, name_of};
use wonderpost_rules::Seat;

/// It opens no live stream: whoever has only a link is not told what happens at the table.
#[derive(Template)]
#[template(path = "pages/invitation.html")]
struct InvitationPage {
    frame: Frame,
    /// Where the answer is sent.
    answer_to: String,
    title: &'static str,
    slug: &'static str,
    blurb: &'static str,
    seats_in_words: String,
    minutes: u16,
    /// Who invites.
    from: String,
    /// What they wrote.
    words: Option<String>,
    is_rematch: bool,
    /// What somebody sees who has declined before.
    declined: bool,
    pace: String,
    options: Vec<(&'static str, String)>,
    /// Who sits where; nobody yet.
    seats: Vec<(u8, Option<String>)>,
    longest_cut: usize,
}

async fn page(
    app: &AppState,
    cached: &CachedTable,
    user: &RequestUser,
    link: InvitationLink,
    token: &str,
) -> Result<HttpResponse, Problem> {
    let (now, game) = (&cached.now, cached.now.game);
    let info = game.info();
    let holders = app.tables.holders(cached.id).await?;
    let page = InvitationPage {
        frame: user.frame(),
        answer_to: format!("/i/{token}"),
        title: info.title,
        slug: info.slug,
        blurb: info.blurb,
        seats_in_words: seats_in_words(info.seats),
        minutes: info.minutes,
        from: link.from.unwrap_or_else(|| FORMER_PLAYER.to_owned()),
        words: link.words,
        is_rematch: link.is_rematch,
        declined: link.answer == Some(InvitationAnswer::Declined),
        pace: now.opened.pace.words(),
        options: options_in_words(game, &now.opened.options),
        seats: Seat::all(now.opened.seats)
            .map(|seat| (seat.number(), now.seated.contains(seat).then(|| name_of(&holders, seat))))
            .collect(),
        longest_cut: LONGEST_CUT,
    };
    Ok(html(StatusCode::OK, &page)?)
}

/// What is said of an invitation that leads nowhere any more.
fn void(link: &InvitationLink, status: Status) -> Option<Problem> {
    let from = link.from.as_deref().unwrap_or(FORMER_PLAYER);
    let sentence = match (link.answer, status) {
        (Some(InvitationAnswer::Withdrawn), _) => format!("{from} has withdrawn this invitation."),
        (_, Status::Open) => return None,
        (_, Status::Gone) => "This table was cleared away: the game never began.".to_owned(),
        (_, Status::Playing | Status::Over) => "This game has begun without you: all seats were taken.".to_owned(),
    };
    Some(Problem::Refused(sentence))
}

/// `GET /i/{token}`: the table to which somebody is invited. The link only shows it.
pub async fn show(
    app: web::Data<AppState>,
    token: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let link = app.tables.invitation_link(&token).await?;
    let cached = app.tables.load_fresh(link.table_id).await?;
    if cached.seat_of(user.player()).is_some() {
        return Ok(see(format!("/t/{}", cached.id)));
    }
    match void(&link, cached.now.status()) {
        Some(problem) => Err(problem),
        None => page(&app, &cached, &user, link, &token).await,
    }
}

#[derive(Deserialize)]
pub struct AnswerForm {
    #[serde(default)]
    cut: String,
    #[serde(default)]
    decline: Option<String>,
    zone: Option<String>,
}

/// `POST /i/{token}`: accepts or declines.
pub async fn answer(
    app: web::Data<AppState>,
    token: web::Path<String>,
    form: web::Form<AnswerForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    // Before somebody becomes a guest: the invitation has to exist.
    let link = app.tables.invitation_link(&token).await?;
    if link.answer == Some(InvitationAnswer::Withdrawn) {
        return Err(void(&link, Status::Open).unwrap_or(Problem::NoTable));
    }
    if form.decline.is_some() {
        app.players.decline_invitation(&token, user.player()).await?;
        return Ok(see("/?done=declined"));
    }
    let ensured = app.ensure_player(&user, form.zone.as_deref()).await?;
    let (table, _) = app.players.accept_invitation(&token, ensured.player, &form.cut).await?;
    app.answer_ensured(ensured, see(format!("/t/{table}")))
}
