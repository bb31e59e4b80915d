//! Closing a table: the host ends it, whatever its players want.

use super::advance::Advance;
use super::endings::{MOST_TRIES, reveal_if_over};
use super::folded::Status;
use super::record::TableFact;
use super::talk::refused;
use super::{PlayerId, ReadError, SayError, TableId, Tables};
use crate::players::HostReason;
use crate::store::append::Appended;
use crate::store::host::log::{Concerns, Deed, NewDeed};

impl Tables {
    /// Ends a table without a winner. The reason is part of its log.
    pub async fn close(&self, host: PlayerId, id: TableId, reason: &HostReason) -> Result<(), SayError> {
        for _ in 0..MOST_TRIES {
            let kept = self.read(id).await?;
            match kept.now.status() {
                Status::Open | Status::Playing if kept.now.opened.day.is_some() => {
                    return Err(refused("A garden of the day ends with its day."));
                }
                Status::Open | Status::Playing => {}
                Status::Over | Status::Gone => return Err(refused("This game is over already.")),
            }
            let mut now = kept.now.clone();
            let mut chain = now.chain(id, self.now());
            let fact = TableFact::ClosedByHost { reason: reason.as_str().to_owned() };
            now.record(&mut chain, now.moves, None, &fact).map_err(ReadError::from)?;
            reveal_if_over(&mut now, &mut chain, kept.secret.as_ref())?;
            let deed = NewDeed {
                host: host.0,
                deed: Deed::TableClosed,
                concerns: Concerns { table: Some(id.0), ..Concerns::default() },
                reason: reason.as_str().to_owned(),
            };
            let advance = Advance { deed: Some(deed), ..Advance::by_the_house(now, chain) };
            match self.advance(&kept, advance).await? {
                Appended::Stored => return Ok(()),
                Appended::Overtaken | Appended::NotSeated => {}
            }
        }
        Err(SayError::Busy)
    }
}
