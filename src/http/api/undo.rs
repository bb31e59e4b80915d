//! Undoing a move, and asking the others whether one may take it back.

use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::AppState;
use crate::http::api::types::undo as types;
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::pages::table::page::visible;
use crate::http::pages::table::undo::undo_words;
use crate::http::problem::Problem;
use crate::tables::{HistoryView, Holder, Step, UndoForm, with_names};
use wonderpost_rules::Seat;

/// What a seat may take back, or is asked about.
pub fn taking_back(view: &HistoryView, holders: &[Holder], seat: Seat) -> types::TakingBack {
    let now = &view.now;
    let request = now.take_back.map(|asked| types::Request {
        seat: asked.seat.number(),
        awaited: now.consent_awaited().iter().map(Seat::number).collect(),
    });
    types::TakingBack {
        undo: undo_words(view, seat).map(|words| with_names(&words, holders)),
        may_ask: request.is_none() && now.opened.seats > 1 && !now.may_be_taken_back(seat).is_empty(),
        request,
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoBody {
    /// How many moves had been made when this was thought out
    step: u32,
    /// The state that the table was shown with
    #[serde(default)]
    state: Option<String>,
}

/// `POST /api/v1/tables/{id}/undo`
pub async fn undo(app: web::Data<AppState>, id: web::Path<String>, body: web::Json<UndoBody>, user: ApiUser) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    let mark = body.state.as_deref().map(str::parse).transpose();
    let mark = mark.map_err(|_| Problem::Refused("The state is not one that a table was shown with.".into()))?;
    let form = UndoForm::At(Step { moves: body.step, mark });
    let moves = app.tables.undo(user.credentials()?, cached.id, form).await?;
    Ok(json(&types::Undone { moves }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeBackBody {
    word: types::Word,
}

/// `POST /api/v1/tables/{id}/take-back`
pub async fn take_back(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<TakeBackBody>,
    user: ApiUser,
) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    app.tables.take_back(user.credentials()?, cached.id, body.word.into()).await?;
    Ok(HttpResponse::NoContent().finish())
}
