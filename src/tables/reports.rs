//! Messages that a player finds amiss: reported to the host, or muted for oneself.

use super::folded::Status;
use super::talk::{plain_text, refused};
use super::{Kept, PlayerId, ReadError, SayError, TableId, Tables};
use crate::players::HostReason;
use crate::store::host::reports::Judgement;
use crate::store::patiently;
use crate::store::talk::TalkRow;
use crate::store::talk_reports::Reported;
use wonderpost_rules::{Seat, SeatSet};

/// The most characters that the reason of a report may have.
pub const LONGEST_REPORT: usize = 500;

/// How many messages a player may report within an hour.
const REPORTS_AN_HOUR: i64 = 20;

/// How many others a player may mute.
const MOST_MUTES: i64 = 500;

impl Tables {
    /// Whether somebody may read the talk at a table: the players, and everybody who sees the table once the game is over.
    pub(super) fn may_read_talk(kept: &Kept, player: Option<PlayerId>) -> bool {
        kept.now.opened.seats > 1 && (kept.seat_of(player).is_some() || kept.now.status() == Status::Over)
    }

    /// A message that a player may report: one of somebody else that they may read.
    pub async fn reportable(&self, kept: &Kept, player: PlayerId, talk: i64) -> Result<Option<TalkRow>, ReadError> {
        if !Tables::may_read_talk(kept, Some(player)) {
            return Ok(None);
        }
        let row = patiently(|| self.store.talk_with_id(kept.id.0, talk)).await?;
        Ok(row.filter(|row| !row.removed && row.player_id != player.0))
    }

    /// Reports a message to the host. Whether it is the first time that this player does.
    pub async fn report(&self, player: PlayerId, kept: &Kept, talk: i64, reason: &str) -> Result<bool, SayError> {
        let reason = plain_text(reason, LONGEST_REPORT)?;
        if !Tables::may_read_talk(kept, Some(player)) {
            return Err(SayError::NotSeated);
        }
        match self.store.report_talk(kept.id.0, talk, player.0, &reason, REPORTS_AN_HOUR).await? {
            Reported::Yes => Ok(true),
            Reported::Again => Ok(false),
            Reported::TooMany => {
                Err(refused("You have reported a great deal within the hour. Give the host some time."))
            }
            Reported::NoMessage => Err(refused("There is no such message to report.")),
        }
    }

    /// Hides from a player what the writer of a message writes, at every table.
    pub async fn mute(&self, player: PlayerId, kept: &Kept, talk: i64) -> Result<(), SayError> {
        let Some(row) = self.reportable(kept, player, talk).await? else {
            return Err(refused("There is no such message."));
        };
        if !self.store.mute(player.0, row.player_id, MOST_MUTES).await? {
            return Err(refused("You have muted a great many people already."));
        }
        Ok(())
    }

    /// The seats at a table whose holders a player has muted.
    pub async fn muted_seats(&self, id: TableId, player: Option<PlayerId>) -> Result<SeatSet, ReadError> {
        let Some(player) = player else { return Ok(SeatSet::EMPTY) };
        let rows = patiently(|| self.store.muted_at(id.0, player.0)).await?;
        Ok(rows.iter().filter_map(|row| Seat::new(u8::try_from(row.seat).ok()?)).collect())
    }

    /// Removes a reported message for all, or leaves it. `false` if no report of it waits.
    pub async fn judge_talk(
        &self,
        host: PlayerId,
        talk: i64,
        judgement: Judgement,
        reason: &HostReason,
    ) -> Result<bool, SayError> {
        let Some(judged) = self.store.judge_talk(host.0, talk, judgement, reason).await? else { return Ok(false) };
        if judgement == Judgement::Remove {
            self.live.talked(TableId(judged.table), None);
        }
        Ok(true)
    }
}
