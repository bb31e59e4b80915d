//! Pictures of tables for lists: what the viewer's own letters would show, and an example of each game.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, HeaderValue};
use actix_web::{HttpResponse, web};
use serde_json::Value;

use crate::http::AppState;
use crate::http::extract::whole_table::WholeTable;
use crate::http::problem::Problem;
use crate::mail::letters::picture::{Drawn, draw_aside, name_in_drawing};
use crate::tables::name_of;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Game, Picture, Seat, Viewer};

/// From which deal the example of a game is drawn.
const EXAMPLE_DEAL: u64 = 1865;

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
    WholeTable { table: cached, user }: WholeTable,
) -> Result<HttpResponse, Problem> {
    if !cached.now.started() {
        return Err(Problem::NoMove);
    }
    let viewer = cached.viewer(user.player());
    let view = app.tables.table_now(&cached, viewer).await?;
    let holders = app.tables.holders(cached.id).await?;
    let name = |seat| name_of(&holders, seat);
    let picture = view.now.position.picture(viewer);
    let picture = picture.fill_marks(|seat| name_in_drawing(seat, &name(seat)), name);
    let drawn = draw_aside(picture).await;
    drawn.map(|drawn| png(drawn, "no-store")).ok_or_else(|| Problem::Internal("no picture".into()))
}

/// A deal of a game that is nobody's, as seat 1 sees it.
fn example(game: &dyn Game) -> Option<Picture> {
    let options = game.complete_options(&Value::Object(Default::default())).ok()?;
    let seats = game.info().seats.0;
    let dealt = game.begin(&options, seats).ok()?.set_up(&mut Seed::of_number(EXAMPLE_DEAL).chance(0)).ok()?;
    let name = |seat: Seat| if seat == Seat::FIRST { "You".to_owned() } else { format!("Seat {seat}") };
    Some(dealt.position.picture(Viewer::Seat(Seat::FIRST)).fill_marks(name, name))
}

/// `GET /games/{slug}/picture.png`: what a game looks like.
pub async fn of_game(app: web::Data<AppState>, slug: web::Path<String>) -> Result<HttpResponse, Problem> {
    let game = app.tables.catalogue.find(&slug).ok_or(Problem::NoPage)?;
    let picture = example(game).ok_or_else(|| Problem::Internal("no example".into()))?;
    let drawn = draw_aside(picture).await;
    drawn.map(|drawn| png(drawn, "public, max-age=86400")).ok_or_else(|| Problem::Internal("no picture".into()))
}
