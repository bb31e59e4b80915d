//! When letters come: one's wishes, and what one wants otherwise at a table.

use actix_web::{HttpResponse, web};
use serde_json::{Map, Value, json};

use crate::http::AppState;
use crate::http::api::problem::ApiProblem;
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::pages::table::page::visible;
use crate::http::problem::Problem;
use crate::mail::preferences::{MailPreferences, TableMailPreferences};

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
pub async fn show(app: web::Data<AppState>, user: ApiUser) -> Answer {
    let wishes = app.players.mail_preferences(user.credentials()?.player).await?;
    Ok(json(&json!({"wishes": wishes, "in_words": wishes.sentences()})))
}

/// `PUT /api/v1/me/letters`
pub async fn keep(app: web::Data<AppState>, body: web::Json<Map<String, Value>>, user: ApiUser) -> Answer {
    let player = user.credentials()?.player;
    let wishes: MailPreferences = read(body.into_inner())?;
    app.players.keep_mail_preferences(player, &wishes).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `GET /api/v1/tables/{id}/letters`
pub async fn show_of_table(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    let wishes = app.players.mail_preferences_at(user.credentials()?.player, &kept).await?;
    Ok(json(&wishes))
}

/// `PUT /api/v1/tables/{id}/letters`
pub async fn keep_of_table(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<Map<String, Value>>,
    user: ApiUser,
) -> Answer {
    let kept = visible(&app, &id, user.player()).await?;
    let wishes: TableMailPreferences = read(body.into_inner())?;
    app.players.keep_mail_preferences_at(user.credentials()?.player, &kept, &wishes).await?;
    Ok(HttpResponse::NoContent().finish())
}
