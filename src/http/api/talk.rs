//! Talk at a table, and one's own notes.

use actix_web::{HttpResponse, web};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::pages::table::page::visible;
use crate::http::problem::Problem;
use crate::tables::FORMER_PLAYER;

/// `GET /api/v1/tables/{id}/talk`
pub async fn show(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    let rows = app.tables.talk_for(&kept, user.player()).await?;
    if kept.now.opened.seats == 1 {
        return Err(Problem::Refused("There is nobody else at this table.".into()).into());
    }
    let rows = rows.ok_or(Problem::NotForYou("While the game runs the talk is for those who sit there."))?;
    let talk: Vec<Value> = rows
        .into_iter()
        .map(|row| {
            let name = row.name.as_deref().unwrap_or(FORMER_PLAYER);
            json!({
                "id": row.id, "seat": row.seat, "name": name, "at": row.at, "move": row.move_no, "words": row.words,
                "removed": row.removed,
            })
        })
        .collect();
    Ok(json(&json!({"talk": talk})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordsBody {
    words: String,
}

/// `POST /api/v1/tables/{id}/talk`
pub async fn write(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<WordsBody>,
    user: ApiUser,
) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    app.tables.talk(user.credentials()?.player, kept.id, &body.words).await?;
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportBody {
    #[serde(default)]
    reason: String,
}

/// `POST /api/v1/tables/{id}/talk/{talk}/report`
pub async fn report(
    app: web::Data<AppState>,
    path: web::Path<(String, i64)>,
    body: web::Json<ReportBody>,
    user: ApiUser,
) -> Answer {
    let (id, talk) = path.into_inner();
    let kept = visible(&app, &id, user.player()).await?;
    let player = user.credentials()?.player;
    app.tables.report(player, &kept, talk, &body.reason).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `POST /api/v1/tables/{id}/talk/{talk}/mute`
pub async fn mute(app: web::Data<AppState>, path: web::Path<(String, i64)>, user: ApiUser) -> Answer {
    let (id, talk) = path.into_inner();
    let kept = visible(&app, &id, user.player()).await?;
    let player = user.credentials()?.player;
    app.tables.mute(player, &kept, talk).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/me/mutes`
pub async fn mutes(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let player = user.credentials()?.player;
    let rows = retry_transient(|| app.tables.store.mutes_of(player.0)).await?;
    let mutes: Vec<Value> = rows
        .into_iter()
        .map(|row| json!({"id": row.id, "name": row.name.as_deref().unwrap_or(FORMER_PLAYER), "since": row.at}))
        .collect();
    Ok(json(&json!({"mutes": mutes})))
}

/// `DELETE /api/v1/me/mutes/{mute}`
pub async fn unmute(app: web::Data<AppState>, id: web::Path<Uuid>, user: ApiUser) -> Answer {
    app.tables.store.unmute(user.credentials()?.player.0, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/tables/{id}/note`
pub async fn note(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    let player = user.credentials()?.player;
    kept.seat_of(Some(player)).ok_or(Problem::NotSeated)?;
    let words = retry_transient(|| app.tables.store.note_of(kept.id.0, player.0)).await?;
    Ok(json(&json!({"words": words.unwrap_or_default()})))
}

/// `PUT /api/v1/tables/{id}/note`
pub async fn keep_note(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<WordsBody>,
    user: ApiUser,
) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    let player = user.credentials()?.player;
    app.tables.keep_note(player, kept.id, &body.words).await?;
    Ok(HttpResponse::NoContent().finish())
}
