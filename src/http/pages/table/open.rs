//! A table that waits for players: sit down, stand up, invite, ask bots.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;
use uuid::Uuid;

use crate::db::tables::invitations::{InvitationAnswer, InvitedRow};
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::qr;
use crate::http::pages::table::page::visible;
use crate::http::pages::table::talk::Talk;
use crate::http::problem::Problem;
use crate::http::render::{html, see};
use crate::players::{AccountError, InvitedAll, LONGEST_LINE};
use crate::tables::state::glance::Glance;
use crate::tables::state::live::short;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, FORMER_PLAYER, LONGEST_CUT, OpenError, PlayerId, name_of};
use wonderpost_rules::{Choices, Game, Level, Seat};

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
    /// How many are to come, in words.
    missing: String,
    i_sit: bool,
    /// For those who may fill the seats.
    hosting: Option<Hosting>,
    /// Tells this state of the table from others, for live updates.
    mark: String,
    talk: Option<Talk>,
}

struct OpenSeat {
    number: u8,
    name: Option<String>,
    is_me: bool,
    /// How fast they play, for whoever thinks of joining.
    pace: Option<String>,
}

/// What those need who fill the seats of a table.
struct Hosting {
    /// The link that invites whoever has it.
    link: String,
    /// The same as a QR code.
    qr: Option<String>,
    invited: Vec<InvitedLine>,
    typed: InviteForm,
    error: Option<String>,
    longest_line: usize,
    may_seat_bot: bool,
}

struct InvitedLine {
    who: String,
    answer: &'static str,
    /// Where an invitation that was not answered is taken back.
    withdraw: Option<String>,
}

impl InvitedLine {
    /// Whom somebody invited, as they typed it. The others learn who it was when that person joins.
    fn new(url: &str, row: InvitedRow, viewer: PlayerId) -> InvitedLine {
        let is_mine = row.invited_by == viewer;
        let who = match (row.email, row.name) {
            (Some(email), Some(name)) => format!("{email} ({name})"),
            (Some(email), None) => email,
            (None, Some(name)) => name,
            (None, None) if is_mine => FORMER_PLAYER.to_owned(),
            (None, None) => format!("somebody asked by {}", row.from.as_deref().unwrap_or(FORMER_PLAYER)),
        };
        let answer = match row.answer {
            None => "no answer yet",
            Some(InvitationAnswer::Accepted) => "accepted",
            Some(InvitationAnswer::Declined) => "said no",
            Some(InvitationAnswer::Withdrawn) => "withdrawn",
        };
        let withdraw =
            (is_mine && row.answer.is_none()).then(|| format!("{url}/invitations/{}/withdraw", row.id.simple()));
        InvitedLine { who, answer, withdraw }
    }
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
                    let title = choice.map_or_else(|| value.to_string(), |choice| choice.title.to_owned());
                    // What a form adds to explain it is not said again.
                    title.split_once(": ").map_or(title.clone(), |(short, _)| short.to_owned())
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
pub async fn show(app: &AppState, glance: Glance, user: &RequestUser) -> Result<HttpResponse, Problem> {
    page(app, glance, user, InviteForm::default(), None).await
}

async fn page(
    app: &AppState,
    mut glance: Glance,
    user: &RequestUser,
    typed: InviteForm,
    error: Option<String>,
) -> Result<HttpResponse, Problem> {
    let cached = &*glance.table.clone();
    let (now, url) = (&cached.now, format!("/t/{}", cached.id));
    let mine = cached.seat_of(user.player());
    if let Some(seat) = mine {
        // What was written here is read now.
        app.tables.store.note_look(cached.id, seat, glance.look, 0);
    }
    let holders = std::mem::take(&mut glance.holders);
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let others: Vec<PlayerId> =
        holders.iter().filter_map(|holder| holder.player).filter(|player| user.player() != Some(*player)).collect();
    let paces = if others.is_empty() { HashMap::new() } else { app.players.paces(&others).await? };
    let pace_of = |seat: Seat| {
        let holder = holders.iter().find(|holder| holder.seat == seat)?;
        paces.get(&holder.player?).map(|pace| pace.words())
    };
    let free = usize::from(now.opened.seats).saturating_sub(now.seated.len());
    let page = OpenTablePage {
        frame: user.frame(),
        title: now.game.info().title,
        slug: now.game.info().slug,
        promise: now.opened.promise.clone(),
        longest_cut: LONGEST_CUT,
        is_solitaire: now.opened.seats == 1,
        private: now.opened.private,
        pace: now.opened.pace.words(),
        options: options_in_words(now.game, &now.opened.options),
        seats: Seat::all(now.opened.seats)
            .map(|seat| OpenSeat {
                number: seat.number(),
                name: now.seated.contains(seat).then(|| name_of(&holders, seat)),
                is_me: mine == Some(seat),
                pace: pace_of(seat),
            })
            .collect(),
        missing: if free == 1 { "one more joins".to_owned() } else { format!("{free} more join") },
        i_sit: mine.is_some(),
        hosting: hosting(app, cached, user.player(), typed, error).await?,
        mark: app.stamp_key().await?.mark(cached.id, short(&now.head)),
        talk: Talk::new(&mut glance, user.player(), None),
        url,
    };
    Ok(html(status, &page)?)
}

/// Whether somebody fills the seats of a table that has not begun.
fn may_host(cached: &CachedTable, player: PlayerId) -> bool {
    let is_host = cached.seat_of(Some(player)).is_some() || cached.opened_by == Some(player);
    is_host && cached.now.opened.seats > 1 && cached.now.status() == Status::Open
}

/// What somebody may do to fill the seats, if they may.
async fn hosting(
    app: &AppState,
    cached: &CachedTable,
    player: Option<PlayerId>,
    typed: InviteForm,
    error: Option<String>,
) -> Result<Option<Hosting>, Problem> {
    let (Some(player), Some(token)) = (player, &cached.link_token) else { return Ok(None) };
    let seats = cached.now.opened.seats;
    if !may_host(cached, player) {
        return Ok(None);
    }
    let (url, link) = (format!("/t/{}", cached.id), app.link(&format!("/i/{token}")));
    let invited = app.players.invited(player, cached).await?;
    let free = usize::from(seats).saturating_sub(cached.now.seated.len());
    Ok(Some(Hosting {
        qr: qr::svg(&link),
        link,
        invited: invited.into_iter().map(|row| InvitedLine::new(&url, row, player)).collect(),
        typed,
        error,
        longest_line: LONGEST_LINE,
        may_seat_bot: free > 1 || !cached.now.people().is_empty(),
    }))
}

#[derive(Deserialize)]
pub struct SitForm {
    #[serde(default)]
    cut: String,
    zone: Option<String>,
}

/// `POST /t/{id}/sit`
pub async fn sit(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<SitForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let ensured = app.ensure_player(&user, form.zone.as_deref()).await?;
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

#[derive(Default, Deserialize)]
pub struct InviteForm {
    /// One address or several.
    #[serde(default)]
    address: String,
    /// A line of the inviter's own.
    #[serde(default)]
    line: String,
}

/// `POST /t/{id}/invite`: by address, also people whom the house does not know.
pub async fn invite(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<InviteForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let player = user.player().ok_or(Problem::NotSeated)?;
    let form = form.into_inner();
    let (typed, error) =
        match app.players.invite(player, &cached, &form.address, &form.line, user.network.to_string()).await {
            Ok(InvitedAll { stopped: None }) => return Ok(see(format!("/t/{}", cached.id))),
            Ok(InvitedAll { stopped: Some((sentence, left)) }) => {
                (InviteForm { address: left.join(", "), ..form }, sentence)
            }
            Err(AccountError::Refused(sentence)) if may_host(&cached, player) => (form, sentence),
            Err(AccountError::Open(OpenError::Refused(refusal))) if may_host(&cached, player) => {
                (form, refusal.to_string())
            }
            Err(error) => return Err(error.into()),
        };
    page(&app, app.tables.glance(cached.id, Some(player)).await?, &user, typed, Some(error)).await
}

/// `POST /t/{id}/invitations/{invitation}/withdraw`
pub async fn withdraw(
    app: web::Data<AppState>,
    path: web::Path<(String, Uuid)>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let (id, invitation) = path.into_inner();
    let cached = visible(&app, &id, user.player()).await?;
    let player = user.player().ok_or(Problem::NotSeated)?;
    app.players.withdraw_invitation(player, cached.id, invitation).await?;
    Ok(see(format!("/t/{}", cached.id)))
}

#[derive(Deserialize)]
pub struct BotForm {
    level: String,
}

/// `POST /t/{id}/bot`: gives a free seat to a bot.
pub async fn seat_bot(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<BotForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let player = user.player().ok_or(Problem::NotSeated)?;
    let level: Level = form.level.parse().map_err(|_| Problem::Unreadable)?;
    app.tables.seat_bot(player, cached.id, level).await?;
    Ok(see(format!("/t/{}", cached.id)))
}
