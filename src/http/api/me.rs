//! The holder of the token: profile, tables, invitations.

use actix_web::{HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::db::devices::DeviceRow;
use crate::db::players::accounts::TokenRow;
use crate::db::retry_transient;
use crate::db::tables::invitations::{InvitationAnswer, InvitationRow};
use crate::http::AppState;
use crate::http::api::problem::ApiProblem;
use crate::http::api::table_lines::table_row;
use crate::http::api::types::me::{
    Asked, DeviceLine, Devices, Invitation, Invitations, InvitedTo, Me, NewToken, NextTable, Settings, TokenLine,
    Tokens,
};
use crate::http::api::types::tables::{Seated, Tables};
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::pages::next::Skipped;
use crate::http::problem::Problem;
use crate::players::sign_in::Token;
use crate::tables::PlayerId;
use wonderpost_rules::Seat;

/// The most of one's tables that are listed.
const LISTED_TABLES: i64 = 200;

async fn profile(app: &AppState, player: PlayerId) -> Result<Me, ApiProblem> {
    let profile = app.players.profile(player).await?;
    let settings = app.players.settings(player).await?;
    Ok(Me { name: profile.name, address: profile.email, since: profile.created_at, settings: settings.into() })
}

/// `GET /api/v1/me`
pub async fn show(app: web::Data<AppState>, user: ApiUser) -> Answer {
    Ok(json(&profile(&app, user.credentials()?.player).await?))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    name: Option<String>,
    /// Null changes nothing
    settings: Option<Settings>,
}

/// `PATCH /api/v1/me`
pub async fn change(app: web::Data<AppState>, change: web::Json<Change>, user: ApiUser) -> Answer {
    let player = user.credentials()?.player;
    if let Some(name) = &change.name {
        app.players.rename(player, name).await?;
    }
    if let Some(settings) = &change.settings {
        let former = app.players.settings(player).await?;
        app.players.keep_settings(player, settings.replacing(former)).await?;
    }
    Ok(json(&profile(&app, player).await?))
}

/// `DELETE /api/v1/me`
pub async fn delete(app: web::Data<AppState>, user: ApiUser) -> Answer {
    app.players.leave(user.credentials()?).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/me/tables`
pub async fn tables(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let player = user.credentials()?.player;
    let rows = retry_transient(|| app.tables.store.tables_of_player(player, LISTED_TABLES)).await?;
    let tables = rows.into_iter().map(|row| table_row(row, app.tables.now())).collect();
    Ok(json(&Tables { tables, page: None }))
}

/// `GET /api/v1/me/next`
pub async fn next(app: web::Data<AppState>, query: web::Query<Skipped>, user: ApiUser) -> Answer {
    let table = app.next_for(user.credentials()?.player, &query.tables()).await?;
    Ok(json(&NextTable { table: table.map(|table| table.to_string()) }))
}

/// `GET /api/v1/me/invitations`
pub async fn invitations(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let player = user.credentials()?.player;
    let rows = app.players.invitations(player).await?;
    let invitation = |row: InvitationRow| Invitation {
        token: row.token,
        game: row.game,
        from: row.from,
        line: row.words,
        rematch: row.is_rematch,
        invited_at: row.created_at,
    };
    Ok(json(&Invitations { invitations: rows.into_iter().map(invitation).collect() }))
}

/// `GET /api/v1/me/export`
pub async fn export(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let player = user.credentials()?.player;
    Ok(json(&app.players.export(player).await?))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddressBody {
    address: String,
}

/// `POST /api/v1/me/address`: the link in the letter confirms it.
pub async fn change_address(
    app: web::Data<AppState>,
    body: web::Json<AddressBody>,
    request: HttpRequest,
    user: ApiUser,
) -> Answer {
    let credentials = user.credentials()?;
    let address = app.players.read_address(&body.address)?;
    app.players.change_address(credentials, &address, None, &user.origin(&app, &request)?).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `POST /api/v1/me/confirm`: a letter to one's own address; nothing is written if none is needed.
pub async fn ask_to_confirm(app: web::Data<AppState>, request: HttpRequest, user: ApiUser) -> Answer {
    let ask = app.players.ask_to_confirm(user.credentials()?, &user.origin(&app, &request)?).await?;
    Ok(json(&Asked { ask: ask.map(|ask| ask.reveal()) }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeBody {
    ask: String,
    code: String,
}

/// `PUT /api/v1/me/confirm`: the code of that letter.
pub async fn confirm(
    app: web::Data<AppState>,
    body: web::Json<CodeBody>,
    request: HttpRequest,
    user: ApiUser,
) -> Answer {
    let (credentials, origin) = (user.credentials()?, user.origin(&app, &request)?);
    app.players.confirm_with_code(credentials, Token::parse(&body.ask), &body.code, &origin).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `DELETE /api/v1/me/sessions`
pub async fn sign_out_everywhere(app: web::Data<AppState>, user: ApiUser) -> Answer {
    app.players.sign_out_everywhere(user.credentials()?.player).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/me/tokens`
pub async fn tokens(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let player = user.credentials()?.player;
    let tokens = app.players.tokens(player).await?;
    let line =
        |row: TokenRow| TokenLine { id: row.id, title: row.title, created_at: row.created_at, used_at: row.used_at };
    Ok(json(&Tokens { tokens: tokens.into_iter().map(line).collect() }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenBody {
    title: String,
}

/// `POST /api/v1/me/tokens`
pub async fn make_token(app: web::Data<AppState>, body: web::Json<TokenBody>, user: ApiUser) -> Answer {
    let token = app.players.make_token(user.credentials()?, &body.title).await?;
    Ok(json(&NewToken { token }))
}

/// `DELETE /api/v1/me/tokens/{token}`
pub async fn revoke_token(app: web::Data<AppState>, id: web::Path<Uuid>, user: ApiUser) -> Answer {
    app.players.revoke_token(user.credentials()?.player, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/me/devices`
pub async fn devices(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let devices = app.players.devices(user.credentials()?.player).await?;
    let line =
        |row: DeviceRow| DeviceLine { id: row.id, title: row.title, created_at: row.created_at, sent_at: row.sent_at };
    Ok(json(&Devices { devices: devices.into_iter().map(line).collect() }))
}

/// `DELETE /api/v1/me/devices/{device}`
pub async fn remove_device(app: web::Data<AppState>, id: web::Path<Uuid>, user: ApiUser) -> Answer {
    app.players.remove_device(user.credentials()?.player, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/invitations/{token}`
pub async fn invitation(app: web::Data<AppState>, token: web::Path<String>) -> Answer {
    let link = app.tables.invitation_link(&token).await?;
    if link.answer == Some(InvitationAnswer::Withdrawn) {
        return Err(Problem::NoTable.into());
    }
    let cached = app.tables.load_fresh(link.table_id).await?;
    let now = &cached.now;
    Ok(json(&InvitedTo {
        from: link.from,
        line: link.words,
        rematch: link.is_rematch,
        game: now.opened.game.clone(),
        seats: now.opened.seats,
        seated: now.seated.iter().map(Seat::number).collect(),
        status: now.status().name(),
    }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerBody {
    accept: bool,
    #[serde(default)]
    cut: String,
}

/// `POST /api/v1/invitations/{token}`
pub async fn answer(
    app: web::Data<AppState>,
    token: web::Path<String>,
    body: web::Json<AnswerBody>,
    user: ApiUser,
) -> Answer {
    let player = user.credentials()?.player;
    let (id, seat) = if body.accept {
        let (id, seat) = app.players.accept_invitation(&token, player, &body.cut).await?;
        (id, Some(seat))
    } else {
        (app.players.decline_invitation(&token, Some(player)).await?, None)
    };
    Ok(json(&Seated { table: id.to_string(), seat: seat.map(Seat::number) }))
}
