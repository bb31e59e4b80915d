//! How chance works, the check of a game, and its export.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::{HttpResponse, web};
use askama::Template;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::extract::whole_table::WholeTable;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::html;
use crate::tables::audit::check::{Report, Verdict};
use crate::tables::state::glance::Glance;

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
pub async fn explain(user: RequestUser) -> Result<HttpResponse, Problem> {
    Ok(html(StatusCode::OK, &ChancePage { frame: user.frame() })?)
}

/// `GET /t/{id}/check`
pub async fn check(
    app: web::Data<AppState>,
    WholeTable { glance: Glance { table: kept, .. }, user }: WholeTable,
) -> Result<HttpResponse, Problem> {
    let report = app.tables.check(kept.id).await?;
    let page =
        CheckPage { frame: user.frame(), url: format!("/t/{}", kept.id), title: kept.now.game.info().title, report };
    Ok(html(StatusCode::OK, &page)?)
}

/// `GET /t/{id}/export.jsonl`
pub async fn export(
    app: web::Data<AppState>,
    WholeTable { glance: Glance { table: kept, .. }, user }: WholeTable,
) -> Result<HttpResponse, Problem> {
    let file = app.tables.export(&kept, kept.viewer(user.player())).await?;
    let name = format!("attachment; filename=\"{}-{}.jsonl\"", kept.now.opened.game, kept.id);
    Ok(HttpResponse::Ok()
        .content_type("application/jsonl; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_DISPOSITION, name))
        .body(file))
}
