//! Talk at a table, and one's own notes.

use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::db::retry_transient;
use crate::db::tables::talk::TalkRow;
use crate::http::AppState;
use crate::http::api::types::talk::{Mute, Mutes, Note, Talk, TalkList};
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::pages::table::page::visible;
use crate::http::problem::Problem;
use crate::players;
use crate::tables::{FORMER_PLAYER, LONGEST_REPORT};

/// `GET /api/v1/tables/{id}/talk`
pub async fn show(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    let rows = app.tables.talk_for(&kept, user.player()).await?;
    if kept.now.opened.seats == 1 {
        return Err(Problem::Refused("There is nobody else at this table.".into()).into());
    }
    let rows = rows.ok_or(Problem::NotForYou("While the game runs the talk is for those who sit there."))?;
    let message = |row: TalkRow| Talk {
        id: row.id,
        seat: row.seat.number().into(),
        name: row.name.unwrap_or_else(|| FORMER_PLAYER.to_owned()),
        at: row.at,
        move_no: row.move_no,
        words: row.words,
        removed: row.removed,
    };
    Ok(json(&TalkList { talk: rows.into_iter().map(message).collect() }))
}

#[derive(Deserialize, JsonSchema)]
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

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportBody {
    /// What is wrong with it, for the host
    #[serde(default)]
    #[schemars(length(max = LONGEST_REPORT))]
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
    let mutes = app.players.mutes(player).await?;
    let mute = |mute: players::Mute| Mute { id: mute.id, name: mute.name, since: mute.since };
    Ok(json(&Mutes { mutes: mutes.into_iter().map(mute).collect() }))
}

/// `DELETE /api/v1/me/mutes/{mute}`
pub async fn unmute(app: web::Data<AppState>, id: web::Path<Uuid>, user: ApiUser) -> Answer {
    app.players.unmute(user.credentials()?.player, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/tables/{id}/note`
pub async fn note(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    let player = user.credentials()?.player;
    kept.seat_of(Some(player)).ok_or(Problem::NotSeated)?;
    let words = retry_transient(|| app.tables.store.note_of(kept.id, player)).await?;
    Ok(json(&Note { words: words.unwrap_or_default() }))
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
