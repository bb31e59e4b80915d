//! What a suspension means at tables: bots keep the seats until it is lifted, so that the others are not held up.

use crate::db::retry_transient;
use crate::players::HostReason;
use crate::tables::state::record::TableFact;
use crate::tables::state::table_state::Status;
use crate::tables::{MoveError, PlayerId, SitError, Tables};

impl Tables {
    /// Suspends a player. Whether they were not suspended before; the seats are seen to in any case, should that have broken off.
    pub async fn suspend(&self, host: PlayerId, player: PlayerId, reason: &HostReason) -> Result<bool, MoveError> {
        let suspended = self.store.suspend(host, player, reason).await?;
        self.hold_seats(player).await?;
        Ok(suspended)
    }

    /// Lifts a suspension: the player has their seats again, and whoever is to move has the whole time for it. Whether there was one.
    pub async fn lift_suspension(
        &self,
        host: PlayerId,
        player: PlayerId,
        reason: &HostReason,
    ) -> Result<bool, MoveError> {
        let lifted = self.store.lift_suspension(host, player, reason).await?;
        self.tell_tables(player, |now, seat| now.times.held.contains(seat).then_some(TableFact::Returned { seat }))
            .await?;
        Ok(lifted)
    }

    /// Lets bots keep the seats of a suspended player, and frees those at tables that have not begun.
    pub async fn hold_seats(&self, player: PlayerId) -> Result<(), MoveError> {
        for id in retry_transient(|| self.store.seats_under_way(player)).await? {
            if self.load_fresh(id).await?.now.status() == Status::Open {
                match self.stand_up(player, id).await {
                    // The game has begun meanwhile.
                    Ok(()) | Err(SitError::Refused(_) | SitError::Taken) => {}
                    Err(SitError::Read(error)) => return Err(error.into()),
                }
            }
        }
        self.tell_tables(player, |now, seat| {
            let plays = now.status() == Status::Playing && !now.times.held.contains(seat);
            plays.then_some(TableFact::Held { seat })
        })
        .await
    }
}
