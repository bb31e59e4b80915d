//! Ends that are not the game's own: resigning, agreeing to stop.

use crate::db::tables::append::Appended;
use crate::tables::play::append::Advance;
use crate::tables::state::record::{Chain, Ending, TableFact};
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{Credentials, MoveError, PlayerId, ReadError, SitError, TableId, Tables};
use wonderpost_rules::seed::Secret;
use wonderpost_rules::{Refusal, Seat};

/// How often a write is retried when somebody else acts at the same time.
pub(crate) const MOST_TRIES: usize = 32;

impl Tables {
    /// Gives up. With two seats, or when nobody else is left, that ends the game; else a bot stands in.
    pub async fn resign(&self, caller: &Credentials, id: TableId) -> Result<(), MoveError> {
        self.act(caller, id, give_up).await
    }

    /// Says that one wants to end the game here, or no longer does. When all people at the table want it, it ends; those who have missed
    /// too many moves in a row are not asked.
    pub async fn agree_to_end(&self, caller: &Credentials, id: TableId, to_end: bool) -> Result<(), MoveError> {
        self.act(caller, id, |now, chain, seat| {
            if now.agreed.contains(seat) == to_end {
                return Ok(false);
            }
            now.record(chain, now.moves, Some(seat), &TableFact::Agreed { seat, to_end }).map_err(ReadError::from)?;
            if now.present().iter().all(|seat| now.agreed.contains(seat)) {
                now.record(chain, now.moves, None, &TableFact::Ended { how: Ending::Agreed })
                    .map_err(ReadError::from)?;
            }
            Ok(true)
        })
        .await
    }

    /// Leaves the house for good: gives up every seat, so that nobody waits for somebody who is gone, and forgets who it was.
    pub async fn leave_the_house(&self, caller: &Credentials) -> Result<(), MoveError> {
        // A session of somebody who is suspended moves nothing, so the house does it for them.
        let is_suspended = self.store.suspension_of(caller.player).await?.is_some();
        let token = if is_suspended { None } else { Some(caller.token_digest) };
        for id in self.store.seats_under_way(caller.player).await? {
            let left = match self.stand_up(caller.player, id).await {
                // The game has begun.
                Err(SitError::Refused(_) | SitError::Taken) => self.act_for(caller.player, token, id, give_up).await,
                Err(SitError::Read(error)) => Err(error.into()),
                Ok(()) => Ok(()),
            };
            match left {
                // It ended meanwhile.
                Ok(()) | Err(MoveError::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.store.delete_player(caller.player).await?;
        Ok(())
    }

    /// Does something at a table that is being played, as the holder of a seat. `deed` says whether there is anything to record.
    pub(crate) async fn act(
        &self,
        caller: &Credentials,
        id: TableId,
        deed: impl Fn(&mut TableState, &mut Chain, Seat) -> Result<bool, MoveError>,
    ) -> Result<(), MoveError> {
        self.act_for(caller.player, Some(caller.token_digest), id, deed).await
    }

    /// The same for a player whom the house knows already, where there is no token to check.
    async fn act_for(
        &self,
        player: PlayerId,
        token: Option<[u8; 32]>,
        id: TableId,
        deed: impl Fn(&mut TableState, &mut Chain, Seat) -> Result<bool, MoveError>,
    ) -> Result<(), MoveError> {
        for _ in 0..MOST_TRIES {
            let cached = self.load_fresh(id).await?;
            let seat = cached.seat_of(Some(player)).ok_or(MoveError::NotSeated)?;
            if cached.now.status() != Status::Playing {
                return Err(MoveError::Refused { line: None, refusal: Refusal::new("The game is not being played.") });
            }
            if cached.now.opened.seats == 1 {
                let refusal = Refusal::new("A solitaire has its own way to stop.");
                return Err(MoveError::Refused { line: None, refusal });
            }
            let mut now = cached.now.clone();
            let mut chain = now.chain(id, self.now());
            if !deed(&mut now, &mut chain, seat)? {
                return Ok(());
            }
            reveal_if_over(&mut now, &mut chain, cached.secret.as_ref())?;
            let caller = token.map(|token| (seat, token));
            match self.advance(&cached, Advance { caller, ..Advance::by_the_house(now, chain) }).await? {
                Appended::Stored => return Ok(()),
                Appended::NotSeated => return Err(MoveError::NotSeated),
                Appended::Overtaken => {}
            }
        }
        Err(MoveError::Busy)
    }
}

/// Records that a seat gives up, and that the game ends if too few are left.
fn give_up(now: &mut TableState, chain: &mut Chain, seat: Seat) -> Result<bool, MoveError> {
    if now.resigned.contains(seat) {
        return Ok(false);
    }
    now.record(chain, now.moves, Some(seat), &TableFact::Resigned { seat }).map_err(ReadError::from)?;
    let left = now.seated.iter().filter(|seat| !now.resigned.contains(*seat)).count();
    if left <= 1 || now.people().is_empty() {
        now.record(chain, now.moves, None, &TableFact::Ended { how: Ending::Resigned }).map_err(ReadError::from)?;
    }
    Ok(true)
}

/// Publishes the secret with the end of the game. The secret of a garden of the day waits for the end of the day.
pub(crate) fn reveal_if_over(
    now: &mut TableState,
    chain: &mut Chain,
    secret: Option<&Secret>,
) -> Result<(), ReadError> {
    if let (Some(secret), Status::Over, None) = (secret, now.status(), now.opened.day) {
        let secret = data_encoding::HEXLOWER.encode(secret.bytes());
        now.record(chain, now.moves, None, &TableFact::Revealed { secret })?;
    }
    Ok(())
}
