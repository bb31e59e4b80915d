//! Is it you? Before something that cannot be undone, whoever signed in more than a day ago confirms with a letter that it is them. Guests
//! have no address to write to, and are not asked.

use crate::db::players::sign_ins::{Proof, Purpose};
use crate::db::retry_transient;
use crate::players::EmailAddress;
use crate::players::service::{AccountError, Players, Result};
use crate::players::sign_in::letters::WantedLetter;
use crate::players::sign_in::limits::Origin;
use crate::players::sign_in::{MOST_TRIES, Token, read_code};
use crate::tables::Credentials;

/// What somebody is told whose code does not confirm that it is them.
pub const WRONG_CODE: &str = "That code does not fit: it is not the one in the letter, has been used, or is too old.";

impl Players {
    /// The address that a confirmation goes to; `None` if none is needed.
    pub async fn address_to_confirm(&self, credentials: &Credentials) -> Result<Option<String>> {
        let (player, digest) = (credentials.player, &credentials.token_digest);
        Ok(retry_transient(|| self.store().address_to_confirm(player, digest)).await?)
    }

    /// Refuses somebody who has to confirm first that it is them.
    pub(in crate::players) async fn check_confirmed(&self, credentials: &Credentials) -> Result<()> {
        match self.address_to_confirm(credentials).await? {
            Some(_) => Err(AccountError::Unconfirmed),
            None => Ok(()),
        }
    }

    /// Writes a letter that asks for a confirmation, and gives the secret with which its code counts; `None` if none is needed.
    pub async fn ask_to_confirm(&self, credentials: &Credentials, origin: &Origin) -> Result<Option<Token>> {
        let Some(address) = self.address_to_confirm(credentials).await? else { return Ok(None) };
        let email = EmailAddress::parse(&address).map_err(AccountError::refused)?;
        let wanted = WantedLetter {
            purpose: Purpose::Identity,
            email: &email,
            asked_by: Some(credentials.player),
            bearer_digest: Some(credentials.token_digest),
            earlier_ask: None,
        };
        self.write_letter(wanted, origin).await.map(Some)
    }

    /// Confirms that it is them with a code, typed with the secret of the letter.
    pub async fn confirm_with_code(
        &self,
        credentials: &Credentials,
        ask: Option<Token>,
        typed: &str,
        origin: &Origin,
    ) -> Result<()> {
        self.admit_code(origin).await?;
        let Some((ask, code)) = ask.zip(read_code(typed)) else { return Err(AccountError::refused(WRONG_CODE)) };
        let proof =
            Proof::Code { ask_digest: ask.digest(), code_digest: ask.code_digest(&code), most_tries: MOST_TRIES };
        match self.store().confirm_with_code(&proof, &credentials.token_digest).await? {
            true => Ok(()),
            false => Err(AccountError::refused(WRONG_CODE)),
        }
    }
}
