//! Filling the seats of a table: inviting people, asking bots; and who may see a private one.

use uuid::Uuid;

use crate::db::players::rate_limits::RateLimit;
use crate::db::retry_transient;
use crate::db::tables::append::{Appended, Sitting};
use crate::db::tables::invitations::{InvitationAnswer, InvitationLimits, InvitationLink, Invited, NewInvitation};
use crate::players::{EmailAddress, PersonalLine};
use crate::tables::clock::absence::Habits;
use crate::tables::lifecycle::open::{free_seat, fresh_token, random_cut, sit_and_deal};
use crate::tables::play::append::Advance;
use crate::tables::state::record::TableFact;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, OpenError, PlayerId, ReadError, SitError, TableId, Tables};
use wonderpost_rules::{Level, Refusal, Seat};

/// How many invitations a player may send, and a guest, who has shown nobody where letters reach them.
const SENT_BY_PLAYER: RateLimit = RateLimit::a_day("invitations of a player", 40);
const SENT_BY_GUEST: RateLimit = RateLimit::a_day("invitations of a guest", 10);

/// How many invitations all guests of one network may send.
const SENT_BY_GUESTS_OF_NETWORK: RateLimit = RateLimit::a_day("invitations of a network's guests", 30);

/// How many invitations are written to one address, whoever sends them. The same for everybody: else it would tell whether the house knows
/// an address.
const WRITTEN_TO_ADDRESS: RateLimit = RateLimit::a_day("invitations to an address", 3);

/// Who invites.
pub struct Host {
    pub player: PlayerId,
    /// Without an address.
    pub is_guest: bool,
    /// Where the request came from.
    pub network: String,
}

impl Tables {
    /// Invites somebody by address. Whether the house knows the address is not told.
    pub async fn invite(
        &self,
        host: &Host,
        cached: &CachedTable,
        address: &EmailAddress,
        line: Option<&PersonalLine>,
    ) -> Result<(), OpenError> {
        check_host(cached, host.player)?;
        let (token, player) = (fresh_token(), host.player.to_string());
        let new = NewInvitation {
            token: &token,
            table: cached.id,
            email: address.as_str(),
            invited_by: host.player,
            words: line.map(PersonalLine::as_str),
        };
        let guest = [(&SENT_BY_GUEST, &*player), (&SENT_BY_GUESTS_OF_NETWORK, &*host.network)];
        let of_sender: &[_] = if host.is_guest { &guest } else { &[(&SENT_BY_PLAYER, &*player)] };
        let limits = InvitationLimits { of_sender, of_recipient: &WRITTEN_TO_ADDRESS };
        match retry_transient(|| self.store.invite(&new, &limits)).await? {
            Invited::Written | Invited::Before => Ok(()),
            Invited::TooManyToAddress => Err(Refusal::new(
                "Several invitations have gone to that address today, so we won't send another. Give them the table's link \
                 yourself.",
            )
            .into()),
            Invited::TooManySent => Err(Refusal::new(
                "You have sent a great many invitations today. Go on tomorrow, or share the table's link yourself.",
            )
            .into()),
        }
    }

    /// What a link or an invitation leads to.
    pub async fn invitation_link(&self, token: &str) -> Result<InvitationLink, ReadError> {
        let link = retry_transient(|| self.store.invitation_link(token)).await?;
        link.ok_or(ReadError::NoTable)
    }

    /// The table to which a link or an invitation leads, unless it was withdrawn.
    pub async fn table_of_invitation(&self, token: &str) -> Result<TableId, ReadError> {
        let link = self.invitation_link(token).await?;
        if link.answer == Some(InvitationAnswer::Withdrawn) { Err(ReadError::NoTable) } else { Ok(link.table_id) }
    }

    /// Takes an invitation back, by the one who sent it. One that was answered stays as it is.
    pub async fn withdraw_invitation(&self, player: PlayerId, table: TableId, id: Uuid) -> Result<(), ReadError> {
        Ok(retry_transient(|| self.store.withdraw_invitation(table, id, player)).await?)
    }

    /// Gives a free seat of a table that has not begun to a bot; the last seat to be taken starts the game.
    pub async fn seat_bot(&self, player: PlayerId, id: TableId, level: Level) -> Result<Seat, SitError> {
        for _ in 0..=2 * Seat::MOST {
            let cached = self.load_fresh(id).await?;
            check_host(&cached, player)?;
            let free: Vec<Seat> =
                Seat::all(cached.now.opened.seats).filter(|seat| !cached.now.seated.contains(*seat)).collect();
            if free.len() == 1 && cached.now.people().is_empty() {
                return Err(Refusal::new("Leave a seat for yourself.").into());
            }
            let seat = if cached.now.opened.by_lot { free_seat(&cached.now, None) } else { free.last().copied() };
            let (Some(seat), Some(secret)) = (seat, &cached.secret) else { return Err(SitError::Taken) };
            let mut now = cached.now.clone();
            let mut chain = now.chain(id, self.now());
            let sat = TableFact::Sat { seat, cut: Some(random_cut()), bot: Some(level) };
            let played_on = self.facts_to_play_on(&now.opened).await?;
            sit_and_deal(&mut now, &mut chain, seat, &sat, secret, &Habits::default(), played_on)?;
            let sitting = vec![Sitting { seat, player: None, bot: Some(level) }];
            match self.advance(&cached, Advance { sitting, ..Advance::by_the_house(now, chain) }).await {
                Ok(Appended::Stored) => return Ok(seat),
                Ok(Appended::Overtaken | Appended::NotSeated) => {}
                Err(ReadError::Store(error)) if error.is_transient() || error.is_duplicate() => {
                    tracing::warn!(%error, table = %id, "transient database error; retrying to seat a bot");
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(SitError::Taken)
    }

    /// Whether somebody may see a table at all.
    pub async fn may_see(&self, cached: &CachedTable, player: Option<PlayerId>) -> Result<bool, ReadError> {
        if !cached.now.opened.private {
            return Ok(true);
        }
        let Some(player) = player else { return Ok(false) };
        if cached.seat_of(Some(player)).is_some() || cached.opened_by == Some(player) {
            return Ok(true);
        }
        Ok(retry_transient(|| self.store.is_invited(cached.id, player)).await?)
    }
}

/// Refuses those who neither sit at a table nor opened it, and whoever comes when it has begun.
fn check_host(cached: &CachedTable, player: PlayerId) -> Result<(), Refusal> {
    if cached.seat_of(Some(player)).is_none() && cached.opened_by != Some(player) {
        return Err(Refusal::new("Only those who sit at a table invite others to it."));
    }
    if cached.now.status() != Status::Open {
        return Err(Refusal::new("The game has begun; there is no seat left."));
    }
    Ok(())
}
