//! Messages that players report, and players whom others do not want to read.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::db::column_types::SeatNumber;
use crate::db::tables::talk::TalkRow;
use crate::db::{Result, Store};
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::Seat;

/// What became of a report.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reported {
    Yes,
    /// The same player reported the same message before.
    Again,
    TooMany,
    /// There is no such message of somebody else, or it has been removed.
    NoMessage,
}

/// Somebody whose messages a player does not see.
pub struct MuteRow {
    pub id: Uuid,
    /// None for a former player.
    pub name: Option<String>,
    pub at: DateTime<Utc>,
}

/// Somebody at a table whose messages a player does not see.
#[derive(serde::Deserialize)]
pub struct MutedSeat {
    pub mute: Uuid,
    pub seat: Seat,
    pub name: Option<String>,
}

impl Store {
    /// A message at a table, with its writer.
    pub async fn talk_with_id(&self, table: TableId, talk: i64) -> Result<Option<TalkRow>> {
        let row = sqlx::query_as!(
            TalkRow,
            r#"select talk.id, seat as "seat: SeatNumber", player_id as "player_id: PlayerId", name as "name?", at, move_no, removed_at is not null as "removed!",
                 case when removed_at is null then words else '' end as "words!"
               from talk join player on player.id = player_id where table_id = $1 and talk.id = $2"#,
            table as _,
            talk,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// Reports a message of somebody else, once a player.
    pub async fn report_talk(
        &self,
        table: TableId,
        talk: i64,
        player: PlayerId,
        reason: &str,
        most_an_hour: i64,
    ) -> Result<Reported> {
        let row = sqlx::query!(
            r#"with said as (
                 select id from talk where id = $1 and table_id = $2 and player_id <> $3 and removed_at is null
             ), before as (
                 select talk_id from talk_report where talk_id = $1 and player_id = $3
             ), lately as (
                 select count(*) as count from talk_report where player_id = $3 and at > $5::timestamptz - interval '1 hour'
             ), written as (
                 insert into talk_report (talk_id, player_id, reason, at)
                 select id, $3, $4, $5 from said, lately where lately.count < $6
                 on conflict do nothing returning talk_id
             )
             select exists (select from said) as "said!", exists (select from before) as "before!",
                 exists (select from written) as "written!""#,
            talk,
            table as _,
            player as _,
            reason,
            self.clock.now(),
            most_an_hour,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(match (row.written, row.said, row.before) {
            (true, _, _) => Reported::Yes,
            (false, false, _) => Reported::NoMessage,
            (false, true, true) => Reported::Again,
            (false, true, false) => Reported::TooMany,
        })
    }

    /// Hides what somebody writes from a player, and drops letters about it that have not gone. Whether there is room for one more.
    pub async fn mute(&self, player: PlayerId, muted: PlayerId, most: i64) -> Result<bool> {
        let row = sqlx::query!(
            r#"with room as (
                 select count(*) filter (where muted_id <> $3) < $4 as free from mute where player_id = $2
             ), muted as (
                 insert into mute (id, player_id, muted_id, at) select $1, $2, $3, $5 from room where free
                 on conflict do nothing
             ), dropped as (
                 update letter set dropped_at = $5, details = '{}'
                 where player_id = $2 and kind = 'talk' and sent_at is null and dropped_at is null
                   and exists (select from talk where talk.id = (details ->> 'talk')::bigint and talk.player_id = $3)
             )
             select free as "free!" from room"#,
            Uuid::now_v7(),
            player as _,
            muted as _,
            most,
            self.clock.now(),
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(row.free)
    }

    pub async fn unmute(&self, player: PlayerId, mute: Uuid) -> Result<()> {
        sqlx::query!("delete from mute where id = $1 and player_id = $2", mute, player as _)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Whom a player does not want to read, the latest first.
    pub async fn mutes_of(&self, player: PlayerId) -> Result<Vec<MuteRow>> {
        let rows = sqlx::query_as!(
            MuteRow,
            "select mute.id, name, at from mute join player on player.id = muted_id where player_id = $1 order by at desc",
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Those at a table whom a player does not want to read.
    pub async fn muted_at(&self, table: TableId, player: PlayerId) -> Result<Vec<MutedSeat>> {
        let rows = sqlx::query_as!(
            MutedSeat,
            r#"select mute.id as mute, seat as "seat: SeatNumber", name
             from mute join seat on seat.player_id = muted_id join player on player.id = muted_id
             where mute.player_id = $2 and table_id = $1 order by seat"#,
            table as _,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}
