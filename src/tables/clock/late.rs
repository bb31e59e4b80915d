//! What happens when time runs out for somebody.

use crate::db::retry_transient;
use crate::tables::lifecycle::endings::reveal_if_over;
use crate::tables::play::append::Advance;
use crate::tables::state::record::{By, Ending, TableFact};
use crate::tables::{CachedTable, MoveError, ReadError, Tables};
use wonderpost_rules::Seat;

impl Tables {
    /// Time has run out for a seat: it is excused, or what the table chose happens. Does one thing; the next is due at once.
    pub(crate) async fn run_out(&self, cached: &CachedTable, seat: Seat) -> Result<(), MoveError> {
        if let Some(excuse) = self.excuse(cached, seat).await? {
            return self.record_all(cached, &[excuse]).await;
        }
        if cached.now.is_abandoned_without(seat) {
            let ended = TableFact::Ended { how: Ending::Abandoned };
            return self.record_all(cached, &[TableFact::Missed { seat }, ended]).await;
        }
        if cached.now.is_kept_when_late() {
            return self.record_all(cached, &[TableFact::Kept { seat }]).await;
        }
        self.play_for_seat(cached, seat, &self.default_moves(cached, seat), By::Clock).await.map(|_| ())
    }

    /// What the table was not told in time: that the house was closed, or that the player has days off.
    async fn excuse(&self, cached: &CachedTable, seat: Seat) -> Result<Option<TableFact>, MoveError> {
        let now = self.now();
        let since = cached.now.clocks[seat.index()].since.unwrap_or(now);
        let closed = retry_transient(|| self.store.outages_after(since)).await?;
        if let Some(closed) = cached.now.not_given_back(seat, &closed) {
            return Ok(Some(TableFact::Closed { from: closed.from, until: closed.until }));
        }
        let Some(player) = cached.holders.iter().find(|holder| holder.seat == seat).and_then(|holder| holder.player)
        else {
            return Ok(None);
        };
        let days = retry_transient(|| self.store.days_off(player, since)).await?;
        let unknown = days.iter().find(|days| days.from <= now && !cached.now.times.knows_of(seat, days.from));
        Ok(unknown.map(|days| TableFact::Away { seat, from: days.from, until: days.until }))
    }

    /// Records what the house says of a table. If somebody was quicker the table is looked at again.
    pub(crate) async fn record_all(&self, cached: &CachedTable, facts: &[TableFact]) -> Result<(), MoveError> {
        let mut now = cached.now.clone();
        let mut chain = now.chain(cached.id, self.now());
        for fact in facts {
            now.record(&mut chain, now.moves, None, fact).map_err(ReadError::from)?;
        }
        reveal_if_over(&mut now, &mut chain, cached.secret.as_ref())?;
        self.advance(cached, Advance::by_the_house(now, chain)).await?;
        Ok(())
    }
}
