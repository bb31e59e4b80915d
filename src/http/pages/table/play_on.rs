//! Playing on from a step of a finished game.

use actix_web::{HttpResponse, web};
use serde::Deserialize;

use crate::http::AppState;
use crate::http::extract::whole_table::WholeTable;
use crate::http::problem::Problem;
use crate::http::render::see;
use crate::tables::lifecycle::play_on::{Others, PlayOnError};
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, HistoryView, Holder, name_of};
use wonderpost_rules::{Level, Seat};

/// The form on a step of a finished game.
pub struct PlayOnForm {
    /// Each seat with who held it, and whether it is offered first.
    pub seats: Vec<(u8, String, bool)>,
    pub levels: [Level; 3],
    pub is_solitaire: bool,
}

impl PlayOnForm {
    /// `None` where the game was over, or is not yet.
    pub fn new(cached: &CachedTable, leaf: &HistoryView, holders: &[Holder], own: Option<Seat>) -> Option<PlayOnForm> {
        let position = &leaf.now.position;
        if cached.now.status() != Status::Over || position.result().is_some() {
            return None;
        }
        let first = own.or_else(|| position.awaiting().iter().next());
        let seats = Seat::all(cached.now.opened.seats);
        Some(PlayOnForm {
            seats: seats.map(|seat| (seat.number(), name_of(holders, seat), first == Some(seat))).collect(),
            levels: Level::ALL,
            is_solitaire: cached.now.opened.seats == 1,
        })
    }
}

#[derive(Deserialize)]
pub struct PlayOnFields {
    seat: Seat,
    /// How well bots play the other seats, or “people”.
    #[serde(default)]
    others: String,
    zone: Option<String>,
}

/// Who plays the other seats, as forms and programs say it.
pub fn read_others(text: &str) -> Result<Others, Problem> {
    match text {
        "" => Ok(Others::Bots(Level::Decent)),
        "people" => Ok(Others::People),
        level => Ok(Others::Bots(
            level.parse().map_err(|refusal: wonderpost_rules::Refusal| Problem::Refused(refusal.to_string()))?,
        )),
    }
}

/// `POST /t/{id}/at/{move}/play-on`
pub async fn play_on(
    app: web::Data<AppState>,
    path: web::Path<(String, u32)>,
    form: web::Form<PlayOnFields>,
    WholeTable { glance, user }: WholeTable,
) -> Result<HttpResponse, Problem> {
    let (_, move_no) = path.into_inner();
    let others = read_others(&form.others)?;
    let ensured = app.ensure_player(&user, form.zone.as_deref()).await?;
    let table = app.tables.play_on(ensured.player, &glance.table, move_no, form.seat, others).await?;
    app.answer_ensured(ensured, see(format!("/t/{table}")))
}

impl From<PlayOnError> for Problem {
    fn from(error: PlayOnError) -> Problem {
        match error {
            PlayOnError::Open(error) => error.into(),
            PlayOnError::Sit(error) => error.into(),
        }
    }
}
