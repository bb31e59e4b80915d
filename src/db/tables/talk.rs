//! What players write to each other at a table.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::db::{Result, Store};

/// Something that a player wrote to the table.
#[derive(Clone, Debug)]
pub struct TalkRow {
    pub id: i64,
    pub seat: i16,
    pub player_id: Uuid,
    /// None for a former player.
    pub name: Option<String>,
    pub at: DateTime<Utc>,
    /// After which move it was written.
    pub move_no: i32,
    /// The host removed it: there are no words.
    pub removed: bool,
    pub words: String,
}

/// What became of words to a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Talked {
    Written,
    /// The same player wrote the same there a moment ago: a form that was sent twice.
    Again,
    TooMuch,
    NotSeated,
}

impl Store {
    /// Writes to a table as the holder of a seat, and a letter to each of the other players, in one statement.
    pub async fn add_talk(
        &self,
        table: Uuid,
        player: Uuid,
        move_no: i32,
        words: &str,
        most_an_hour: i64,
    ) -> Result<Talked> {
        let row = sqlx::query!(
            r#"with mine as (
                 select seat from seat where table_id = $1 and player_id = $2
                   and not exists (select from suspension where suspension.player_id = $2)
             ), lately as (
                 select count(*) as count,
                     coalesce(bool_or(table_id = $1 and words = $4 and at > $5::timestamptz - interval '1 minute'), false) as same
                 from talk where player_id = $2 and at > $5::timestamptz - interval '1 hour'
             ), written as (
                 insert into talk (table_id, seat, player_id, at, move_no, words)
                 select $1, mine.seat, $2, $5, $3, $4 from mine, lately where not same and lately.count < $6
                 returning id
             ), told as (
                 insert into letter (kind, player_id, table_id, move_no, details, written_at, send_after)
                 select 'talk', seat.player_id, $1, $3, json_build_object('talk', written.id), $5, $5
                 from written, seat where seat.table_id = $1 and seat.player_id <> $2
                   and not exists (select from mute where mute.player_id = seat.player_id and muted_id = $2)
             )
             select exists (select from mine) as "seated!", (select same from lately) as "same!",
                 exists (select from written) as "written!""#,
            table,
            player,
            move_no,
            words,
            self.clock.now(),
            most_an_hour,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(match (row.written, row.seated, row.same) {
            (true, _, _) => Talked::Written,
            (false, false, _) => Talked::NotSeated,
            (false, true, true) => Talked::Again,
            (false, true, false) => Talked::TooMuch,
        })
    }

    /// The last that was written at a table, the oldest first, without those whom the reader has muted.
    pub async fn talk_of(&self, table: Uuid, reader: Option<Uuid>, most: i64) -> Result<Vec<TalkRow>> {
        let mut rows = sqlx::query_as!(
            TalkRow,
            r#"select talk.id, seat, player_id, name as "name?", at, move_no, removed_at is not null as "removed!",
                 case when removed_at is null then words else '' end as "words!"
               from talk join player on player.id = player_id
               where table_id = $1 and not exists (select from mute where mute.player_id = $3 and muted_id = talk.player_id)
               order by talk.id desc limit $2"#,
            table,
            most,
            reader,
        )
        .fetch_all(&self.pool)
        .await?;
        rows.reverse();
        Ok(rows)
    }

    /// What was written at a table from this on, the oldest first, without what was removed and those whom the reader has muted.
    pub async fn talk_from(&self, table: Uuid, reader: Uuid, first: i64, most: i64) -> Result<Vec<TalkRow>> {
        let rows = sqlx::query_as!(
            TalkRow,
            r#"select talk.id, seat, player_id, name as "name?", at, move_no, false as "removed!", words
               from talk join player on player.id = player_id
               where table_id = $1 and talk.id >= $2 and removed_at is null
                 and not exists (select from mute where mute.player_id = $4 and muted_id = talk.player_id)
               order by talk.id limit $3"#,
            table,
            first,
            most,
            reader,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}
