//! Inviting people to a table, and who may see a private one.

use super::folded::Status;
use super::open::fresh_token;
use super::{Kept, OpenError, PlayerId, ReadError, TableId, Tables};
use crate::players::EmailAddress;
use crate::rules::Refusal;
use crate::store::patiently;

/// So many invitations a player may send within a day.
const MOST_INVITATIONS: i64 = 40;

impl Tables {
    /// Invites somebody by address. Whether the house knows the address is not told.
    pub async fn invite(&self, player: PlayerId, kept: &Kept, address: &str) -> Result<(), OpenError> {
        if kept.seat_of(Some(player)).is_none() && kept.opened_by != Some(player) {
            return Err(Refusal::new("Only those who sit at a table invite others to it.").into());
        }
        if kept.now.status() != Status::Open {
            return Err(Refusal::new("The game has begun; there is no seat left.").into());
        }
        let address = EmailAddress::parse(address).map_err(|error| Refusal::new(error.to_string()))?;
        if self.store.invitations_sent(player.0).await? >= MOST_INVITATIONS {
            return Err(Refusal::new("You have sent a great many invitations today. Go on tomorrow.").into());
        }
        self.store.invite(&fresh_token(), kept.id.0, address.as_str(), player.0).await?;
        Ok(())
    }

    /// The table to which a link or an invitation leads.
    pub async fn table_of_invitation(&self, token: &str) -> Result<TableId, ReadError> {
        let table = patiently(|| self.store.table_of_invitation(token)).await?;
        table.map(TableId).ok_or(ReadError::NoTable)
    }

    /// Whether somebody may see a table at all.
    pub async fn may_see(&self, kept: &Kept, player: Option<PlayerId>) -> Result<bool, ReadError> {
        if !kept.now.opened.private {
            return Ok(true);
        }
        let Some(player) = player else { return Ok(false) };
        if kept.seat_of(Some(player)).is_some() || kept.opened_by == Some(player) {
            return Ok(true);
        }
        Ok(patiently(|| self.store.is_invited(kept.id.0, player.0)).await?)
    }
}
