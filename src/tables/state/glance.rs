//! A table as its page shows it: as fresh as the database, with what stands beside the board. One question, if the table is at hand.

use std::sync::Arc;

use crate::db::retry_transient;
use crate::db::tables::glance::{GlanceQuery, GlanceRow};
use crate::db::tables::looks::SeatLook;
use crate::db::tables::talk::TalkRow;
use crate::db::tables::talk_reports::MutedSeat;
use crate::tables::play::plans::Answers;
use crate::tables::talk::messages::SHOWN;
use crate::tables::{CachedTable, Holder, Offer, PlayerId, ReadError, TableId, Tables};
use wonderpost_rules::Seat;

/// A table and what its page shows beside the board, for one viewer.
pub struct Glance {
    pub table: Arc<CachedTable>,
    /// By the names they have now.
    pub holders: Vec<Holder>,
    /// When the viewer last looked.
    pub look: SeatLook,
    pub(crate) answers: Answers,
    /// The talk, if the viewer may read it, without those whom they have muted.
    pub talk: Option<Vec<TalkRow>>,
    pub muted: Vec<MutedSeat>,
    /// What the viewer has noted down.
    pub note: Option<String>,
}

impl Glance {
    /// What the viewer may answer in advance at their seat, and has.
    pub fn offers(&self, seat: Seat) -> Vec<Offer> {
        self.answers.offers(&self.table, seat)
    }

    fn new(table: Arc<CachedTable>, player: Option<PlayerId>, row: GlanceRow) -> Glance {
        Glance {
            holders: row.holders.into_iter().map(Holder::from).collect(),
            look: row.look,
            answers: Answers::from_rows(row.answers),
            talk: Tables::may_read_talk(&table, player).then_some(row.talk),
            muted: row.muted,
            note: row.note,
            table,
        }
    }
}

impl Tables {
    /// A table with what stands beside its board, for a player or a spectator.
    pub async fn glance(&self, id: TableId, player: Option<PlayerId>) -> Result<Glance, ReadError> {
        let table = self.cached(id).await?;
        let row = self.ask_for_glance(&table, player).await?;
        let is_fresh = !row.is_behind && row.digest.as_deref() == Some(&table.now.head[..]);
        if is_fresh {
            return Ok(Glance::new(table, player, row));
        }
        let table = self.load_fresh(id).await?;
        let row = self.ask_for_glance(&table, player).await?;
        Ok(Glance::new(table, player, row))
    }

    async fn ask_for_glance(&self, table: &CachedTable, player: Option<PlayerId>) -> Result<GlanceRow, ReadError> {
        let most_talk = if Tables::may_read_talk(table, player) { SHOWN } else { 0 };
        let query = GlanceQuery { table: table.id, version: table.now.version, player, most_talk };
        Ok(retry_transient(|| self.store.glance(&query)).await?)
    }
}
