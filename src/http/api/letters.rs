//! When letters come: one's wishes, and what one wants otherwise at a table.

use actix_web::{HttpResponse, web};

use crate::http::AppState;
use crate::http::api::types::letters::{LetterWishes, Letters, TableWishes};
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::pages::table::page::visible;

/// `GET /api/v1/me/letters`
pub async fn show(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let wishes = app.players.mail_preferences(user.credentials()?.player).await?;
    let in_words = wishes.sentences();
    Ok(json(&Letters { wishes: wishes.into(), in_words }))
}

/// `PUT /api/v1/me/letters`
pub async fn keep(app: web::Data<AppState>, body: web::Json<LetterWishes>, user: ApiUser) -> Answer {
    let player = user.credentials()?.player;
    let preferences = body.into_inner().of_somebody_in(app.players.zone(player).await?);
    app.players.keep_mail_preferences(player, &preferences).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/tables/{id}/letters`
pub async fn show_of_table(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    let wishes = app.players.mail_preferences_at(user.credentials()?.player, &kept).await?;
    Ok(json(&TableWishes::from(wishes)))
}

/// `PUT /api/v1/tables/{id}/letters`
pub async fn keep_of_table(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<TableWishes>,
    user: ApiUser,
) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    let player = user.credentials()?.player;
    app.players.keep_mail_preferences_at(player, &kept, &body.into_inner().into()).await?;
    Ok(HttpResponse::NoContent().finish())
}
