//! All that the page of a table shows beside the board, asked at once.

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use uuid::Uuid;

use crate::db::tables::looks::SeatLook;
use crate::db::tables::plans::AnswerRow;
use crate::db::tables::talk::TalkRow;
use crate::db::tables::talk_reports::MutedSeat;
use crate::db::{Result, Store};
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::Seat;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct GlanceQuery {
    pub table: TableId,
    /// The last event that whoever asks knows.
    pub version: i64,
    pub player: Option<PlayerId>,
    /// How much of the talk is wanted, if any of it may be read.
    pub most_talk: i64,
}

/// Who holds a seat of the table.
#[derive(Clone, Debug, serde::Deserialize)]
pub struct SeatHolder {
    pub seat: Seat,
    pub player_id: Option<PlayerId>,
    pub bot: Option<String>,
    /// None for bots and former players.
    pub name: Option<String>,
}

pub struct GlanceRow {
    /// The digest of the event that whoever asks knows as the last one.
    pub digest: Option<Vec<u8>>,
    /// Whether there are events after it.
    pub is_behind: bool,
    pub holders: Vec<SeatHolder>,
    pub look: SeatLook,
    /// What the player has left as answers in advance.
    pub answers: Vec<AnswerRow>,
    /// The oldest first.
    pub talk: Vec<TalkRow>,
    pub muted: Vec<MutedSeat>,
    pub note: Option<String>,
}

struct Columns {
    digest: Option<Vec<u8>>,
    is_behind: bool,
    holders: Json<Vec<SeatHolder>>,
    looked_move: Option<i32>,
    last_look_move: Option<i32>,
    last_look_at: Option<DateTime<Utc>>,
    answers: Json<Vec<AnswerRow>>,
    talk: Json<Vec<TalkRow>>,
    muted: Json<Vec<MutedSeat>>,
    note: Option<String>,
}

impl Store {
    /// What stands beside the board of a table, for one viewer, and whether the table is still at the event that they know.
    pub async fn glance(&self, query: &GlanceQuery) -> Result<GlanceRow> {
        let nobody = PlayerId(Uuid::nil());
        let row = sqlx::query_as!(
            Columns,
            r#"select (select digest from event where table_id = $1 and seq = $2) as "digest?",
                 exists (select from event where table_id = $1 and seq > $2) as "is_behind!",
                 (select coalesce(json_agg(json_build_object('seat', seat.seat, 'player_id', seat.player_id, 'bot', seat.bot, 'name', player.name)
                                           order by seat.seat), '[]')
                  from seat left join player on player.id = seat.player_id where seat.table_id = $1) as "holders!: Json<Vec<SeatHolder>>",
                 mine.looked_move as "looked_move?", mine.last_look_move as "last_look_move?", mine.last_look_at as "last_look_at?",
                 (select coalesce(json_agg(json_build_object('seat', answer.seat, 'prompt', prompt, 'lines', lines, 'once', once,
                                                             'stretch', stretch, 'trouble', trouble)), '[]')
                  from standing_answer as answer where answer.table_id = $1 and answer.seat = mine.seat) as "answers!: Json<Vec<AnswerRow>>",
                 (select coalesce(json_agg(json_build_object('id', said.id, 'seat', said.seat, 'player_id', said.player_id, 'name', said.name,
                      'at', said.at, 'move_no', said.move_no, 'removed', said.removed_at is not null,
                      'words', case when said.removed_at is null then said.words else '' end) order by said.id), '[]')
                  from (select talk.*, player.name from talk join player on player.id = talk.player_id
                        where talk.table_id = $1
                          and not exists (select from mute where mute.player_id = $3 and mute.muted_id = talk.player_id)
                        order by talk.id desc limit $4) as said) as "talk!: Json<Vec<TalkRow>>",
                 (select coalesce(json_agg(json_build_object('mute', mute.id, 'seat', seat.seat, 'name', player.name) order by seat.seat), '[]')
                  from mute join seat on seat.player_id = muted_id join player on player.id = muted_id
                  where mute.player_id = $3 and seat.table_id = $1) as "muted!: Json<Vec<MutedSeat>>",
                 (select words from note where note.table_id = $1 and note.player_id = $3) as "note?"
               from (values (1)) as one left join seat as mine on mine.table_id = $1 and mine.player_id = $3"#,
            query.table as _,
            query.version,
            query.player.unwrap_or(nobody) as _,
            query.most_talk,
        )
        .fetch_one(&self.lookups)
        .await?;
        Ok(GlanceRow {
            digest: row.digest,
            is_behind: row.is_behind,
            holders: row.holders.0,
            look: SeatLook {
                known_before_visit: row.looked_move.unwrap_or(0),
                last_move: row.last_look_move.unwrap_or(0),
                last_at: row.last_look_at,
            },
            answers: row.answers.0,
            talk: row.talk.0,
            muted: row.muted.0,
            note: row.note,
        })
    }
}
