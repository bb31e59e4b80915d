//! Beside the board: what the players write to each other, and what each notes down.

use actix_web::{HttpResponse, web};
use serde::Deserialize;
use uuid::Uuid;

use super::House;
use super::page::{Moment, see};
use super::problem::Problem;
use super::session::Visitor;
use super::table_page::visible;
use crate::store::patiently;
use crate::tables::folded::Status;
use crate::tables::{FORMER_PLAYER, Kept, LONGEST_NOTE, LONGEST_TALK, PlayerId};

/// The talk at a table, for one who may read it.
pub struct Talk {
    pub said: Vec<Saying>,
    /// Those at the table whom the reader has muted.
    pub muted: Vec<Muted>,
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

impl House {
    /// The talk as this player may read it.
    pub async fn talk(&self, kept: &Kept, player: Option<PlayerId>) -> Result<Option<Talk>, Problem> {
        let Some(rows) = self.tables.talk_for(kept, player).await? else { return Ok(None) };
        let muted = match player {
            Some(player) => patiently(|| self.tables.store.muted_at(kept.id.0, player.0)).await?,
            None => Vec::new(),
        };
        Ok(Some(Talk {
            muted: muted
                .into_iter()
                .map(|row| Muted { id: row.mute, name: row.name.unwrap_or_else(|| FORMER_PLAYER.to_owned()) })
                .collect(),
            said: rows
                .into_iter()
                .map(|row| Saying {
                    id: row.id,
                    name: row.name.unwrap_or_else(|| FORMER_PLAYER.to_owned()),
                    is_mine: player == Some(PlayerId(row.player_id)),
                    at: row.at.into(),
                    removed: row.removed,
                    can_be_reported: player.is_some_and(|player| player.0 != row.player_id),
                    words: row.words,
                })
                .collect(),
            may_write: kept.seat_of(player).is_some(),
            over: kept.now.status() == Status::Over,
            longest: LONGEST_TALK,
        }))
    }

    /// The note of whoever sits at a table with others.
    pub async fn note(&self, kept: &Kept, player: Option<PlayerId>) -> Result<Option<Note>, Problem> {
        let (Some(player), Some(_), true) = (player, kept.seat_of(player), kept.now.opened.seats > 1) else {
            return Ok(None);
        };
        let words = patiently(|| self.tables.store.note_of(kept.id.0, player.0)).await?;
        Ok(Some(Note { words: words.unwrap_or_default(), longest: LONGEST_NOTE }))
    }
}

#[derive(Deserialize)]
pub struct WordsForm {
    words: String,
}

/// `POST /t/{id}/talk`
pub async fn talk(
    house: web::Data<House>,
    id: web::Path<String>,
    form: web::Form<WordsForm>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let kept = visible(&house, &id, visitor.player()).await?;
    house.tables.talk(visitor.player().ok_or(Problem::NotSeated)?, kept.id, &form.words).await?;
    Ok(see(format!("/t/{}#talk", kept.id)))
}

/// `POST /t/{id}/note`
pub async fn note(
    house: web::Data<House>,
    id: web::Path<String>,
    form: web::Form<WordsForm>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let kept = visible(&house, &id, visitor.player()).await?;
    house.tables.keep_note(visitor.player().ok_or(Problem::NotSeated)?, kept.id, &form.words).await?;
    Ok(see(format!("/t/{}#note", kept.id)))
}
