//! Messages that a player finds amiss: reported to the host, or muted for oneself.

use crate::db::host::reports::Judgement;
use crate::db::retry_transient;
use crate::db::tables::talk::TalkRow;
use crate::db::tables::talk_reports::Reported;
use crate::players::HostReason;
use crate::tables::state::table_state::Status;
use crate::tables::talk::messages::{plain_text, refused};
use crate::tables::{CachedTable, MoveError, PlayerId, ReadError, TableId, Tables};
use wonderpost_rules::SeatSet;

/// The most characters that the reason of a report may have.
pub const LONGEST_REPORT: usize = 500;

/// How many messages a player may report within an hour.
const REPORTS_AN_HOUR: i64 = 20;

/// How many others a player may mute.
const MOST_MUTES: i64 = 500;

impl Tables {
    /// Whether somebody may read the talk at a table: the players, and everybody who sees the table once the game is over.
    pub(crate) fn may_read_talk(cached: &CachedTable, player: Option<PlayerId>) -> bool {
        cached.now.opened.seats > 1 && (cached.seat_of(player).is_some() || cached.now.status() == Status::Over)
    }

    /// A message that a player may report: one of somebody else that they may read.
    pub async fn reportable(
        &self,
        cached: &CachedTable,
        player: PlayerId,
        talk: i64,
    ) -> Result<Option<TalkRow>, ReadError> {
        if !Tables::may_read_talk(cached, Some(player)) {
            return Ok(None);
        }
        let row = retry_transient(|| self.store.talk_with_id(cached.id, talk)).await?;
        Ok(row.filter(|row| !row.removed && row.player_id != player))
    }

    /// Reports a message to the host. Whether it is the first time that this player does.
    pub async fn report(
        &self,
        player: PlayerId,
        cached: &CachedTable,
        talk: i64,
        reason: &str,
    ) -> Result<bool, MoveError> {
        let reason = plain_text(reason, LONGEST_REPORT)?;
        if !Tables::may_read_talk(cached, Some(player)) {
            return Err(MoveError::NotSeated);
        }
        match self.store.report_talk(cached.id, talk, player, &reason, REPORTS_AN_HOUR).await? {
            Reported::Yes => Ok(true),
            Reported::Again => Ok(false),
            Reported::TooMany => {
                Err(refused("You have reported a great deal within the hour. Give the host some time."))
            }
            Reported::NoMessage => Err(refused("There is no such message to report.")),
        }
    }

    /// Hides from a player what the writer of a message writes, at every table.
    pub async fn mute(&self, player: PlayerId, cached: &CachedTable, talk: i64) -> Result<(), MoveError> {
        let Some(row) = self.reportable(cached, player, talk).await? else {
            return Err(refused("There is no such message."));
        };
        if !self.store.mute(player, row.player_id, MOST_MUTES).await? {
            return Err(refused("You have muted a great many people already."));
        }
        Ok(())
    }

    /// The seats at a table whose holders a player has muted.
    pub async fn muted_seats(&self, id: TableId, player: Option<PlayerId>) -> Result<SeatSet, ReadError> {
        let Some(player) = player else { return Ok(SeatSet::EMPTY) };
        let rows = retry_transient(|| self.store.muted_at(id, player)).await?;
        Ok(rows.iter().map(|row| row.seat).collect())
    }

    /// Removes a reported message for all, or leaves it. `false` if no report of it waits.
    pub async fn judge_talk(
        &self,
        host: PlayerId,
        talk: i64,
        judgement: Judgement,
        reason: &HostReason,
    ) -> Result<bool, MoveError> {
        let Some(judged) = self.store.judge_talk(host, talk, judgement, reason).await? else { return Ok(false) };
        if judgement == Judgement::Remove {
            self.live.talked(judged.table, None);
        }
        Ok(true)
    }
}
