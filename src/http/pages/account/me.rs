//! My page: name, address, settings, tokens, all that is known of me, and leaving.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;
use uuid::Uuid;

use crate::db::host::about_player::DeedAboutPlayer;
use crate::http::AppState;
use crate::http::extract::local_path::LocalPath;
use crate::http::extract::request_user::RequestUser;
use crate::http::extract::signed_in::SignedIn;
use crate::http::pages::account::confirm::{Confirmation, Waiting};
use crate::http::pages::account::sign_in::asked;
use crate::http::pages::frame::Frame;
use crate::http::pages::home::game_title;
use crate::http::pages::table::time::{DaysForm, MyTime};
use crate::http::problem::Problem;
use crate::http::render::{Moment, html, see};
use crate::local_time::{NoZone, Zone};
use crate::mail::preferences::MailPreferences;
use crate::players::{AccountError, Mute, PageShown, PlayerSettings, Theme};
use crate::tables::PlayerId;

/// How many deeds of the host the page tells of.
const MOST_DEEDS: i64 = 20;

#[derive(Template)]
#[template(path = "pages/me.html")]
struct MePage {
    frame: Frame,
    notice: Option<&'static str>,
    error: Option<String>,
    /// A token that was just made: shown this once.
    new_token: Option<String>,
    name: String,
    email: Option<String>,
    /// Whether letters came back, so that none are sent.
    mail_off: bool,
    since: Moment,
    sessions: i64,
    settings: PlayerSettings,
    /// Where others see how the player plays.
    page_url: String,
    /// When letters come, in sentences.
    letters: Vec<String>,
    tokens: Vec<TokenLine>,
    time: MyTime,
    /// What the host did that concerns the player.
    from_host: Vec<HostLine>,
    /// Whom the player has muted.
    mutes: Vec<MuteLine>,
}

struct MuteLine {
    id: Uuid,
    name: String,
    since: Moment,
}

struct HostLine {
    at: Moment,
    words: String,
    reason: String,
}

struct TokenLine {
    id: Uuid,
    title: String,
    made: Moment,
    used: Option<Moment>,
}

#[derive(Template)]
#[template(path = "pages/delete_me.html")]
struct DeletePage {
    frame: Frame,
    name: String,
}

/// What is said on the page besides.
#[derive(Default)]
struct Remarks {
    notice: Option<&'static str>,
    error: Option<String>,
    new_token: Option<String>,
    /// Days off that could not be taken, and why.
    days: Option<(DaysForm, String)>,
}

async fn page(app: &AppState, user: &RequestUser, player: PlayerId, remarks: Remarks) -> Result<HttpResponse, Problem> {
    let profile = app.players.profile(player).await?;
    let tokens = app.players.tokens(player).await?;
    let mut time = app.time_of(player).await?;
    let is_refused = remarks.error.is_some() || remarks.days.is_some();
    if let Some((typed, error)) = remarks.days {
        (time.typed_days, time.days_error) = (typed, Some(error));
    }
    let status = if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = MePage {
        frame: user.frame(),
        notice: remarks.notice,
        error: remarks.error,
        new_token: remarks.new_token,
        name: profile.name.unwrap_or_default(),
        email: profile.email,
        mail_off: app.players.mail_is_off(player).await?,
        since: profile.created_at.into(),
        sessions: profile.sessions,
        settings: user.settings(),
        page_url: format!("/players/{player}"),
        letters: MailPreferences::read(&profile.letters).sentences(),
        time,
        from_host: from_host(app, player).await?,
        mutes: mutes(app, player).await?,
        tokens: tokens
            .into_iter()
            .map(|token| TokenLine {
                id: token.id,
                title: token.title,
                made: token.created_at.into(),
                used: token.used_at.map(Moment::from),
            })
            .collect(),
    };
    Ok(html(status, &page)?)
}

/// The page with days off that could not be taken, as they were typed.
pub async fn days_refused(
    app: &AppState,
    user: &SignedIn,
    typed: DaysForm,
    sentence: String,
) -> Result<HttpResponse, Problem> {
    let remarks = Remarks { days: Some((typed, sentence)), ..Remarks::default() };
    page(app, user, user.player(), remarks).await
}

/// What the host did that concerns a player.
async fn from_host(app: &AppState, player: PlayerId) -> Result<Vec<HostLine>, Problem> {
    let rows = app.players.deeds_of_host(player, MOST_DEEDS).await?;
    let line = |row: DeedAboutPlayer| {
        let words = row.sentence(row.game.as_deref().map(|game| game_title(app, game)).as_deref())?;
        Some(HostLine { at: row.at.into(), words, reason: row.reason })
    };
    Ok(rows.into_iter().filter_map(line).collect())
}

async fn mutes(app: &AppState, player: PlayerId) -> Result<Vec<MuteLine>, Problem> {
    let mutes = app.players.mutes(player).await?;
    let line = |mute: Mute| MuteLine { id: mute.id, name: mute.name, since: mute.since.into() };
    Ok(mutes.into_iter().map(line).collect())
}

/// The page with what was refused on it; other errors have pages of their own.
async fn refused(
    app: &AppState,
    user: &RequestUser,
    player: PlayerId,
    error: AccountError,
) -> Result<HttpResponse, Problem> {
    match error {
        AccountError::Refused(sentence) => {
            page(app, user, player, Remarks { error: Some(sentence), ..Remarks::default() }).await
        }
        error => Err(error.into()),
    }
}

#[derive(Deserialize)]
pub struct Done {
    done: Option<String>,
}

/// `GET /me`
pub async fn show(app: web::Data<AppState>, query: web::Query<Done>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let player = user.player();
    let notice = match query.done.as_deref() {
        Some("name") => Some("That is your name now."),
        Some("address") => Some("Letters go to your new address from now on."),
        Some("mail-on") => Some("Letters go to your address again."),
        Some("settings") => Some("Your settings are kept."),
        Some("zone") => Some("All times are meant there from now on."),
        Some("hours") => Some("Your hours are kept."),
        Some("days-off") => Some("Enjoy your days off. Your tables have been told."),
        Some("back") => Some("Your tables have been told that you are back."),
        Some("revoked") => Some("The token is revoked. It opens nothing any more."),
        _ => None,
    };
    page(&app, &user, player, Remarks { notice, ..Remarks::default() }).await
}

#[derive(Deserialize)]
pub struct NameForm {
    #[serde(default)]
    name: String,
    /// From the desk, where a newcomer is asked: whether they would rather keep the name they have.
    desk: Option<String>,
    keep: Option<String>,
}

/// `POST /me/name`
pub async fn rename(
    app: web::Data<AppState>,
    form: web::Form<NameForm>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let player = user.player();
    if form.desk.is_some() {
        app.players.keep_settings(player, PlayerSettings { name_asked: true, ..user.settings() }).await?;
        if form.keep.is_some() {
            return Ok(see("/"));
        }
    }
    match app.players.rename(player, &form.name).await {
        Ok(()) if form.desk.is_some() => Ok(see("/?done=name")),
        Ok(()) => Ok(see("/me?done=name")),
        Err(error) => refused(&app, &user, player, error).await,
    }
}

#[derive(Deserialize)]
pub struct AddressForm {
    email: String,
    #[serde(flatten)]
    confirmation: Confirmation,
}

/// `POST /me/address`: a letter to the new address confirms it.
pub async fn change_address(
    app: web::Data<AppState>,
    form: web::Form<AddressForm>,
    request: HttpRequest,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let player = user.player();
    let email = match app.players.read_address(&form.email) {
        Ok(email) => email,
        Err(error) => return refused(&app, &user, player, AccountError::Refused(error.to_string())).await,
    };
    let waiting = Waiting { action: "your address changes", path: "/me/address", fields: &[("email", email.as_str())] };
    if let Some(page) = app.page_to_confirm(&user, &waiting, &form.confirmation).await? {
        return Ok(page);
    }
    let ask = app.players.change_address(user.credentials(), &email, asked(&request), &user.origin()).await?;
    app.await_code(&ask, LocalPath::parse("/me").as_ref())
}

/// `POST /me/mail-on`
pub async fn turn_mail_on(app: web::Data<AppState>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let player = user.player();
    app.players.turn_mail_on(player).await?;
    Ok(see("/me?done=mail-on"))
}

#[derive(Deserialize)]
pub struct SettingsForm {
    /// A box that is not ticked is not sent.
    confirm_moves: Option<String>,
    /// Forget in which games nothing is asked.
    ask_again: Option<String>,
    four_colour_suits: Option<String>,
    theme: Theme,
    page_shown: Option<PageShown>,
}

/// `POST /me/settings`
pub async fn keep_settings(
    app: web::Data<AppState>,
    form: web::Form<SettingsForm>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let player = user.player();
    let never_ask = match form.ask_again {
        Some(_) => Vec::new(),
        None => app.players.settings(player).await?.never_ask,
    };
    let settings = PlayerSettings {
        confirm_moves: form.confirm_moves.is_some(),
        never_ask,
        four_colour_suits: form.four_colour_suits.is_some(),
        theme: form.theme,
        page_shown: form.page_shown.unwrap_or(user.settings().page_shown),
        ..user.settings()
    };
    app.players.keep_settings(player, settings).await?;
    Ok(see("/me?done=settings"))
}

#[derive(Deserialize)]
pub struct ZoneForm {
    zone: String,
}

/// `POST /me/zone`: where the player lives, for waking hours, letters and days off alike.
pub async fn keep_zone(
    app: web::Data<AppState>,
    form: web::Form<ZoneForm>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let player = user.player();
    let zone: Zone = match form.zone.parse() {
        Ok(zone) => zone,
        Err(error) => return refused(&app, &user, player, AccountError::Refused(NoZone::to_string(&error))).await,
    };
    app.players.keep_zone(player, zone.in_list()).await?;
    Ok(see("/me?done=zone#my-time"))
}

#[derive(Deserialize)]
pub struct TokenForm {
    title: String,
    #[serde(flatten)]
    confirmation: Confirmation,
}

/// `POST /me/tokens`: the token is shown on the page that answers, and never again.
pub async fn make_token(
    app: web::Data<AppState>,
    form: web::Form<TokenForm>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let player = user.player();
    let waiting = Waiting { action: "a token is made", path: "/me/tokens", fields: &[("title", &form.title)] };
    if let Some(page) = app.page_to_confirm(&user, &waiting, &form.confirmation).await? {
        return Ok(page);
    }
    match app.players.make_token(user.credentials(), &form.title).await {
        Ok(token) => page(&app, &user, player, Remarks { new_token: Some(token), ..Remarks::default() }).await,
        Err(error) => refused(&app, &user, player, error).await,
    }
}

/// `POST /me/tokens/{id}/revoke`
pub async fn revoke_token(
    app: web::Data<AppState>,
    id: web::Path<Uuid>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let player = user.player();
    app.players.revoke_token(player, *id).await?;
    Ok(see("/me?done=revoked"))
}

/// `GET /me/export.json`
pub async fn export(app: web::Data<AppState>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let player = user.player();
    let everything = app.players.export(player).await?;
    let file = serde_json::to_string_pretty(&everything).map_err(|error| Problem::Internal(error.to_string()))?;
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"wonderpost-about-me.json\""))
        .body(file))
}

/// `GET /me/delete`
pub async fn ask_to_delete(user: SignedIn) -> Result<HttpResponse, Problem> {
    let frame = user.frame();
    let name = frame.name.clone().unwrap_or_default();
    Ok(html(StatusCode::OK, &DeletePage { frame, name })?)
}

#[derive(Deserialize)]
pub struct DeleteForm {
    sure: Option<String>,
    #[serde(flatten)]
    confirmation: Confirmation,
}

/// `POST /me/delete`
pub async fn delete(
    app: web::Data<AppState>,
    form: web::Form<DeleteForm>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    if form.sure.as_deref() != Some("yes") {
        return Ok(see("/me/delete"));
    }
    let waiting = Waiting { action: "your account is deleted", path: "/me/delete", fields: &[("sure", "yes")] };
    if let Some(page) = app.page_to_confirm(&user, &waiting, &form.confirmation).await? {
        return Ok(page);
    }
    app.players.leave(user.credentials()).await?;
    app.take_cookie(see("/?done=deleted"))
}
