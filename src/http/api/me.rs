//! The holder of the token: profile, tables, invitations.

use actix_web::{HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::db::players::accounts::TokenRow;
use crate::db::players::sign_ins::Purpose;
use crate::db::retry_transient;
use crate::db::tables::invitations::InvitationRow;
use crate::http::AppState;
use crate::http::api::caller::Asker;
use crate::http::api::problem::ApiProblem;
use crate::http::api::table_lines::table_row;
use crate::http::api::types::me::{
    Asked, Invitation, Invitations, InvitedTo, Me, NewToken, NextTable, Settings, TokenLine, Tokens,
};
use crate::http::api::types::tables::{Seated, Tables};
use crate::http::api::{Answer, json};
use crate::http::extract::network::Network;
use crate::http::pages::account::sign_in::WantedLetter;
use crate::http::pages::next::Skipped;
use crate::http::problem::Problem;
use crate::players::sign_in::Token;
use crate::players::{PlayerName, PlayerSettings};
use crate::tables::PlayerId;
use wonderpost_rules::Seat;

/// So many of one's tables are listed.
const LISTED_TABLES: i64 = 200;

async fn profile(app: &AppState, player: PlayerId) -> Result<Me, ApiProblem> {
    let store = &app.tables.store;
    let profile = retry_transient(|| store.profile(player.0)).await?.ok_or(Problem::NoPage)?;
    let settings = retry_transient(|| store.settings(player.0)).await?;
    let settings = PlayerSettings::read(settings.as_deref().unwrap_or("{}"));
    Ok(Me { name: profile.name, address: profile.email, since: profile.created_at, settings: settings.into() })
}

/// `GET /api/v1/me`
pub async fn show(app: web::Data<AppState>, asker: Asker) -> Answer {
    Ok(json(&profile(&app, asker.caller()?.player).await?))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    name: Option<String>,
    /// Null changes nothing
    settings: Option<Settings>,
}

/// `PATCH /api/v1/me`
pub async fn change(app: web::Data<AppState>, change: web::Json<Change>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let store = &app.tables.store;
    if let Some(name) = &change.name {
        let name = PlayerName::parse(name).map_err(|error| Problem::Refused(error.to_string()))?;
        if !store.rename(player.0, name.as_str(), &name.key()).await? {
            return Err(Problem::Refused("Somebody else has that name.".into()).into());
        }
    }
    if let Some(settings) = &change.settings {
        store.keep_settings(player.0, &PlayerSettings::from(settings).write()).await?;
    }
    Ok(json(&profile(&app, player).await?))
}

/// `DELETE /api/v1/me`
pub async fn delete(app: web::Data<AppState>, asker: Asker) -> Answer {
    let caller = asker.caller()?;
    app.check_confirmed(caller).await?;
    app.tables.leave_the_house(caller).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/me/tables`
pub async fn tables(app: web::Data<AppState>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let rows = retry_transient(|| app.tables.store.tables_of_player(player.0, LISTED_TABLES)).await?;
    let tables = rows.into_iter().map(|row| table_row(row, app.tables.now())).collect();
    Ok(json(&Tables { tables, page: None }))
}

/// `GET /api/v1/me/next`
pub async fn next(app: web::Data<AppState>, query: web::Query<Skipped>, asker: Asker) -> Answer {
    let table = app.next_for(asker.caller()?.player, &query.tables()).await?;
    Ok(json(&NextTable { table: table.map(|table| table.to_string()) }))
}

/// `GET /api/v1/me/invitations`
pub async fn invitations(app: web::Data<AppState>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let rows = retry_transient(|| app.tables.store.invitations_of_player(player.0)).await?;
    let invitation = |row: InvitationRow| Invitation {
        token: row.token,
        game: row.game,
        from: row.from,
        invited_at: row.created_at,
    };
    Ok(json(&Invitations { invitations: rows.into_iter().map(invitation).collect() }))
}

/// `GET /api/v1/me/export`
pub async fn export(app: web::Data<AppState>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let everything = retry_transient(|| app.tables.store.everything_about(player.0)).await?;
    Ok(json(&everything.ok_or(Problem::NoPage)?))
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
    asker: Asker,
) -> Answer {
    let caller = asker.caller()?;
    let player = caller.player;
    let address = app.read_address(&body.address)?;
    let profile = retry_transient(|| app.tables.store.profile(player.0)).await?.ok_or(Problem::NoPage)?;
    app.check_confirmed(caller).await?;
    let purpose = Purpose::of_new_address(profile.email.is_some());
    let wanted = WantedLetter {
        purpose,
        email: &address,
        asked_by: Some(player),
        bearer_digest: None,
        network: Network::of(&request, app.behind_proxy),
        browser: player.0.to_string(),
        earlier_ask: None,
    };
    app.write_to(wanted).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `POST /api/v1/me/confirm`: a letter to one's own address; nothing is written if none is needed.
pub async fn ask_to_confirm(app: web::Data<AppState>, request: HttpRequest, asker: Asker) -> Answer {
    let ask = app.ask_to_confirm(asker.caller()?, Network::of(&request, app.behind_proxy)).await?;
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
    asker: Asker,
) -> Answer {
    let (caller, network) = (asker.caller()?, Network::of(&request, app.behind_proxy));
    let confirmed = match Token::parse(&body.ask) {
        Some(ask) => app.confirm_with_code(caller, &ask, &body.code, network).await?,
        None => false,
    };
    if !confirmed {
        let sentence = "That code does not fit: it is not the one in the letter, has been used, or is too old.";
        return Err(Problem::Refused(sentence.into()).into());
    }
    Ok(HttpResponse::NoContent().finish())
}

/// `DELETE /api/v1/me/sessions`
pub async fn sign_out_everywhere(app: web::Data<AppState>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    app.tables.store.end_all_sessions(player.0).await?;
    app.forget_person(player);
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/me/tokens`
pub async fn tokens(app: web::Data<AppState>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let tokens = retry_transient(|| app.tables.store.api_tokens(player.0)).await?;
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
pub async fn make_token(app: web::Data<AppState>, body: web::Json<TokenBody>, asker: Asker) -> Answer {
    let caller = asker.caller()?;
    app.check_confirmed(caller).await?;
    let token = app.new_token(caller.player, &body.title).await?;
    Ok(json(&NewToken { token }))
}

/// `DELETE /api/v1/me/tokens/{token}`
pub async fn revoke_token(app: web::Data<AppState>, id: web::Path<Uuid>, asker: Asker) -> Answer {
    app.tables.store.revoke_api_token(asker.caller()?.player.0, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/invitations/{token}`
pub async fn invitation(app: web::Data<AppState>, token: web::Path<String>) -> Answer {
    let id = app.tables.table_of_invitation(&token).await?;
    let cached = app.tables.load_fresh(id).await?;
    let now = &cached.now;
    Ok(json(&InvitedTo {
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
    asker: Asker,
) -> Answer {
    let player = asker.caller()?.player;
    let id = app.tables.table_of_invitation(&token).await?;
    let seat = if body.accept { Some(app.tables.sit(player, id, &body.cut).await?) } else { None };
    let answer = if body.accept { "accepted" } else { "declined" };
    app.tables.store.answer_invitation(&token, Some(player.0), answer).await?;
    Ok(json(&Seated { table: id.to_string(), seat: seat.map(Seat::number) }))
}
