//! What the host did: written with the deed itself, and never changed.

use crate::db::Connection;
use chrono::{DateTime, Utc};

use crate::db::{Result, Store};
use crate::tables::{PlayerId, TableId};

/// What a host can do to the house.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    Suspended,
    Lifted,
    Renamed,
    TableClosed,
    TalkRemoved,
    ReportsDismissed,
    LetterRetried,
    Announced,
    AnnouncementEnded,
}

impl Deed {
    const ALL: [Deed; 9] = [
        Deed::Suspended,
        Deed::Lifted,
        Deed::Renamed,
        Deed::TableClosed,
        Deed::TalkRemoved,
        Deed::ReportsDismissed,
        Deed::LetterRetried,
        Deed::Announced,
        Deed::AnnouncementEnded,
    ];

    /// As the log keeps it.
    pub const fn name(self) -> &'static str {
        match self {
            Deed::Suspended => "suspended",
            Deed::Lifted => "lifted",
            Deed::Renamed => "renamed",
            Deed::TableClosed => "table-closed",
            Deed::TalkRemoved => "talk-removed",
            Deed::ReportsDismissed => "reports-dismissed",
            Deed::LetterRetried => "letter-retried",
            Deed::Announced => "announced",
            Deed::AnnouncementEnded => "announcement-ended",
        }
    }

    pub fn named(name: &str) -> Option<Deed> {
        Deed::ALL.into_iter().find(|deed| deed.name() == name)
    }
}

/// Whom or what a deed concerns.
#[derive(Copy, Clone, Debug, Default)]
pub struct Concerns {
    pub player: Option<PlayerId>,
    pub table: Option<TableId>,
    pub talk: Option<i64>,
    pub letter: Option<i64>,
    pub announcement: Option<i64>,
}

/// Something that a host does.
#[derive(Clone, Debug)]
pub struct NewDeed {
    pub host: PlayerId,
    pub deed: Deed,
    pub concerns: Concerns,
    /// Shown to those concerned.
    pub reason: String,
}

/// A line of the log.
pub struct LogRow {
    pub id: i64,
    pub at: DateTime<Utc>,
    /// The names of the host and of whom it concerns; none for former players.
    pub host: Option<String>,
    pub deed: String,
    pub player_id: Option<PlayerId>,
    pub player: Option<String>,
    pub table_id: Option<TableId>,
    pub game: Option<String>,
    pub letter_id: Option<i64>,
    pub announcement_id: Option<i64>,
    pub reason: String,
    /// The names that a player had before and after.
    pub name_before: Option<String>,
    pub name_after: Option<String>,
}

/// Writes a deed down, in the transaction that does it.
pub(crate) async fn write_deed(connection: &mut Connection, at: DateTime<Utc>, new: &NewDeed) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "insert into host_log (at, host_id, deed, player_id, table_id, talk_id, letter_id, announcement_id, reason)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id",
        at,
        new.host as _,
        new.deed.name(),
        new.concerns.player as _,
        new.concerns.table as _,
        new.concerns.talk,
        new.concerns.letter,
        new.concerns.announcement,
        new.reason,
    )
    .fetch_one(connection)
    .await?;
    Ok(id)
}

impl Store {
    /// The log, the newest first: from before this line on, and about this player, if asked.
    pub async fn host_log(&self, about: Option<PlayerId>, before: Option<i64>, most: i64) -> Result<Vec<LogRow>> {
        let rows = sqlx::query_as!(
            LogRow,
            r#"select host_log.id, at, host.name as host, deed, host_log.player_id as "player_id: PlayerId",
                 player.name as "player?", table_id as "table_id: TableId",
                 game_table.game as "game?", letter_id, announcement_id, reason,
                 host_rename.before as "name_before?", host_rename.after as "name_after?"
               from host_log
                 join player as host on host.id = host_id
                 left join player on player.id = host_log.player_id
                 left join game_table on game_table.id = table_id
                 left join host_rename on log_id = host_log.id
               where ($1::bigint is null or host_log.id < $1) and ($3::uuid is null or host_log.player_id = $3)
               order by host_log.id desc limit $2"#,
            before,
            most,
            about as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Tries a dead letter again, as the host says. Whether there was such a letter.
    pub async fn retry_letter(&self, host: PlayerId, letter: i64) -> Result<bool> {
        let now = self.clock.now();
        let mut tx = self.pool.begin().await?;
        if !crate::db::mail::outbox::revive(&mut tx, letter, now).await? {
            return Ok(false);
        }
        let concerns = Concerns { letter: Some(letter), ..Concerns::default() };
        let deed = NewDeed { host, deed: Deed::LetterRetried, concerns, reason: String::new() };
        write_deed(&mut tx, now, &deed).await?;
        tx.commit().await?;
        Ok(true)
    }
}
