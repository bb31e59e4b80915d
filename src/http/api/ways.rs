//! Other ways of being told what letters tell: feeds of one's own, and webhooks.

use actix_web::{HttpResponse, web};
use uuid::Uuid;

use crate::db::webhooks::WebhookRow;
use crate::http::AppState;
use crate::http::api::types::ways::{Feeds, NewFeeds, NewWebhook, Webhook, WebhookBody, Webhooks};
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::pages::table::page::visible;

/// `GET /api/v1/me/feeds`
pub async fn feeds(app: web::Data<AppState>, user: ApiUser) -> Answer {
    Ok(json(&Feeds { since: app.players.feeds_since(user.credentials()?.player).await? }))
}

/// `POST /api/v1/me/feeds`
pub async fn renew_feeds(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let paths = app.players.renew_feeds(user.credentials()?.player).await?;
    Ok(json(&NewFeeds { tables: app.link(&paths.tables), deadlines: app.link(&paths.deadlines) }))
}

/// `DELETE /api/v1/me/feeds`
pub async fn end_feeds(app: web::Data<AppState>, user: ApiUser) -> Answer {
    app.players.end_feeds(user.credentials()?.player).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/me/webhooks`
pub async fn webhooks(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let rows = app.players.webhooks(user.credentials()?.player).await?;
    let webhook = |row: WebhookRow| Webhook {
        id: row.id,
        table: row.table_id.map(|table| table.to_string()),
        form: row.form,
        url: row.url,
        created_at: row.created_at,
        sent_at: row.sent_at,
        trouble: row.trouble,
        off_since: row.off_since,
        given_up: row.dead,
    };
    Ok(json(&Webhooks { webhooks: rows.into_iter().map(webhook).collect() }))
}

/// `PUT /api/v1/me/webhooks`
pub async fn add_webhook(app: web::Data<AppState>, body: web::Json<WebhookBody>, user: ApiUser) -> Answer {
    let secret = app.players.add_webhook(user.credentials()?.player, None, body.form, &body.url).await?;
    Ok(json(&NewWebhook { secret }))
}

/// `PUT /api/v1/tables/{id}/webhook`
pub async fn add_webhook_of_table(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<WebhookBody>,
    user: ApiUser,
) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    let secret = app.players.add_webhook(user.credentials()?.player, Some(&cached), body.form, &body.url).await?;
    Ok(json(&NewWebhook { secret }))
}

/// `DELETE /api/v1/me/webhooks/{webhook}`
pub async fn remove_webhook(app: web::Data<AppState>, id: web::Path<Uuid>, user: ApiUser) -> Answer {
    app.players.remove_webhook(user.credentials()?.player, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `POST /api/v1/me/webhooks/{webhook}/try-again`
pub async fn try_webhook_again(app: web::Data<AppState>, id: web::Path<Uuid>, user: ApiUser) -> Answer {
    app.players.try_webhook_again(user.credentials()?.player, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}
