//! Inviting others to a table, and answering an invitation.

use uuid::Uuid;

use crate::db::retry_transient;
use crate::db::tables::invitations::{InvitationAnswer, InvitationRow, InvitedRow};
use crate::players::PersonalLine;
use crate::players::service::{AccountError, Players, Result};
use crate::tables::lifecycle::invite::Host;
use crate::tables::{CachedTable, OpenError, PlayerId, TableId};
use wonderpost_rules::Seat;

/// How many people are invited with one form.
const MOST_AT_ONCE: usize = 20;

/// What came of inviting several people.
pub struct InvitedAll {
    /// Why not all were invited, and who was not.
    pub stopped: Option<(String, Vec<String>)>,
}

/// Addresses as people list them: with commas, semicolons or on lines of their own, with or without names before them.
fn split_addresses(typed: &str) -> Vec<String> {
    let mut addresses: Vec<String> = Vec::new();
    for piece in typed.split([',', ';', '\n']) {
        let in_brackets = piece.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(address, _)| address);
        for address in in_brackets.unwrap_or(piece).split_whitespace() {
            if !addresses.iter().any(|before| before.eq_ignore_ascii_case(address)) {
                addresses.push(address.to_owned());
            }
        }
    }
    addresses
}

impl Players {
    /// The invitations of a player that wait for an answer.
    pub async fn invitations(&self, player: PlayerId) -> Result<Vec<InvitationRow>> {
        Ok(retry_transient(|| self.store().invitations_of_player(player)).await?)
    }

    /// Invites people by address, also those whom we do not know, with a line of the inviter's own. What cannot be read is refused before
    /// anybody is written to; a limit stops in the middle.
    pub async fn invite(
        &self,
        player: PlayerId,
        table: &CachedTable,
        typed: &str,
        line: &str,
        network: String,
    ) -> Result<InvitedAll> {
        let typed = split_addresses(typed);
        if typed.is_empty() {
            return Err(AccountError::refused("Write at least one address."));
        }
        if typed.len() > MOST_AT_ONCE {
            return Err(AccountError::refused(format!("At most {MOST_AT_ONCE} addresses at once, please.")));
        }
        let mut addresses = Vec::new();
        for typed in &typed {
            let address = self.read_address(typed);
            addresses.push(address.map_err(|error| AccountError::Refused(format!("“{typed}”: {error}")))?);
        }
        let line = PersonalLine::parse(line).map_err(AccountError::refused)?;
        let is_guest = !self.has_address(player).await?;
        let host = Host { player, is_guest, network };
        for (number, address) in addresses.iter().enumerate() {
            match self.tables.invite(&host, table, address, line.as_ref()).await {
                Ok(()) => {}
                Err(OpenError::Refused(refusal)) if number > 0 => {
                    let left = addresses[number..].iter().map(|address| address.as_str().to_owned()).collect();
                    return Ok(InvitedAll { stopped: Some((refusal.to_string(), left)) });
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(InvitedAll { stopped: None })
    }

    /// Takes an invitation back that the player sent.
    pub async fn withdraw_invitation(&self, player: PlayerId, table: TableId, id: Uuid) -> Result<()> {
        Ok(self.tables.withdraw_invitation(player, table, id).await?)
    }

    /// Who was invited to a table, for those who sit there or opened it. An address is for the eyes of whoever typed it.
    pub async fn invited(&self, player: PlayerId, table: &CachedTable) -> Result<Vec<InvitedRow>> {
        if table.seat_of(Some(player)).is_none() && table.opened_by != Some(player) {
            return Err(AccountError::NotSeated);
        }
        let mut rows = retry_transient(|| self.store().invitations_of_table(table.id)).await?;
        for row in rows.iter_mut().filter(|row| row.invited_by != player) {
            row.email = None;
        }
        Ok(rows)
    }

    /// Sits down at the table to which somebody is invited.
    pub async fn accept_invitation(&self, token: &str, player: PlayerId, cut: &str) -> Result<(TableId, Seat)> {
        let table = self.tables.table_of_invitation(token).await?;
        let seat = self.tables.sit(player, table, cut).await?;
        // Whoever came as nobody is somebody now, and it is they who were invited.
        self.store().answer_invitation(token, Some(player), InvitationAnswer::Accepted).await?;
        Ok((table, seat))
    }

    /// Declines an invitation; nobody needs an account for that.
    pub async fn decline_invitation(&self, token: &str, player: Option<PlayerId>) -> Result<TableId> {
        let table = self.tables.table_of_invitation(token).await?;
        self.store().answer_invitation(token, player, InvitationAnswer::Declined).await?;
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::split_addresses;

    #[test]
    fn addresses_are_listed_as_people_do() {
        let typed = "alice@example.org, Bill Lizard <bill@example.org>;\n dinah@example.org mabel@example.org\nALICE@example.org,,";
        assert_eq!(
            split_addresses(typed),
            ["alice@example.org", "bill@example.org", "dinah@example.org", "mabel@example.org"]
        );
    }
}
