//! Tokens for a player's programs.

use std::time::{Duration, Instant};

use uuid::Uuid;

use crate::db::players::accounts::TokenRow;
use crate::db::retry_transient;
use crate::players::Suspension;
use crate::players::service::{AccountError, Players, Result};
use crate::players::sign_in::Token;
use crate::tables::{Credentials, PlayerId};

/// How many tokens a player may have.
const MOST_TOKENS: i64 = 20;

/// How many characters the title of a token may have.
const LONGEST_TITLE: usize = 60;

/// How long it is remembered whose token it is. The database notes from time to time that a token is used.
const TRUSTED: Duration = Duration::from_secs(60);

/// What tokens begin with, so that they are known for what they are if one gets lost.
const TOKEN_PREFIX: &str = "wonderpost-";

/// The digest of a token as programs send it.
pub fn digest_of_api_token(text: &str) -> Option<[u8; 32]> {
    Token::parse(text.strip_prefix(TOKEN_PREFIX)?).map(|token| token.digest())
}

impl Players {
    /// Whose token had this digest when that was last asked, not long ago. For what the database checks once more.
    pub fn cached_holder_of_token(&self, token_digest: &[u8; 32]) -> Option<Credentials> {
        let (player, asked) = self.tokens.get(token_digest)?;
        (asked.elapsed() < TRUSTED).then_some(Credentials { player, token_digest: *token_digest })
    }

    /// Whose token has this digest, and whether they are suspended.
    pub async fn holder_of_token(&self, token_digest: [u8; 32]) -> Result<Option<(Credentials, Option<Suspension>)>> {
        let holder = retry_transient(|| self.store().player_of_api_token(&token_digest)).await?;
        match &holder {
            Some(holder) if holder.suspension.is_none() => {
                self.tokens.insert(token_digest, (holder.player, Instant::now()));
            }
            _ => {
                self.tokens.remove(&token_digest);
            }
        }
        Ok(holder.map(|holder| (Credentials { player: holder.player, token_digest }, holder.suspension)))
    }

    pub async fn tokens(&self, player: PlayerId) -> Result<Vec<TokenRow>> {
        Ok(retry_transient(|| self.store().api_tokens(player)).await?)
    }

    /// Makes a token, once its player has confirmed that it is them. It is shown this once.
    pub async fn make_token(&self, credentials: &Credentials, title: &str) -> Result<String> {
        self.check_confirmed(credentials).await?;
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        if title.is_empty() || title.chars().count() > LONGEST_TITLE || title.chars().any(char::is_control) {
            return Err(AccountError::Refused(format!(
                "A token needs a title of at most {LONGEST_TITLE} characters, so that you know later what it was for."
            )));
        }
        let token = Token::fresh();
        let (id, digest, player) = (Uuid::now_v7(), token.digest(), credentials.player);
        if !self.store().add_api_token(id, &digest, player, &title, MOST_TOKENS).await? {
            return Err(AccountError::Refused(format!(
                "You have {MOST_TOKENS} tokens already. Revoke one that you do not need."
            )));
        }
        Ok(format!("{TOKEN_PREFIX}{}", token.reveal()))
    }

    pub async fn revoke_token(&self, player: PlayerId, id: Uuid) -> Result<()> {
        self.store().revoke_api_token(player, id).await?;
        self.forget_player(player);
        Ok(())
    }
}
