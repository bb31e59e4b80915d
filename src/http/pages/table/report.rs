//! Reporting a message to the host, and muting who wrote it.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;
use uuid::Uuid;

use crate::http::AppState;
use crate::http::extract::local_path::LocalPath;
use crate::http::extract::request_user::RequestUser;
use crate::http::extract::signed_in::SignedIn;
use crate::http::pages::frame::Frame;
use crate::http::pages::table::page::visible;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html, see};
use crate::tables::{FORMER_PLAYER, LONGEST_REPORT};

#[derive(Template)]
#[template(path = "pages/report.html")]
struct ReportPage {
    frame: Frame,
    url: String,
    talk: i64,
    name: String,
    at: Moment,
    words: String,
    /// Whether the host knows of it by now.
    is_reported: bool,
    longest: usize,
}

#[derive(Deserialize)]
pub struct Done {
    done: Option<String>,
}

/// `GET /t/{id}/talk/{talk}/report`
pub async fn show(
    app: web::Data<AppState>,
    path: web::Path<(String, i64)>,
    query: web::Query<Done>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let (id, talk) = path.into_inner();
    let kept = visible(&app, &id, user.player()).await?;
    let url = format!("/t/{}", kept.id);
    let Some(player) = user.player() else { return Ok(see(format!("/sign-in?to={url}"))) };
    let row = app.tables.reportable(&kept, player, talk).await?.ok_or(Problem::NoPage)?;
    let page = ReportPage {
        frame: user.frame(),
        url,
        talk,
        name: row.name.unwrap_or_else(|| FORMER_PLAYER.to_owned()),
        at: row.at.into(),
        words: row.words,
        is_reported: query.done.is_some(),
        longest: LONGEST_REPORT,
    };
    Ok(html(StatusCode::OK, &page)?)
}

#[derive(Deserialize)]
pub struct ReportForm {
    #[serde(default)]
    reason: String,
}

/// `POST /t/{id}/talk/{talk}/report`
pub async fn report(
    app: web::Data<AppState>,
    path: web::Path<(String, i64)>,
    form: web::Form<ReportForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let (id, talk) = path.into_inner();
    let kept = visible(&app, &id, user.player()).await?;
    app.tables.report(user.player().ok_or(Problem::NotSeated)?, &kept, talk, &form.reason).await?;
    Ok(see(format!("/t/{}/talk/{talk}/report?done=reported", kept.id)))
}

/// `POST /t/{id}/talk/{talk}/mute`
pub async fn mute(
    app: web::Data<AppState>,
    path: web::Path<(String, i64)>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let (id, talk) = path.into_inner();
    let kept = visible(&app, &id, user.player()).await?;
    app.tables.mute(user.player().ok_or(Problem::NotSeated)?, &kept, talk).await?;
    Ok(see(format!("/t/{}#talk", kept.id)))
}

/// `POST /me/mutes/{mute}/end`: back to where one was.
pub async fn unmute(
    app: web::Data<AppState>,
    id: web::Path<Uuid>,
    request: HttpRequest,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let player = user.player();
    app.players.unmute(player, *id).await?;
    Ok(see(LocalPath::before(&request).as_ref().map_or("/me", LocalPath::as_str)))
}
