//! Inviting others to a table, and answering an invitation.

use crate::db::retry_transient;
use crate::db::tables::invitations::InvitationRow;
use crate::players::service::{Players, Result};
use crate::tables::lifecycle::invite::Host;
use crate::tables::{CachedTable, PlayerId, TableId};
use wonderpost_rules::Seat;

impl Players {
    /// The invitations of a player that wait for an answer.
    pub async fn invitations(&self, player: PlayerId) -> Result<Vec<InvitationRow>> {
        Ok(retry_transient(|| self.store().invitations_of_player(player.0)).await?)
    }

    /// Invites somebody by address, also somebody whom we do not know.
    pub async fn invite(&self, player: PlayerId, table: &CachedTable, typed: &str, network: String) -> Result<()> {
        let address = self.read_address(typed).map_err(super::AccountError::refused)?;
        let is_guest = !self.has_address(player).await?;
        Ok(self.tables.invite(&Host { player, is_guest, network }, table, &address).await?)
    }

    /// Sits down at the table to which somebody is invited.
    pub async fn accept_invitation(&self, token: &str, player: PlayerId, cut: &str) -> Result<(TableId, Seat)> {
        let table = self.tables.table_of_invitation(token).await?;
        let seat = self.tables.sit(player, table, cut).await?;
        // Whoever came as nobody is somebody now, and it is they who were invited.
        self.store().answer_invitation(token, Some(player.0), "accepted").await?;
        Ok((table, seat))
    }

    /// Declines an invitation; nobody needs an account for that.
    pub async fn decline_invitation(&self, token: &str, player: Option<PlayerId>) -> Result<TableId> {
        let table = self.tables.table_of_invitation(token).await?;
        self.store().answer_invitation(token, player.map(|player| player.0), "declined").await?;
        Ok(table)
    }
}
