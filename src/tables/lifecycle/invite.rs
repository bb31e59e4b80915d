//! Inviting people to a table, and who may see a private one.

use crate::db::players::rate_limits::RateLimit;
use crate::db::retry_transient;
use crate::db::tables::invitations::{InvitationLimits, Invited, NewInvitation};
use crate::players::EmailAddress;
use crate::tables::lifecycle::open::fresh_token;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, OpenError, PlayerId, ReadError, TableId, Tables};
use wonderpost_rules::Refusal;

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
    pub async fn invite(&self, host: &Host, cached: &CachedTable, address: &EmailAddress) -> Result<(), OpenError> {
        if cached.seat_of(Some(host.player)).is_none() && cached.opened_by != Some(host.player) {
            return Err(Refusal::new("Only those who sit at a table invite others to it.").into());
        }
        if cached.now.status() != Status::Open {
            return Err(Refusal::new("The game has begun; there is no seat left.").into());
        }
        let (token, player) = (fresh_token(), host.player.0.to_string());
        let new =
            NewInvitation { token: &token, table: cached.id.0, email: address.as_str(), invited_by: host.player.0 };
        let guest = [(&SENT_BY_GUEST, &*player), (&SENT_BY_GUESTS_OF_NETWORK, &*host.network)];
        let of_sender: &[_] = if host.is_guest { &guest } else { &[(&SENT_BY_PLAYER, &*player)] };
        let limits = InvitationLimits { of_sender, of_recipient: &WRITTEN_TO_ADDRESS };
        match retry_transient(|| self.store.invite(&new, &limits)).await? {
            Invited::Written | Invited::Before => Ok(()),
            Invited::TooManyToAddress => Err(Refusal::new(
                "Several invitations have gone to that address today, so we do not send another. Give them the table's link \
                 yourself.",
            )
            .into()),
            Invited::TooManySent => Err(Refusal::new(
                "A great many invitations have been sent today. Go on tomorrow, or give the table's link to people yourself.",
            )
            .into()),
        }
    }

    /// The table to which a link or an invitation leads.
    pub async fn table_of_invitation(&self, token: &str) -> Result<TableId, ReadError> {
        let table = retry_transient(|| self.store.table_of_invitation(token)).await?;
        table.map(TableId).ok_or(ReadError::NoTable)
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
        Ok(retry_transient(|| self.store.is_invited(cached.id.0, player.0)).await?)
    }
}
