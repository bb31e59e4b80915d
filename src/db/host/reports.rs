//! Reported messages, as the host judges them.

use crate::db::Connection;
use chrono::{DateTime, Utc};

use crate::db::host::log::{Concerns, Deed, NewDeed, write_deed};
use crate::db::host::players::tell;
use crate::db::{Result, Store};
use crate::players::HostReason;
use crate::tables::{PlayerId, TableId};

/// A message that was reported and not judged yet.
pub struct ReportedTalk {
    pub talk_id: i64,
    pub table_id: TableId,
    pub game: String,
    pub writer_id: PlayerId,
    /// None for a former player.
    pub writer: Option<String>,
    pub at: DateTime<Utc>,
    pub words: String,
    /// Who reported it, and why, the first first.
    pub reporters: Vec<Option<String>>,
    pub reasons: Vec<String>,
}

/// What was said around a message.
pub struct TalkAround {
    pub id: i64,
    pub name: Option<String>,
    pub at: DateTime<Utc>,
    pub words: String,
    pub removed: bool,
}

/// How the host judges a reported message.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Remove,
    Dismiss,
}

/// Where a judged message stands.
pub struct Judged {
    pub table: TableId,
}

impl Store {
    /// The reported messages that wait to be judged, those that wait longest first.
    pub async fn reported_talk(&self, most: i64) -> Result<Vec<ReportedTalk>> {
        let rows = sqlx::query_as!(
            ReportedTalk,
            r#"select talk.id as talk_id, talk.table_id as "table_id: TableId", game,
                 talk.player_id as "writer_id: PlayerId", writer.name as writer, talk.at, talk.words,
                 array_agg(reporter.name order by talk_report.at) as "reporters!: Vec<Option<String>>",
                 array_agg(talk_report.reason order by talk_report.at) as "reasons!"
               from talk_report
                 join talk on talk.id = talk_id
                 join game_table on game_table.id = talk.table_id
                 join player as writer on writer.id = talk.player_id
                 join player as reporter on reporter.id = talk_report.player_id
               where settled_at is null
               group by talk.id, game, writer.name order by min(talk_report.at) limit $1"#,
            most,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// What was said just before and after a message, in order; the message itself is left out.
    pub async fn talk_around(&self, table: TableId, talk: i64, lines: i64) -> Result<Vec<TalkAround>> {
        let rows = sqlx::query_as!(
            TalkAround,
            r#"select around.id as "id!", name, at as "at!", words as "words!", removed_at is not null as "removed!"
               from (
                 (select * from talk where table_id = $1 and id < $2 order by id desc limit $3)
                 union all
                 (select * from talk where table_id = $1 and id > $2 order by id limit $3)
               ) as around join player on player.id = player_id order by around.id"#,
            table as _,
            talk,
            lines,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Judges a reported message. `None` if no report of it waits.
    pub async fn judge_talk(
        &self,
        host: PlayerId,
        talk: i64,
        judgement: Judgement,
        reason: &HostReason,
    ) -> Result<Option<Judged>> {
        let now = self.clock.now();
        let mut tx = self.pool.begin().await?;
        let outcome = match judgement {
            Judgement::Remove => "removed",
            Judgement::Dismiss => "dismissed",
        };
        let settled = sqlx::query!(
            "update talk_report set settled_at = $2, outcome = $3 where talk_id = $1 and settled_at is null",
            talk,
            now,
            outcome,
        )
        .execute(&mut *tx)
        .await?;
        if settled.rows_affected() == 0 {
            return Ok(None);
        }
        let said = sqlx::query!(
            r#"select table_id as "table_id: TableId", player_id as "player_id: PlayerId" from talk where id = $1"#,
            talk
        )
        .fetch_one(&mut *tx)
        .await?;
        let deed = NewDeed {
            host,
            deed: match judgement {
                Judgement::Remove => Deed::TalkRemoved,
                Judgement::Dismiss => Deed::ReportsDismissed,
            },
            concerns: Concerns {
                player: Some(said.player_id),
                table: Some(said.table_id),
                talk: Some(talk),
                ..Concerns::default()
            },
            reason: reason.as_str().to_owned(),
        };
        let log = write_deed(&mut tx, now, &deed).await?;
        if judgement == Judgement::Remove {
            remove(&mut tx, now, said.table_id, talk).await?;
            tell(&mut tx, now, said.player_id, log).await?;
        }
        tx.commit().await?;
        Ok(Some(Judged { table: said.table_id }))
    }
}

/// Removes a message, and letters about it that have not gone.
async fn remove(tx: &mut Connection, now: DateTime<Utc>, table: TableId, talk: i64) -> Result<()> {
    sqlx::query!("update talk set removed_at = $2 where id = $1 and removed_at is null", talk, now)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "update letter set dropped_at = $3, details = '{}'
         where player_id = any (array(select player_id from seat where table_id = $1 and player_id is not null))
           and kind = 'talk' and sent_at is null and dropped_at is null and (details ->> 'talk')::bigint = $2",
        table as _,
        talk,
        now,
    )
    .execute(&mut *tx)
    .await?;
    Ok(())
}
