//! Undoing a move, and asking the others whether one may take it back.

use actix_web::{HttpResponse, web};
use serde::Deserialize;

use crate::app::words::and;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::table::actions::remark;
use crate::http::pages::table::page;
use crate::http::pages::table::page::visible;
use crate::http::problem::Problem;
use crate::http::render::see;
use crate::tables::state::record::TakeBackWord;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, HistoryView, Holder, MoveError, Step, UndoForm, name_of, with_names};
use wonderpost_rules::{Seat, SeatSet, Viewer};

/// What the page says about moves that can be taken back.
pub struct UndoBox {
    pub step: String,
    pub what: TakingBack,
}

/// How a viewer stands to the moves that can be taken back.
pub enum TakingBack {
    /// They may undo their last move, of which the log says this.
    Undo { words: String },
    /// They may ask the others.
    Ask,
    /// They have asked, and wait for these.
    Asked { awaited: String },
    /// Somebody asks them.
    Consulted { asker: String },
    /// Somebody asks, and others are to answer.
    Watching { asker: String, awaited: String },
}

impl UndoBox {
    /// What a seated viewer is shown; nothing if there is nothing to take back.
    pub fn new(view: &HistoryView, step: &str, holders: &[Holder], mine: Option<Seat>) -> Option<UndoBox> {
        let (now, seat) = (&view.now, mine?);
        if now.status() != Status::Playing || now.resigned.contains(seat) {
            return None;
        }
        let what = match request(now, holders, seat) {
            Some(request) => request,
            None => match undo_words(view, seat) {
                Some(words) => TakingBack::Undo { words: with_names(&words, holders) },
                None if now.may_be_taken_back(seat).is_empty() || now.opened.seats == 1 => return None,
                None => TakingBack::Ask,
            },
        };
        Some(UndoBox { step: step.to_owned(), what })
    }
}

/// A request that is not answered yet, as a seat sees it.
fn request(now: &TableState, holders: &[Holder], seat: Seat) -> Option<TakingBack> {
    let asked = now.take_back?;
    let awaited = now.consent_awaited();
    let names = |seats: SeatSet| and(&seats.iter().map(|seat| name_of(holders, seat)).collect::<Vec<_>>());
    let asker = name_of(holders, asked.seat);
    Some(match () {
        () if asked.seat == seat => TakingBack::Asked { awaited: names(awaited) },
        () if awaited.contains(seat) => TakingBack::Consulted { asker },
        () => TakingBack::Watching { asker, awaited: names(awaited) },
    })
}

/// What the log says to a seat of the move that it may undo, with marks for names.
pub fn undo_words(view: &HistoryView, seat: Seat) -> Option<String> {
    let mv = view.now.undoable(seat)?;
    let number = view.now.numbering(Viewer::Seat(seat)).shown(mv.move_no);
    let told = view.log.iter().find(|entry| entry.number == number).map(|entry| entry.lines.join(" "));
    Some(told.filter(|words| !words.is_empty()).unwrap_or_else(|| format!("“{}”.", mv.line)))
}

#[derive(Deserialize)]
pub struct UndoFields {
    step: String,
}

/// `POST /t/{id}/undo`
pub async fn undo(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<UndoFields>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let step: Step = form.step.parse().map_err(|_| Problem::Unreadable)?;
    let undone = app.tables.undo(user.seated_credentials()?, cached.id, UndoForm::At(step)).await;
    answer(&app, &cached, &user, undone.map(|_| ())).await
}

#[derive(Deserialize)]
pub struct TakeBackFields {
    word: TakeBackWord,
}

/// `POST /t/{id}/take-back`: asks, withdraws, agrees or does not.
pub async fn take_back(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<TakeBackFields>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let done = app.tables.take_back(user.seated_credentials()?, cached.id, form.word).await;
    answer(&app, &cached, &user, done).await
}

/// The table, with the reason if something was refused.
async fn answer(
    app: &AppState,
    cached: &CachedTable,
    user: &RequestUser,
    done: Result<(), MoveError>,
) -> Result<HttpResponse, Problem> {
    match done {
        Ok(()) => Ok(see(format!("/t/{}", cached.id))),
        Err(error) => {
            let remarks = remark(error, String::new())?;
            page::show(app, app.tables.glance(cached.id, user.player()).await?, user, remarks).await
        }
    }
}
