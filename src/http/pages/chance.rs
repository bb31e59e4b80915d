//! How chance works, the check of a game, and its export.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::{HttpResponse, web};
use askama::Template;

use crate::http::AppState;
use crate::http::extract::session::Visitor;
use crate::http::pages::frame::Frame;
use crate::http::pages::table::page::visible_whole;
use crate::http::problem::Problem;
use crate::http::render::html;
use crate::tables::audit::check::{Report, Verdict};

#[derive(Template)]
#[template(path = "pages/chance.html")]
struct ChancePage {
    frame: Frame,
}

#[derive(Template)]
#[template(path = "pages/check.html")]
struct CheckPage {
    frame: Frame,
    url: String,
    title: &'static str,
    report: Report,
}

/// `GET /chance`
pub async fn explain(visitor: Visitor) -> Result<HttpResponse, Problem> {
    Ok(html(StatusCode::OK, &ChancePage { frame: visitor.frame() })?)
}

/// `GET /t/{id}/check`
pub async fn check(app: web::Data<AppState>, id: web::Path<String>, visitor: Visitor) -> Result<HttpResponse, Problem> {
    let kept = match visible_whole(&app, &id, &visitor).await? {
        Ok(kept) => kept,
        Err(instead) => return Ok(instead),
    };
    let report = app.tables.check(kept.id).await?;
    let page =
        CheckPage { frame: visitor.frame(), url: format!("/t/{}", kept.id), title: kept.now.game.info().title, report };
    Ok(html(StatusCode::OK, &page)?)
}

/// `GET /t/{id}/export.jsonl`
pub async fn export(
    app: web::Data<AppState>,
    id: web::Path<String>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let kept = match visible_whole(&app, &id, &visitor).await? {
        Ok(kept) => kept,
        Err(instead) => return Ok(instead),
    };
    let file = app.tables.export(&kept, kept.viewer(visitor.player())).await?;
    let name = format!("attachment; filename=\"{}-{}.jsonl\"", kept.now.opened.game, kept.id);
    Ok(HttpResponse::Ok()
        .content_type("application/jsonl; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_DISPOSITION, name))
        .body(file))
}
