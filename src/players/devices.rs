//! Devices on which a player wants notices.

use uuid::Uuid;

use crate::db::devices::{DeviceRow, NewDevice};
use crate::db::retry_transient;
use crate::players::service::{AccountError, Players, Result};
use crate::push::MOST_DEVICES;
use crate::push::encryption::BrowserKeys;
use crate::push::endpoint::Endpoint;
use crate::push::title::device_title;
use crate::push::vapid::VapidError;
use crate::tables::{Credentials, PlayerId};

/// What a browser tells when its player turns notices on.
pub struct Subscription<'a> {
    pub endpoint: &'a str,
    pub public_key: &'a str,
    pub secret: &'a str,
    /// What the browser says of itself.
    pub user_agent: &'a str,
}

impl Players {
    /// The key with which browsers know notices of this house.
    pub async fn push_key(&self) -> std::result::Result<&str, VapidError> {
        Ok(&self.vapid_keys.key(self.store()).await?.public)
    }

    /// Turns notices on for the browser of this session.
    pub async fn add_device(&self, credentials: &Credentials, told: &Subscription<'_>) -> Result<()> {
        let endpoint = Endpoint::parse(told.endpoint, self.push_reach);
        let keys = BrowserKeys::parse(told.public_key, told.secret);
        let (Some(endpoint), Some(keys)) = (endpoint, keys) else {
            return Err(AccountError::refused("This browser did not say where its notices go. Nothing has changed."));
        };
        let new = NewDevice {
            player: credentials.player,
            session: &credentials.token_digest,
            title: &device_title(told.user_agent),
            endpoint: endpoint.as_str(),
            keys: &keys,
        };
        if !retry_transient(|| self.store().add_device(&new, MOST_DEVICES)).await? {
            return Err(AccountError::Refused(format!(
                "You have notices on {MOST_DEVICES} devices already. Turn them off on one of those first."
            )));
        }
        Ok(())
    }

    pub async fn devices(&self, player: PlayerId) -> Result<Vec<DeviceRow>> {
        Ok(retry_transient(|| self.store().devices(player)).await?)
    }

    pub async fn remove_device(&self, player: PlayerId, id: Uuid) -> Result<()> {
        Ok(retry_transient(|| self.store().remove_device(player, id)).await?)
    }
}
