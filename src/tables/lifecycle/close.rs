//! Closing a table: the host ends it, whatever its players want.

use crate::db::host::log::{Concerns, Deed, NewDeed};
use crate::db::tables::append::Appended;
use crate::players::HostReason;
use crate::tables::lifecycle::endings::{MOST_TRIES, reveal_if_over};
use crate::tables::play::append::Advance;
use crate::tables::state::record::TableFact;
use crate::tables::state::table_state::Status;
use crate::tables::talk::messages::refused;
use crate::tables::{MoveError, PlayerId, ReadError, TableId, Tables};

impl Tables {
    /// Ends a table without a winner. The reason is part of its log.
    pub async fn close(&self, host: PlayerId, id: TableId, reason: &HostReason) -> Result<(), MoveError> {
        for _ in 0..MOST_TRIES {
            let cached = self.load_fresh(id).await?;
            match cached.now.status() {
                Status::Open | Status::Playing if cached.now.opened.day.is_some() => {
                    return Err(refused("A garden of the day ends with its day."));
                }
                Status::Open | Status::Playing => {}
                Status::Over | Status::Gone => return Err(refused("This game is over already.")),
            }
            let mut now = cached.now.clone();
            let mut chain = now.chain(id, self.now());
            let fact = TableFact::ClosedByHost { reason: reason.as_str().to_owned() };
            now.record(&mut chain, now.moves, None, &fact).map_err(ReadError::from)?;
            reveal_if_over(&mut now, &mut chain, cached.secret.as_ref())?;
            let deed = NewDeed {
                host,
                deed: Deed::TableClosed,
                concerns: Concerns { table: Some(id), ..Concerns::default() },
                reason: reason.as_str().to_owned(),
            };
            let advance = Advance { deed: Some(deed), ..Advance::by_the_house(now, chain) };
            match self.advance(&cached, advance).await? {
                Appended::Stored => return Ok(()),
                Appended::Overtaken | Appended::NotSeated => {}
            }
        }
        Err(MoveError::Busy)
    }
}
