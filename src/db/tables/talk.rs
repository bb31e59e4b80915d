//! What players write to each other at a table.

use chrono::{DateTime, Utc};

use crate::db::column_types::SeatNumber;
use crate::db::{Result, Store};
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::Seat;

/// Something that a player wrote to the table.
#[derive(Clone, Debug, serde::Deserialize)]
pub struct TalkRow {
    pub id: i64,
    pub seat: Seat,
    pub player_id: PlayerId,
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
    /// At which of a player's tables others have written since the player last looked, and how often.
    pub async fn unread_talk(&self, player: PlayerId) -> Result<Vec<(TableId, i64)>> {
        self.looks_written().await;
        let rows = sqlx::query!(
            r#"select mine.table_id as "table_id: TableId", count(*) as "unread!"
               from seat as mine join game_table on game_table.id = mine.table_id
                 join talk on talk.table_id = mine.table_id and talk.player_id <> mine.player_id
                   and talk.at > coalesce(mine.last_look_at, '-infinity')
               where mine.player_id = $1 and status in ('open', 'playing') and talk.removed_at is null
                 and not exists (select from mute where mute.player_id = $1 and mute.muted_id = talk.player_id)
               group by mine.table_id"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|row| (row.table_id, row.unread)).collect())
    }

    /// Writes to a table as the holder of a seat, and a letter to each of the other players, in one statement.
    pub async fn add_talk(
        &self,
        table: TableId,
        player: PlayerId,
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
            table as _,
            player as _,
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
    pub async fn talk_of(&self, table: TableId, reader: Option<PlayerId>, most: i64) -> Result<Vec<TalkRow>> {
        let mut rows = sqlx::query_as!(
            TalkRow,
            r#"select talk.id, seat as "seat: SeatNumber", player_id as "player_id: PlayerId", name as "name?", at, move_no, removed_at is not null as "removed!",
                 case when removed_at is null then words else '' end as "words!"
               from talk join player on player.id = player_id
               where table_id = $1 and not exists (select from mute where mute.player_id = $3 and muted_id = talk.player_id)
               order by talk.id desc limit $2"#,
            table as _,
            most,
            reader as _,
        )
        .fetch_all(&self.pool)
        .await?;
        rows.reverse();
        Ok(rows)
    }

    /// What was written at a table from this on, the oldest first, without what was removed and those whom the reader has muted.
    pub async fn talk_from(&self, table: TableId, reader: PlayerId, first: i64, most: i64) -> Result<Vec<TalkRow>> {
        let rows = sqlx::query_as!(
            TalkRow,
            r#"select talk.id, seat as "seat: SeatNumber", player_id as "player_id: PlayerId", name as "name?", at, move_no, false as "removed!", words
               from talk join player on player.id = player_id
               where table_id = $1 and talk.id >= $2 and removed_at is null
                 and not exists (select from mute where mute.player_id = $4 and muted_id = talk.player_id)
               order by talk.id limit $3"#,
            table as _,
            first,
            most,
            reader as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}
