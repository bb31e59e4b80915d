//! Ends that are not the game's own: resigning, agreeing to stop, playing again.

use super::advance::Advance;
use super::folded::{Folded, Status};
use super::open::fresh_token;
use super::record::{Chain, Ending, TableFact};
use super::{Caller, Kept, OpenError, PlayerId, ReadError, SayError, SitError, TableId, Tables, Wishes};
use crate::store::append::Appended;
use wonderpost_rules::seed::Secret;
use wonderpost_rules::{Refusal, Seat};

/// So often it is tried again when somebody else acts at the same time.
pub(super) const MOST_TRIES: usize = 32;

impl Tables {
    /// Gives up. With two seats, or when nobody else is left, that ends the game; else a bot stands in.
    pub async fn resign(&self, caller: &Caller, id: TableId) -> Result<(), SayError> {
        self.act(caller, id, give_up).await
    }

    /// Says that one wants to end the game here, or no longer does. When all people at the table want it, it ends; those who have missed
    /// too many moves in a row are not asked.
    pub async fn agree_to_end(&self, caller: &Caller, id: TableId, to_end: bool) -> Result<(), SayError> {
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
    pub async fn leave_the_house(&self, caller: &Caller) -> Result<(), SayError> {
        // A session of somebody who is suspended moves nothing, so the house does it for them.
        let is_suspended = self.store.suspension_of(caller.player.0).await?.is_some();
        let token = if is_suspended { None } else { Some(caller.token_digest) };
        for table in self.store.seats_under_way(caller.player.0).await? {
            let id = TableId(table);
            let left = match self.stand_up(caller.player, id).await {
                // The game has begun.
                Err(SitError::Refused(_) | SitError::Taken) => self.act_for(caller.player, token, id, give_up).await,
                Err(SitError::Read(error)) => Err(error.into()),
                Ok(()) => Ok(()),
            };
            match left {
                // It ended meanwhile.
                Ok(()) | Err(SayError::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.store.delete_player(caller.player.0).await?;
        Ok(())
    }

    /// Does something at a table that is being played, as the holder of a seat. `deed` says whether there is anything to record.
    pub(super) async fn act(
        &self,
        caller: &Caller,
        id: TableId,
        deed: impl Fn(&mut Folded, &mut Chain, Seat) -> Result<bool, SayError>,
    ) -> Result<(), SayError> {
        self.act_for(caller.player, Some(caller.token_digest), id, deed).await
    }

    /// The same for a player whom the house knows already, where there is no token to check.
    async fn act_for(
        &self,
        player: PlayerId,
        token: Option<[u8; 32]>,
        id: TableId,
        deed: impl Fn(&mut Folded, &mut Chain, Seat) -> Result<bool, SayError>,
    ) -> Result<(), SayError> {
        for _ in 0..MOST_TRIES {
            let kept = self.read(id).await?;
            let seat = kept.seat_of(Some(player)).ok_or(SayError::NotSeated)?;
            if kept.now.status() != Status::Playing {
                return Err(SayError::Refused { line: None, refusal: Refusal::new("The game is not being played.") });
            }
            if kept.now.opened.seats == 1 {
                let refusal = Refusal::new("A solitaire has its own way to stop.");
                return Err(SayError::Refused { line: None, refusal });
            }
            let mut now = kept.now.clone();
            let mut chain = now.chain(id, self.now());
            if !deed(&mut now, &mut chain, seat)? {
                return Ok(());
            }
            reveal_if_over(&mut now, &mut chain, kept.secret.as_ref())?;
            let caller = token.map(|token| (seat, token));
            match self.advance(&kept, Advance { caller, ..Advance::by_the_house(now, chain) }).await? {
                Appended::Stored => return Ok(()),
                Appended::NotSeated => return Err(SayError::NotSeated),
                Appended::Overtaken => {}
            }
        }
        Err(SayError::Busy)
    }

    /// Opens the same table again and invites the same people; the bots sit down again.
    pub async fn rematch(&self, player: PlayerId, kept: &Kept, id: TableId) -> Result<TableId, OpenError> {
        let opened = &kept.now.opened;
        if kept.now.status() != Status::Over || kept.seat_of(Some(player)).is_none() {
            return Err(Refusal::new("A rematch is for those who played, when the game is over.").into());
        }
        let wishes = Wishes {
            game: kept.now.game,
            seats: opened.seats,
            options: opened.options.clone(),
            pace: opened.pace,
            private: opened.private,
            by_lot: opened.by_lot,
            preset_answers: opened.preset_answers,
            bots: kept.now.bots.iter().map(|(_, level)| *level).collect(),
        };
        let table = self.open_as(id, &wishes, Some(player)).await?;
        for other in kept.holders.iter().filter_map(|holder| holder.player).filter(|other| *other != player) {
            self.store.invite_player(&fresh_token(), table.0, other.0, player.0).await?;
        }
        Ok(table)
    }
}

/// Records that a seat gives up, and that the game ends if too few are left.
fn give_up(now: &mut Folded, chain: &mut Chain, seat: Seat) -> Result<bool, SayError> {
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
pub(super) fn reveal_if_over(now: &mut Folded, chain: &mut Chain, secret: Option<&Secret>) -> Result<(), ReadError> {
    if let (Some(secret), Status::Over, None) = (secret, now.status(), now.opened.day) {
        let secret = data_encoding::HEXLOWER.encode(secret.bytes());
        now.record(chain, now.moves, None, &TableFact::Revealed { secret })?;
    }
    Ok(())
}
