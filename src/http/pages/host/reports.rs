//! Messages that players reported: each with what was said around it.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::db::host::reports::Judgement;
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::home::game_title;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html, see};
use crate::players::HostReason;
use crate::tables::{FORMER_PLAYER, PlayerId, TableId};

/// How many reported messages are listed, and how many lines before and after each.
const LISTED: i64 = 50;
const LINES_AROUND: i64 = 3;

#[derive(Template)]
#[template(path = "host/reports.html")]
struct ReportsPage {
    frame: Frame,
    notice: Option<&'static str>,
    error: Option<String>,
    reports: Vec<ReportBox>,
    longest_reason: usize,
}

struct ReportBox {
    talk: i64,
    table: TableId,
    title: String,
    writer_id: PlayerId,
    writer: String,
    /// Who reported it, and why.
    reporters: Vec<(String, String)>,
    /// The message, and what was said around it.
    lines: Vec<TalkLine>,
}

struct TalkLine {
    name: String,
    at: Moment,
    words: String,
    removed: bool,
    is_reported: bool,
}

fn named(name: Option<String>) -> String {
    name.unwrap_or_else(|| FORMER_PLAYER.to_owned())
}

async fn page(
    app: &AppState,
    user: &RequestUser,
    notice: Option<&'static str>,
    error: Option<String>,
) -> Result<HttpResponse, Problem> {
    let store = &app.tables.store;
    let mut reports = Vec::new();
    for row in retry_transient(|| store.reported_talk(LISTED)).await? {
        let around = retry_transient(|| store.talk_around(row.table_id, row.talk_id, LINES_AROUND)).await?;
        let (before, after): (Vec<_>, Vec<_>) = around.into_iter().partition(|line| line.id < row.talk_id);
        let writer = named(row.writer);
        let line = |line: crate::db::host::reports::TalkAround| TalkLine {
            name: named(line.name),
            at: line.at.into(),
            words: line.words,
            removed: line.removed,
            is_reported: false,
        };
        let reported =
            TalkLine { name: writer.clone(), at: row.at.into(), words: row.words, removed: false, is_reported: true };
        reports.push(ReportBox {
            talk: row.talk_id,
            table: row.table_id,
            title: game_title(app, &row.game),
            writer_id: row.writer_id,
            writer,
            reporters: row.reporters.into_iter().map(named).zip(row.reasons).collect(),
            lines: before.into_iter().map(line).chain([reported]).chain(after.into_iter().map(line)).collect(),
        });
    }
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let longest_reason = HostReason::LONGEST;
    Ok(html(status, &ReportsPage { frame: user.frame(), notice, error, reports, longest_reason })?)
}

#[derive(Deserialize)]
pub struct Done {
    done: Option<String>,
}

/// `GET /host/reports`
pub async fn show(
    app: web::Data<AppState>,
    query: web::Query<Done>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let notice = match query.done.as_deref() {
        Some("removed") => Some("The message is removed, and its writer is told."),
        Some("dismissed") => Some("The reports are dismissed."),
        _ => None,
    };
    page(&app, &user, notice, None).await
}

#[derive(Deserialize)]
pub struct JudgementForm {
    #[serde(default)]
    reason: String,
}

async fn judge(
    app: &AppState,
    user: &RequestUser,
    talk: i64,
    judgement: Judgement,
    reason: Result<HostReason, crate::players::BadReason>,
) -> Result<HttpResponse, Problem> {
    let host = user.player().ok_or(Problem::NoPage)?;
    let reason = match reason {
        Ok(reason) => reason,
        Err(error) => return page(app, user, None, Some(error.to_string())).await,
    };
    if !app.tables.judge_talk(host, talk, judgement, &reason).await? {
        return page(app, user, None, Some("The reports of that message have been dealt with already.".into())).await;
    }
    Ok(see(match judgement {
        Judgement::Remove => "/host/reports?done=removed",
        Judgement::Dismiss => "/host/reports?done=dismissed",
    }))
}

/// `POST /host/reports/{talk}/remove`
pub async fn remove(
    app: web::Data<AppState>,
    talk: web::Path<i64>,
    form: web::Form<JudgementForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    judge(&app, &user, *talk, Judgement::Remove, HostReason::parse(&form.reason)).await
}

/// `POST /host/reports/{talk}/dismiss`
pub async fn dismiss(
    app: web::Data<AppState>,
    talk: web::Path<i64>,
    form: web::Form<JudgementForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    judge(&app, &user, *talk, Judgement::Dismiss, HostReason::parse_optional(&form.reason)).await
}
