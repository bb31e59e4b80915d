//! Talk at a table, and one's own notes.

use actix_web::{HttpResponse, web};
use serde::Deserialize;
use serde_json::{Value, json};

use super::caller::Asker;
use super::{Answer, json};
use crate::store::patiently;
use crate::tables::FORMER_PLAYER;
use crate::web::House;
use crate::web::problem::Problem;
use crate::web::table_page::visible;

/// `GET /api/v1/tables/{id}/talk`
pub async fn show(house: web::Data<House>, id: web::Path<String>, asker: Asker) -> Answer {
    let kept = visible(&house, &id, asker.player()).await?;
    let rows = house.tables.talk_for(&kept, asker.player()).await?;
    let rows = rows.ok_or(Problem::Refused("While the game runs the talk is for those who sit there.".into()))?;
    let talk: Vec<Value> = rows
        .into_iter()
        .map(|row| {
            let name = row.name.as_deref().unwrap_or(FORMER_PLAYER);
            json!({"seat": row.seat, "name": name, "at": row.at, "move": row.move_no, "words": row.words})
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
pub async fn write(house: web::Data<House>, id: web::Path<String>, body: web::Json<WordsBody>, asker: Asker) -> Answer {
    let kept = visible(&house, &id, asker.player()).await?;
    house.tables.talk(asker.caller()?.player, kept.id, &body.words).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/tables/{id}/note`
pub async fn note(house: web::Data<House>, id: web::Path<String>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let kept = visible(&house, &id, Some(player)).await?;
    kept.seat_of(Some(player)).ok_or(Problem::NotSeated)?;
    let words = patiently(|| house.tables.store.note_of(kept.id.0, player.0)).await?;
    Ok(json(&json!({"words": words.unwrap_or_default()})))
}

/// `PUT /api/v1/tables/{id}/note`
pub async fn keep_note(
    house: web::Data<House>,
    id: web::Path<String>,
    body: web::Json<WordsBody>,
    asker: Asker,
) -> Answer {
    let player = asker.caller()?.player;
    let kept = visible(&house, &id, Some(player)).await?;
    house.tables.keep_note(player, kept.id, &body.words).await?;
    Ok(HttpResponse::NoContent().finish())
}
