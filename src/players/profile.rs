//! A player's own account: name, settings, everything we keep of them, and leaving.

use crate::db::players::accounts::ProfileRow;
use crate::db::players::export::Everything;
use crate::db::retry_transient;
use crate::players::service::{AccountError, Players, Result};
use crate::players::{PlayerName, PlayerSettings};
use crate::tables::{Credentials, PlayerId};

/// What somebody is told whose name of choice is taken.
pub const NAME_TAKEN: &str = "Somebody else is called that, or nearly that.";

impl Players {
    pub async fn profile(&self, player: PlayerId) -> Result<ProfileRow> {
        retry_transient(|| self.store().profile(player.0)).await?.ok_or(AccountError::NoAccount)
    }

    /// Whether there is an address that letters go to; guests have none.
    pub async fn has_address(&self, player: PlayerId) -> Result<bool> {
        Ok(self.profile(player).await?.email.is_some())
    }

    pub async fn rename(&self, player: PlayerId, typed: &str) -> Result<()> {
        let name = PlayerName::parse(typed).map_err(AccountError::refused)?;
        if !self.store().rename(player.0, name.as_str(), &name.key()).await? {
            return Err(AccountError::refused(NAME_TAKEN));
        }
        self.forget_player(player);
        Ok(())
    }

    pub async fn settings(&self, player: PlayerId) -> Result<PlayerSettings> {
        let settings = retry_transient(|| self.store().settings(player.0)).await?;
        Ok(PlayerSettings::read(settings.as_deref().unwrap_or("{}")))
    }

    pub async fn keep_settings(&self, player: PlayerId, settings: PlayerSettings) -> Result<()> {
        self.store().keep_settings(player.0, &settings.write()).await?;
        self.forget_player(player);
        Ok(())
    }

    /// Everything we keep of a player, for themselves.
    pub async fn export(&self, player: PlayerId) -> Result<Everything> {
        retry_transient(|| self.store().everything_about(player.0)).await?.ok_or(AccountError::NoAccount)
    }

    /// Deletes an account for good, once its player has confirmed that it is them.
    pub async fn leave(&self, credentials: &Credentials) -> Result<()> {
        self.check_confirmed(credentials).await?;
        self.tables.leave_the_house(credentials).await?;
        self.forget_player(credentials.player);
        Ok(())
    }
}
