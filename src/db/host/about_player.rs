//! What the host's log and the reports hold of one player: for the player themselves, and forgotten with the account.

use crate::db::Connection;
use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::db::host::log::Deed;
use crate::db::{Result, Store};
use crate::tables::{PlayerId, TableId};

/// Something that the host did and that concerns a player.
pub struct DeedAboutPlayer {
    pub at: DateTime<Utc>,
    pub deed: String,
    pub table_id: Option<TableId>,
    pub game: Option<String>,
    pub reason: String,
    /// The names before and after, if the player was renamed.
    pub name_before: Option<String>,
    pub name_after: Option<String>,
}

impl DeedAboutPlayer {
    /// What was done, said to the player. `title` is the game's; `None` for what does not concern players.
    pub fn sentence(&self, title: Option<&str>) -> Option<String> {
        let title = title.unwrap_or("your game");
        Some(match Deed::named(&self.deed)? {
            Deed::Suspended => "The host suspended you.".to_owned(),
            Deed::Lifted => "The host lifted your suspension. You can play again.".to_owned(),
            Deed::Renamed => match (&self.name_before, &self.name_after) {
                (Some(before), Some(after)) => format!("The host changed your name from “{before}” to “{after}”."),
                _ => "The host changed your name.".to_owned(),
            },
            Deed::TableClosed => format!("The host closed your table of {title}."),
            Deed::TalkRemoved => format!("The host removed a message that you wrote at a table of {title}."),
            Deed::ReportsDismissed | Deed::LetterRetried | Deed::Announced | Deed::AnnouncementEnded => return None,
        })
    }
}

/// The part of a player's export that is about the host, reports and mutes.
#[derive(Serialize)]
pub struct ExportedModeration {
    pub suspended_since: Option<DateTime<Utc>>,
    pub suspension_reason: Option<String>,
    pub by_the_host: Vec<ExportedDeed>,
    pub reports: Vec<ExportedReport>,
    pub muted: Vec<ExportedMute>,
}

#[derive(Serialize)]
pub struct ExportedDeed {
    pub at: DateTime<Utc>,
    pub deed: String,
    pub table: Option<TableId>,
    pub reason: String,
    pub name_before: Option<String>,
    pub name_after: Option<String>,
}

#[derive(Serialize)]
pub struct ExportedReport {
    pub table: TableId,
    pub at: DateTime<Utc>,
    pub reason: String,
    pub outcome: Option<String>,
}

#[derive(Serialize)]
pub struct ExportedMute {
    pub name: Option<String>,
    pub at: DateTime<Utc>,
}

impl Store {
    /// What the host did that concerns a player, the newest first.
    pub async fn deeds_about(&self, player: PlayerId, most: i64) -> Result<Vec<DeedAboutPlayer>> {
        let rows = sqlx::query_as!(
            DeedAboutPlayer,
            r#"select at, deed, table_id as "table_id: TableId", game as "game?", reason, before as "name_before?", after as "name_after?"
               from host_log left join game_table on game_table.id = table_id left join host_rename on log_id = host_log.id
               where (host_log.player_id = $1 and deed in ('suspended', 'lifted', 'renamed', 'talk-removed'))
                  or (deed = 'table-closed' and table_id = any (array(select table_id from seat where seat.player_id = $1)))
               order by host_log.id desc limit $2"#,
            player as _,
            most,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// The deed that a letter tells of.
    pub async fn deed(&self, log: i64) -> Result<Option<DeedAboutPlayer>> {
        let row = sqlx::query_as!(
            DeedAboutPlayer,
            r#"select at, deed, table_id as "table_id: TableId", game as "game?", reason, before as "name_before?", after as "name_after?"
               from host_log left join game_table on game_table.id = table_id left join host_rename on log_id = host_log.id
               where host_log.id = $1"#,
            log,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    pub(crate) async fn moderation_of(&self, player: PlayerId) -> Result<ExportedModeration> {
        let suspension = self.suspension_of(player).await?;
        let deeds = self.deeds_about(player, i64::MAX).await?;
        let reports = sqlx::query_as!(
            ExportedReport,
            r#"select talk.table_id as "table: TableId", talk_report.at, reason, outcome
               from talk_report join talk on talk.id = talk_id where talk_report.player_id = $1 order by talk_report.at"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        let muted = sqlx::query_as!(
            ExportedMute,
            "select name, at from mute join player on player.id = muted_id where player_id = $1 order by at",
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        let (suspended_since, suspension_reason) =
            suspension.map(|suspension| (suspension.since, suspension.reason)).unzip();
        let by_the_host = deeds.into_iter().map(|row| ExportedDeed {
            at: row.at,
            deed: row.deed,
            table: row.table_id,
            reason: row.reason,
            name_before: row.name_before,
            name_after: row.name_after,
        });
        Ok(ExportedModeration {
            suspended_since,
            suspension_reason,
            by_the_host: by_the_host.collect(),
            reports,
            muted,
        })
    }
}

/// Forgets who a player was. What the host did stays in the log, about a former player. Somebody who is suspended does not come back
/// by signing up with the same address, so a digest of that stays.
pub(crate) async fn forget_moderation(tx: &mut Connection, player: PlayerId, email: Option<&str>) -> Result<()> {
    sqlx::query!(
        "update suspension set address_digest = sha256(convert_to(lower($2), 'UTF8')) where player_id = $1",
        player as _,
        email,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("delete from host_rename where player_id = $1", player as _).execute(&mut *tx).await?;
    sqlx::query!("delete from active_player where player_id = $1", player as _).execute(&mut *tx).await?;
    sqlx::query!("delete from mute where player_id = $1 or muted_id = $1", player as _).execute(&mut *tx).await?;
    sqlx::query!("delete from talk_report where player_id = $1 and settled_at is not null", player as _)
        .execute(&mut *tx)
        .await?;
    // Somebody else wrote what the host is still to look at.
    sqlx::query!("update talk_report set reason = '' where player_id = $1", player as _).execute(&mut *tx).await?;
    Ok(())
}

/// What a guest did and had done to them becomes the player's.
pub(crate) async fn merge_moderation(tx: &mut Connection, guest: PlayerId, player: PlayerId) -> Result<()> {
    sqlx::query!(
        "update talk_report set player_id = $2 where player_id = $1
           and not exists (select from talk_report as other where other.talk_id = talk_report.talk_id and other.player_id = $2)",
        guest as _,
        player as _,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update mute set player_id = $2 where player_id = $1 and muted_id <> $2
           and not exists (select from mute as other where other.player_id = $2 and other.muted_id = mute.muted_id)",
        guest as _,
        player as _,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update mute set muted_id = $2 where muted_id = $1 and player_id <> $2
           and not exists (select from mute as other where other.muted_id = $2 and other.player_id = mute.player_id)",
        guest as _,
        player as _,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("delete from mute where player_id = $1 or muted_id = $1", guest as _).execute(&mut *tx).await?;
    Ok(())
}

/// Whoever signs up with the address of somebody who left while suspended stays suspended.
pub(crate) async fn remember_suspension(tx: &mut Connection, player: PlayerId, email: &str) -> Result<()> {
    sqlx::query!(
        "insert into suspension (player_id, since, reason)
         select $1, since, reason from suspension
         where address_digest = sha256(convert_to(lower($2), 'UTF8')) order by since limit 1
         on conflict do nothing",
        player as _,
        email,
    )
    .execute(&mut *tx)
    .await?;
    Ok(())
}
