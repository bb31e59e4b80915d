//! Beside the board: what the players write to each other, and what each notes down.

use actix_web::{HttpResponse, web};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

use crate::db::tables::talk::TalkRow;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::table::page::visible;
use crate::http::problem::Problem;
use crate::http::render::{Moment, see};
use crate::tables::state::glance::Glance;
use crate::tables::state::table_state::Status;
use crate::tables::{FORMER_PLAYER, LONGEST_NOTE, LONGEST_TALK, PlayerId};

/// The talk at a table, for one who may read it.
pub struct Talk {
    pub said: Vec<Saying>,
    /// Those at the table whom the reader has muted.
    pub muted: Vec<Muted>,
    /// How much of it the reader has not seen yet.
    pub unread: usize,
    pub may_write: bool,
    pub over: bool,
    pub longest: usize,
}

pub struct Muted {
    pub id: Uuid,
    pub name: String,
}

pub struct Saying {
    pub id: i64,
    pub name: String,
    pub is_mine: bool,
    pub at: Moment,
    /// The host removed it.
    pub removed: bool,
    pub can_be_reported: bool,
    pub words: String,
}

/// A player's own note.
pub struct Note {
    pub words: String,
    pub longest: usize,
}

impl Talk {
    /// The talk as this player may read it, and how much of it is newer than this.
    pub fn new(glance: &mut Glance, player: Option<PlayerId>, new_since: Option<DateTime<Utc>>) -> Option<Talk> {
        let (rows, muted) = (glance.talk.take()?, std::mem::take(&mut glance.muted));
        let cached = &glance.table;
        let is_new = |row: &&TalkRow| player != Some(row.player_id) && new_since.is_some_and(|since| row.at > since);
        Some(Talk {
            unread: rows.iter().filter(is_new).count(),
            muted: muted
                .into_iter()
                .map(|row| Muted { id: row.mute, name: row.name.unwrap_or_else(|| FORMER_PLAYER.to_owned()) })
                .collect(),
            said: rows
                .into_iter()
                .map(|row| Saying {
                    id: row.id,
                    name: row.name.unwrap_or_else(|| FORMER_PLAYER.to_owned()),
                    is_mine: player == Some(row.player_id),
                    at: row.at.into(),
                    removed: row.removed,
                    can_be_reported: player.is_some_and(|player| player != row.player_id),
                    words: row.words,
                })
                .collect(),
            may_write: cached.seat_of(player).is_some(),
            over: cached.now.status() == Status::Over,
            longest: LONGEST_TALK,
        })
    }
}

impl Note {
    /// The note of whoever sits at a table with others.
    pub fn new(glance: &mut Glance, player: Option<PlayerId>) -> Option<Note> {
        glance.table.seat_of(player).filter(|_| glance.table.now.opened.seats > 1)?;
        Some(Note { words: glance.note.take().unwrap_or_default(), longest: LONGEST_NOTE })
    }
}

#[derive(Deserialize)]
pub struct WordsForm {
    words: String,
}

/// `POST /t/{id}/talk`
pub async fn talk(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<WordsForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    app.tables.talk(user.player().ok_or(Problem::NotSeated)?, cached.id, &form.words).await?;
    Ok(see(format!("/t/{}#talk", cached.id)))
}

/// `POST /t/{id}/note`
pub async fn note(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<WordsForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    app.tables.keep_note(user.player().ok_or(Problem::NotSeated)?, cached.id, &form.words).await?;
    Ok(see(format!("/t/{}#note", cached.id)))
}
