//! Filling the seats of a table: inviting people, taking invitations back, asking bots.

use actix_web::{HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::db::tables::invitations::InvitedRow;
use crate::http::AppState;
use crate::http::api::types::invitations::{InvitedPeople, InvitedPerson};
use crate::http::api::types::tables::{BotLevel, Seated};
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::extract::network::Network;
use crate::http::pages::table::page::visible;
use crate::http::problem::Problem;
use crate::players::InvitedAll;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InviteBody {
    /// One address, or several with commas between them
    address: String,
    /// A line of your own, for the letter and the page of the invitation
    #[serde(default)]
    line: String,
}

/// `POST /api/v1/tables/{id}/invite`
pub async fn invite(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<InviteBody>,
    request: HttpRequest,
    user: ApiUser,
) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    let player = user.credentials()?.player;
    let network = Network::of(&request, app.behind_proxy).to_string();
    match app.players.invite(player, &cached, &body.address, &body.line, network).await? {
        InvitedAll { stopped: None } => Ok(HttpResponse::NoContent().finish()),
        InvitedAll { stopped: Some((sentence, left)) } => {
            Err(Problem::Refused(format!("{sentence} The last {} of these addresses were not written to.", left.len()))
                .into())
        }
    }
}

/// `GET /api/v1/tables/{id}/invitations`
pub async fn invited(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    let player = user.credentials()?.player;
    let person = |row: InvitedRow| InvitedPerson {
        id: row.id,
        address: row.email,
        name: row.name,
        from: row.from,
        answer: row.answer.map(|answer| answer.name()),
        invited_at: row.created_at,
    };
    let invited = app.players.invited(player, &cached).await?;
    Ok(json(&InvitedPeople { invitations: invited.into_iter().map(person).collect() }))
}

/// `DELETE /api/v1/tables/{id}/invitations/{invitation}`
pub async fn withdraw(app: web::Data<AppState>, path: web::Path<(String, Uuid)>, user: ApiUser) -> Answer {
    let (id, invitation) = path.into_inner();
    let cached = visible(&app, &id, user.player()).await?;
    app.players.withdraw_invitation(user.credentials()?.player, cached.id, invitation).await?;
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BotBody {
    level: BotLevel,
}

/// `POST /api/v1/tables/{id}/bots`
pub async fn seat_bot(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<BotBody>,
    user: ApiUser,
) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    let level = body.into_inner().level.into();
    let seat = app.tables.seat_bot(user.credentials()?.player, cached.id, level).await?;
    Ok(json(&Seated { table: cached.id.to_string(), seat: Some(seat.number()) }))
}
