//! Beside the board: what the players write to each other, and what each notes down.

use actix_web::{HttpResponse, web};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

use crate::db::retry_transient;
use crate::db::tables::talk::TalkRow;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::table::page::visible;
use crate::http::problem::Problem;
use crate::http::render::{Moment, see};
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, FORMER_PLAYER, LONGEST_NOTE, LONGEST_TALK, PlayerId};

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

impl AppState {
    /// The talk as this player may read it, and how much of it is newer than this.
    pub async fn talk(
        &self,
        cached: &CachedTable,
        player: Option<PlayerId>,
        new_since: Option<DateTime<Utc>>,
    ) -> Result<Option<Talk>, Problem> {
        let Some(rows) = self.tables.talk_for(cached, player).await? else { return Ok(None) };
        let muted = match player {
            Some(player) => retry_transient(|| self.tables.store.muted_at(cached.id, player)).await?,
            None => Vec::new(),
        };
        let is_new = |row: &&TalkRow| player != Some(row.player_id) && new_since.is_some_and(|since| row.at > since);
        Ok(Some(Talk {
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
        }))
    }

    /// The note of whoever sits at a table with others.
    pub async fn note(&self, cached: &CachedTable, player: Option<PlayerId>) -> Result<Option<Note>, Problem> {
        let (Some(player), Some(_), true) = (player, cached.seat_of(player), cached.now.opened.seats > 1) else {
            return Ok(None);
        };
        let words = retry_transient(|| self.tables.store.note_of(cached.id, player)).await?;
        Ok(Some(Note { words: words.unwrap_or_default(), longest: LONGEST_NOTE }))
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
