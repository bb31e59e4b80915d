//! What happens when time runs out for somebody.

use super::advance::Advance;
use super::endings::reveal_if_over;
use super::record::{By, Ending, TableFact};
use super::{Kept, ReadError, SayError, Tables};
use crate::store::patiently;
use wonderpost_rules::Seat;

impl Tables {
    /// Time has run out for a seat: it is excused, or what the table chose happens. Does one thing; the next is due at once.
    pub(super) async fn run_out(&self, kept: &Kept, seat: Seat) -> Result<(), SayError> {
        if let Some(excuse) = self.excuse(kept, seat).await? {
            return self.record_all(kept, &[excuse]).await;
        }
        if kept.now.is_abandoned_without(seat) {
            let ended = TableFact::Ended { how: Ending::Abandoned };
            return self.record_all(kept, &[TableFact::Missed { seat }, ended]).await;
        }
        if kept.now.is_kept_when_late() {
            return self.record_all(kept, &[TableFact::Kept { seat }]).await;
        }
        self.say_for(kept, seat, &self.default_lines(kept, seat), By::Clock).await.map(|_| ())
    }

    /// What the table was not told in time: that the house was closed, or that the player has days off.
    async fn excuse(&self, kept: &Kept, seat: Seat) -> Result<Option<TableFact>, SayError> {
        let now = self.now();
        let since = kept.now.clocks[seat.index()].since.unwrap_or(now);
        let closed = patiently(|| self.store.outages_after(since)).await?;
        if let Some(closed) = kept.now.not_given_back(seat, &closed) {
            return Ok(Some(TableFact::Closed { from: closed.from, until: closed.until }));
        }
        let Some(player) = kept.holders.iter().find(|holder| holder.seat == seat).and_then(|holder| holder.player)
        else {
            return Ok(None);
        };
        let days = patiently(|| self.store.days_off(player.0, since)).await?;
        let unknown = days.iter().find(|days| days.from <= now && !kept.now.times.knows_of(seat, days.from));
        Ok(unknown.map(|days| TableFact::Away { seat, from: days.from, until: days.until }))
    }

    /// Records what the house says of a table. If somebody was quicker the table is looked at again.
    pub(super) async fn record_all(&self, kept: &Kept, facts: &[TableFact]) -> Result<(), SayError> {
        let mut now = kept.now.clone();
        let mut chain = now.chain(kept.id, self.now());
        for fact in facts {
            now.record(&mut chain, now.moves, None, fact).map_err(ReadError::from)?;
        }
        reveal_if_over(&mut now, &mut chain, kept.secret.as_ref())?;
        self.advance(kept, Advance::by_the_house(now, chain)).await?;
        Ok(())
    }
}
