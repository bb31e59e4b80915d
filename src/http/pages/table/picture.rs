//! Pictures of tables for lists: what the viewer's own letters would show, and what everybody may see.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, HeaderValue};
use actix_web::{HttpResponse, web};
use chrono::NaiveDate;

use crate::http::AppState;
use crate::http::extract::whole_table::WholeTable;
use crate::http::pages::assets;
use crate::http::problem::Problem;
use crate::mail::letters::picture::{Drawn, draw_aside, name_in_drawing};
use crate::tables::name_of;
use crate::tables::state::glance::Glance;
use wonderpost_rules::{Picture, Seat, Viewer};

pub fn png(drawn: Drawn, caching: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("image/png")
        .insert_header((CACHE_CONTROL, HeaderValue::from_static(caching)))
        .insert_header((CONTENT_DISPOSITION, "inline"))
        .body(drawn.png)
}

/// `GET /t/{id}/picture.png`: the table as this viewer sees it. Whoever signs in next at the same browser must not find it there, so nobody
/// keeps it.
pub async fn of_table(
    app: web::Data<AppState>,
    WholeTable { glance: Glance { table: cached, holders, .. }, user }: WholeTable,
) -> Result<HttpResponse, Problem> {
    if !cached.now.started() {
        return Err(Problem::NoMove);
    }
    let viewer = cached.viewer(user.player());
    let view = app.tables.table_now(&cached, viewer).await?;
    let name = |seat| name_of(&holders, seat);
    let picture = view.now.position.picture(viewer);
    let picture = picture.fill_marks(|seat| name_in_drawing(seat, &name(seat)), name);
    let drawn = draw_aside(picture).await;
    drawn.map(|drawn| png(drawn, "no-store")).ok_or_else(|| Problem::Internal("no picture".into()))
}

/// `GET /t/{id}/board.svg`: the board as those see it who only watch. The same for everybody who may look at the table.
pub async fn for_watchers(
    app: web::Data<AppState>,
    WholeTable { glance: Glance { table: cached, .. }, .. }: WholeTable,
) -> Result<HttpResponse, Problem> {
    if !cached.now.started() {
        return Err(Problem::NoMove);
    }
    let view = app.tables.table_now(&cached, Viewer::Public).await?;
    Ok(svg(view.now.position.showpiece(Viewer::Public), "no-cache"))
}

/// `GET /daily/{day}/garden.svg`: the garden of a day before the first move.
pub async fn of_garden(app: web::Data<AppState>, day: web::Path<NaiveDate>) -> Result<HttpResponse, Problem> {
    let garden = app.tables.garden_of_day(day.into_inner()).await?.ok_or(Problem::NoPage)?;
    Ok(svg(garden.showpiece(Viewer::Public), "public, max-age=86400"))
}

fn svg(picture: Picture, caching: &'static str) -> HttpResponse {
    let seat = |seat: Seat| format!("Seat {seat}");
    HttpResponse::Ok()
        .content_type(assets::SVG)
        .insert_header((CACHE_CONTROL, HeaderValue::from_static(caching)))
        .insert_header((CONTENT_SECURITY_POLICY, assets::PICTURE_POLICY))
        .body(picture.fill_marks(seat, seat).svg)
}
