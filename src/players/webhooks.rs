//! Webhooks of a player: where else they are told what letters tell.

use rand::TryRng;
use rand::rngs::SysRng;
use uuid::Uuid;

use crate::db::players::rate_limits::RateLimit;
use crate::db::retry_transient;
use crate::db::webhooks::{NewWebhook, WebhookRow};
use crate::players::service::{AccountError, Players, Result};
use crate::push::MOST_WEBHOOKS;
use crate::push::endpoint::{Endpoint, Reach};
use crate::push::webhook::{SECRET_BYTES, WebhookForm, reveal_secret};
use crate::tables::{CachedTable, PlayerId};

/// Each new address gets a message at once, so nobody may name a great many.
const WEBHOOKS_A_PLAYER: RateLimit = RateLimit::an_hour("webhooks of a player", 20);

const TOO_MANY: &str = "You have set up a great many webhooks within the hour. Try again later.";

impl Players {
    /// Adds a webhook for all tables of a player, or for one at which they sit, in place of the former one. Gives the secret with which
    /// messages are signed; it is shown this once.
    pub async fn add_webhook(
        &self,
        player: PlayerId,
        table: Option<&CachedTable>,
        form: WebhookForm,
        url: &str,
    ) -> Result<String> {
        if let Some(table) = table {
            table.seat_of(Some(player)).ok_or(AccountError::NotSeated)?;
        }
        let endpoint = Endpoint::parse(url.trim(), self.webhook_reach)
            .ok_or_else(|| AccountError::refused(bad_address(self.webhook_reach)))?;
        if !self.store().admits(&WEBHOOKS_A_PLAYER, &player.to_string()).await? {
            return Err(AccountError::TooOften(TOO_MANY));
        }
        let mut secret = [0; SECRET_BYTES];
        SysRng.try_fill_bytes(&mut secret).expect("the system gives random bytes");
        let new =
            NewWebhook { player, table: table.map(|table| table.id), form, url: endpoint.as_str(), secret: &secret };
        if !retry_transient(|| self.store().add_webhook(&new, MOST_WEBHOOKS)).await? {
            return Err(AccountError::Refused(format!(
                "You have {MOST_WEBHOOKS} webhooks already. Remove one that you do not need."
            )));
        }
        Ok(reveal_secret(&secret))
    }

    /// The webhooks of a player, the one for all tables first.
    pub async fn webhooks(&self, player: PlayerId) -> Result<Vec<WebhookRow>> {
        Ok(retry_transient(|| self.store().webhooks(player)).await?)
    }

    /// Removes a webhook of a player, with all that is on its way there. Whether there was one.
    pub async fn remove_webhook(&self, player: PlayerId, id: Uuid) -> Result<bool> {
        Ok(retry_transient(|| self.store().remove_webhook(player, id)).await?)
    }

    /// Tries again what was given up. Whether there is such a webhook.
    pub async fn try_webhook_again(&self, player: PlayerId, id: Uuid) -> Result<bool> {
        if !self.store().admits(&WEBHOOKS_A_PLAYER, &player.to_string()).await? {
            return Err(AccountError::TooOften(TOO_MANY));
        }
        Ok(retry_transient(|| self.store().try_webhook_again(player, id)).await?)
    }
}

fn bad_address(reach: Reach) -> &'static str {
    match reach {
        Reach::Internet => {
            "A webhook is an https address on the Internet, such as https://example.org/hook, without a port or a password."
        }
        Reach::Anywhere => {
            "A webhook is an http or https address, such as https://example.org/hook, without a password."
        }
    }
}
