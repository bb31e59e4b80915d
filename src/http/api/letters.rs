//! When letters come: one's wishes, and what one wants otherwise at a table.

use actix_web::{HttpResponse, web};

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::api::caller::Asker;
use crate::http::api::types::letters::{LetterWishes, Letters, TableWishes};
use crate::http::api::{Answer, json};
use crate::http::pages::letters::preferences::{keep_wishes_at, wishes_at, wishes_of};
use crate::http::pages::table::page::visible;
use crate::http::problem::Problem;
use crate::mail::preferences::MailPreferences;

/// `GET /api/v1/me/letters`
pub async fn show(app: web::Data<AppState>, asker: Asker) -> Answer {
    let wishes = wishes_of(&app, asker.caller()?.player).await?;
    let in_words = wishes.sentences();
    Ok(json(&Letters { wishes: wishes.into(), in_words }))
}

/// `PUT /api/v1/me/letters`
pub async fn keep(app: web::Data<AppState>, body: web::Json<LetterWishes>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let wishes = MailPreferences::from(body.into_inner());
    wishes.check().map_err(Problem::Refused)?;
    let wishes = wishes.write();
    retry_transient(|| app.tables.store.keep_letter_wishes(player.0, &wishes)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/tables/{id}/letters`
pub async fn show_of_table(app: web::Data<AppState>, id: web::Path<String>, asker: Asker) -> Answer {
    let kept = visible(&app, &id, asker.player()).await?;
    let (_, wishes) = wishes_at(&app, &kept, Some(asker.caller()?.player)).await?;
    Ok(json(&TableWishes::from(wishes)))
}

/// `PUT /api/v1/tables/{id}/letters`
pub async fn keep_of_table(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<TableWishes>,
    asker: Asker,
) -> Answer {
    let kept = visible(&app, &id, asker.player()).await?;
    keep_wishes_at(&app, &kept, Some(asker.caller()?.player), body.into_inner().into()).await?;
    Ok(HttpResponse::NoContent().finish())
}
