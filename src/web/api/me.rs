//! The holder of the token: profile, tables, invitations.

use actix_web::{HttpResponse, web};
use serde::Deserialize;
use serde_json::{Value, json};

use super::caller::Asker;
use super::problem::ApiProblem;
use super::tables::table_row;
use super::{Answer, json};
use crate::players::{PlayerName, PlayerSettings};
use crate::store::patiently;
use crate::tables::PlayerId;
use crate::web::House;
use crate::web::next_page::Skipped;
use crate::web::problem::Problem;

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
    house.tables.store.delete_player(asker.caller()?.player.0).await?;
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
