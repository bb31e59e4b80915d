//! Former gardens: their days, and playing one after its day.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::NaiveDate;

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::daily::{PlayForm, words};
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::{html, see};

/// How many days are listed.
const LISTED: i64 = 60;

#[derive(Template)]
#[template(path = "pages/former_gardens.html")]
struct FormerPage {
    frame: Frame,
    days: Vec<NaiveDate>,
}

/// `GET /daily/former`
pub async fn show(app: web::Data<AppState>, user: RequestUser) -> Result<HttpResponse, Problem> {
    let today = app.tables.today();
    let days = retry_transient(|| app.tables.store.days_before(today, LISTED)).await?;
    Ok(html(StatusCode::OK, &FormerPage { frame: user.frame(), days })?)
}

/// `POST /daily/{day}`: lays out the garden of a day that is over, for the pleasure of it.
pub async fn play(
    app: web::Data<AppState>,
    day: web::Path<NaiveDate>,
    form: web::Form<PlayForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    if *day >= app.tables.today() {
        return Err(Problem::NoPage);
    }
    let ensured = app.ensure_player(&user, form.zone.as_deref()).await?;
    let table = app.tables.play_former(ensured.player, *day).await?.ok_or(Problem::NoPage)?;
    app.answer_ensured(ensured, see(format!("/t/{table}")))
}
