//! Time: waking hours, days off, pauses, coming back.

use actix_web::{HttpResponse, web};
use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::http::AppState;
use crate::http::api::types::time::{DaysOff, DaysOffList, Hours, WakingHours};
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::pages::table::page::visible;

/// `GET /api/v1/me/hours`
pub async fn hours(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let hours = app.players.waking_hours(user.credentials()?.player).await?;
    Ok(json(&Hours { hours: hours.map(WakingHours::from) }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HoursBody {
    // It is not to be left out: serde would take that for null.
    /// Null declares none
    #[serde(deserialize_with = "Option::deserialize")]
    hours: Option<WakingHours>,
}

/// `PUT /api/v1/me/hours`
pub async fn declare_hours(app: web::Data<AppState>, body: web::Json<HoursBody>, user: ApiUser) -> Answer {
    app.players.declare_hours(user.credentials()?.player, body.hours.map(Into::into)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/me/days-off`
pub async fn days_off(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let player = user.credentials()?.player;
    let days = app.players.days_off(player).await?;
    let days_off = days
        .into_iter()
        .map(|days| DaysOff { id: days.id, first: days.first, last: days.last, from: days.from, until: days.until })
        .collect();
    Ok(json(&DaysOffList { days_a_year: app.players.days_off_a_year, days_off }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DaysBody {
    first: NaiveDate,
    last: NaiveDate,
}

/// `POST /api/v1/me/days-off`
pub async fn announce_days_off(app: web::Data<AppState>, body: web::Json<DaysBody>, user: ApiUser) -> Answer {
    let player = user.credentials()?.player;
    app.players.announce_days_off(player, body.first, body.last).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `DELETE /api/v1/me/days-off/{id}`
pub async fn end_days_off(app: web::Data<AppState>, id: web::Path<Uuid>, user: ApiUser) -> Answer {
    app.players.end_days_off(user.credentials()?.player, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PauseBody {
    pause: bool,
    until: Option<DateTime<Utc>>,
}

/// `POST /api/v1/tables/{id}/pause`
pub async fn pause(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<PauseBody>,
    user: ApiUser,
) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    app.tables.agree_to_pause(user.credentials()?, kept.id, body.pause, body.until).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `POST /api/v1/tables/{id}/resume`
pub async fn resume(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    app.tables.resume(user.credentials()?, kept.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `POST /api/v1/tables/{id}/return`
pub async fn come_back(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    app.tables.come_back(user.credentials()?, kept.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `POST /api/v1/tables/{id}/go-on`
pub async fn go_on(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    app.tables.go_on(user.credentials()?, kept.id).await?;
    Ok(HttpResponse::NoContent().finish())
}
