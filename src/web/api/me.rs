//! The holder of the token: profile, tables, invitations.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::caller::Asker;
use super::problem::ApiProblem;
use super::tables::table_row;
use super::{Answer, json};
use crate::players::sign_in::Token;
use crate::players::{PlayerName, PlayerSettings};
use crate::store::patiently;
use crate::store::sign_ins::Purpose;
use crate::tables::PlayerId;
use crate::web::House;
use crate::web::network::Network;
use crate::web::next_page::Skipped;
use crate::web::problem::Problem;
use crate::web::sign_in_pages::WantedLetter;

/// So many of one's tables are listed.
const LISTED_TABLES: i64 = 200;

async fn profile(house: &House, player: PlayerId) -> Result<Value, ApiProblem> {
    let store = &house.tables.store;
    let profile = patiently(|| store.profile(player.0)).await?.ok_or(Problem::NoPage)?;
    let settings = patiently(|| store.settings(player.0)).await?;
    let settings = PlayerSettings::read(settings.as_deref().unwrap_or("{}"));
    Ok(json!({"name": profile.name, "address": profile.email, "since": profile.created_at, "settings": settings}))
}

/// `GET /api/v1/me`
pub async fn show(house: web::Data<House>, asker: Asker) -> Answer {
    Ok(json(&profile(&house, asker.caller()?.player).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    name: Option<String>,
    settings: Option<PlayerSettings>,
}

/// `PATCH /api/v1/me`
pub async fn change(house: web::Data<House>, change: web::Json<Change>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let store = &house.tables.store;
    if let Some(name) = &change.name {
        let name = PlayerName::parse(name).map_err(|error| Problem::Refused(error.to_string()))?;
        if !store.rename(player.0, name.as_str(), &name.key()).await? {
            return Err(Problem::Refused("Somebody else has that name.".into()).into());
        }
    }
    if let Some(settings) = &change.settings {
        store.keep_settings(player.0, &settings.write()).await?;
    }
    Ok(json(&profile(&house, player).await?))
}

/// `DELETE /api/v1/me`
pub async fn delete(house: web::Data<House>, asker: Asker) -> Answer {
    let caller = asker.caller()?;
    house.check_confirmed(caller).await?;
    house.tables.leave_the_house(caller).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/me/tables`
pub async fn tables(house: web::Data<House>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let rows = patiently(|| house.tables.store.tables_of_player(player.0, LISTED_TABLES)).await?;
    let tables: Vec<Value> = rows.into_iter().map(|row| table_row(row, house.tables.now())).collect();
    Ok(json(&json!({"tables": tables})))
}

/// `GET /api/v1/me/next`
pub async fn next(house: web::Data<House>, query: web::Query<Skipped>, asker: Asker) -> Answer {
    let table = house.next_for(asker.caller()?.player, &query.tables()).await?;
    Ok(json(&json!({"table": table.map(|table| table.to_string())})))
}

/// `GET /api/v1/me/invitations`
pub async fn invitations(house: web::Data<House>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let rows = patiently(|| house.tables.store.invitations_of_player(player.0)).await?;
    let invitations: Vec<Value> = rows
        .into_iter()
        .map(|row| json!({"token": row.token, "game": row.game, "from": row.from, "invited_at": row.created_at}))
        .collect();
    Ok(json(&json!({"invitations": invitations})))
}

/// `GET /api/v1/me/export`
pub async fn export(house: web::Data<House>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let everything = patiently(|| house.tables.store.everything_about(player.0)).await?;
    Ok(json(&everything.ok_or(Problem::NoPage)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddressBody {
    address: String,
}

/// `POST /api/v1/me/address`: the link in the letter confirms it.
pub async fn change_address(
    house: web::Data<House>,
    body: web::Json<AddressBody>,
    request: HttpRequest,
    asker: Asker,
) -> Answer {
    let caller = asker.caller()?;
    let player = caller.player;
    let address = house.read_address(&body.address)?;
    let profile = patiently(|| house.tables.store.profile(player.0)).await?.ok_or(Problem::NoPage)?;
    house.check_confirmed(caller).await?;
    let purpose = Purpose::of_new_address(profile.email.is_some());
    let wanted = WantedLetter {
        purpose,
        email: &address,
        asked_by: Some(player),
        bearer_digest: None,
        network: Network::of(&request, house.behind_proxy),
        browser: player.0.to_string(),
        earlier_ask: None,
    };
    house.write_to(wanted).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `POST /api/v1/me/confirm`: a letter to one's own address; nothing is written if none is needed.
pub async fn ask_to_confirm(house: web::Data<House>, request: HttpRequest, asker: Asker) -> Answer {
    let ask = house.ask_to_confirm(asker.caller()?, Network::of(&request, house.behind_proxy)).await?;
    Ok(json(&json!({ "ask": ask.map(|ask| ask.reveal()) })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeBody {
    ask: String,
    code: String,
}

/// `PUT /api/v1/me/confirm`: the code of that letter.
pub async fn confirm(house: web::Data<House>, body: web::Json<CodeBody>, request: HttpRequest, asker: Asker) -> Answer {
    let (caller, network) = (asker.caller()?, Network::of(&request, house.behind_proxy));
    let confirmed = match Token::parse(&body.ask) {
        Some(ask) => house.confirm_with_code(caller, &ask, &body.code, network).await?,
        None => false,
    };
    if !confirmed {
        let sentence = "That code does not fit: it is not the one in the letter, has been used, or is too old.";
        return Err(Problem::Refused(sentence.into()).into());
    }
    Ok(HttpResponse::NoContent().finish())
}

/// `DELETE /api/v1/me/sessions`
pub async fn sign_out_everywhere(house: web::Data<House>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    house.tables.store.end_all_sessions(player.0).await?;
    house.forget_person(player);
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/me/tokens`
pub async fn tokens(house: web::Data<House>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let tokens = patiently(|| house.tables.store.api_tokens(player.0)).await?;
    Ok(json(&json!({ "tokens": tokens })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenBody {
    title: String,
}

/// `POST /api/v1/me/tokens`
pub async fn make_token(house: web::Data<House>, body: web::Json<TokenBody>, asker: Asker) -> Answer {
    let caller = asker.caller()?;
    house.check_confirmed(caller).await?;
    let token = house.new_token(caller.player, &body.title).await?;
    Ok(json(&json!({ "token": token })))
}

/// `DELETE /api/v1/me/tokens/{token}`
pub async fn revoke_token(house: web::Data<House>, id: web::Path<Uuid>, asker: Asker) -> Answer {
    house.tables.store.revoke_api_token(asker.caller()?.player.0, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/invitations/{token}`
pub async fn invitation(house: web::Data<House>, token: web::Path<String>) -> Answer {
    let id = house.tables.table_of_invitation(&token).await?;
    let kept = house.tables.read(id).await?;
    Ok(json(&json!({
        "game": kept.now.opened.game, "seats": kept.now.opened.seats, "seated": kept.now.seated, "status": kept.now.status().name(),
    })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerBody {
    accept: bool,
    #[serde(default)]
    cut: String,
}

/// `POST /api/v1/invitations/{token}`
pub async fn answer(
    house: web::Data<House>,
    token: web::Path<String>,
    body: web::Json<AnswerBody>,
    asker: Asker,
) -> Answer {
    let player = asker.caller()?.player;
    let id = house.tables.table_of_invitation(&token).await?;
    let seat = if body.accept { Some(house.tables.sit(player, id, &body.cut).await?) } else { None };
    let answer = if body.accept { "accepted" } else { "declined" };
    house.tables.store.answer_invitation(&token, Some(player.0), answer).await?;
    Ok(json(&json!({"table": id.to_string(), "seat": seat})))
}
