//! When letters come: one's wishes, and what one wants otherwise at a table.

use actix_web::{HttpResponse, web};
use serde_json::{Map, Value, json};

use super::caller::Asker;
use super::problem::ApiProblem;
use super::{Answer, json};
use crate::post::wishes::{LetterWishes, TableWishes};
use crate::store::patiently;
use crate::web::House;
use crate::web::letter_pages::{keep_wishes_at, wishes_at, wishes_of};
use crate::web::problem::Problem;
use crate::web::table_page::visible;

/// What a body of these names says; what it leaves out is as if it had never been touched.
fn read<T>(body: Map<String, Value>) -> Result<T, ApiProblem>
where
    T: Default + serde::Serialize + serde::de::DeserializeOwned,
{
    let names = serde_json::to_value(T::default()).unwrap_or_default();
    if let Some(stranger) = body.keys().find(|name| names.get(name.as_str()).is_none()) {
        return Err(Problem::Refused(format!("There is nothing to wish called “{stranger}”.")).into());
    }
    serde_json::from_value(Value::Object(body))
        .map_err(|error| Problem::Refused(format!("That cannot be read as wishes: {error}.")).into())
}

/// `GET /api/v1/me/letters`
pub async fn show(house: web::Data<House>, asker: Asker) -> Answer {
    let wishes = wishes_of(&house, asker.caller()?.player).await?;
    Ok(json(&json!({"wishes": wishes, "in_words": wishes.sentences()})))
}

/// `PUT /api/v1/me/letters`
pub async fn keep(house: web::Data<House>, body: web::Json<Map<String, Value>>, asker: Asker) -> Answer {
    let player = asker.caller()?.player;
    let wishes: LetterWishes = read(body.into_inner())?;
    wishes.check().map_err(Problem::Refused)?;
    let wishes = wishes.write();
    patiently(|| house.tables.store.keep_letter_wishes(player.0, &wishes)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/tables/{id}/letters`
pub async fn show_of_table(house: web::Data<House>, id: web::Path<String>, asker: Asker) -> Answer {
    let kept = visible(&house, &id, asker.player()).await?;
    let (_, wishes) = wishes_at(&house, &kept, Some(asker.caller()?.player)).await?;
    Ok(json(&wishes))
}

/// `PUT /api/v1/tables/{id}/letters`
pub async fn keep_of_table(
    house: web::Data<House>,
    id: web::Path<String>,
    body: web::Json<Map<String, Value>>,
    asker: Asker,
) -> Answer {
    let kept = visible(&house, &id, asker.player()).await?;
    let wishes: TableWishes = read(body.into_inner())?;
    keep_wishes_at(&house, &kept, Some(asker.caller()?.player), wishes).await?;
    Ok(HttpResponse::NoContent().finish())
}
