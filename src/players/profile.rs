//! A player's own account: name, settings, everything we keep of them, and leaving.

use crate::db::host::about_player::DeedAboutPlayer;
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
        retry_transient(|| self.store().profile(player)).await?.ok_or(AccountError::NoAccount)
    }

    /// Whether there is an address that letters go to; guests have none.
    pub async fn has_address(&self, player: PlayerId) -> Result<bool> {
        Ok(self.profile(player).await?.email.is_some())
    }

    pub async fn rename(&self, player: PlayerId, typed: &str) -> Result<()> {
        let name = PlayerName::parse(typed).map_err(AccountError::refused)?;
        if !self.store().rename(player, name.as_str(), &name.key()).await? {
            return Err(AccountError::refused(NAME_TAKEN));
        }
        self.forget_player(player);
        Ok(())
    }

    pub async fn settings(&self, player: PlayerId) -> Result<PlayerSettings> {
        let settings = retry_transient(|| self.store().settings(player)).await?;
        Ok(PlayerSettings::read(settings.as_deref().unwrap_or("{}")))
    }

    /// Makes the moves of a game with one click from now on.
    pub async fn never_ask(&self, player: PlayerId, game: &str) -> Result<()> {
        let mut settings = self.settings(player).await?;
        if !settings.never_ask.iter().any(|slug| slug == game) {
            settings.never_ask.push(game.to_owned());
            self.keep_settings(player, settings).await?;
        }
        Ok(())
    }

    /// Remembers lessons that a player has finished, as “game/lesson”.
    pub async fn finish_lessons(&self, player: PlayerId, lessons: impl IntoIterator<Item = String>) -> Result<()> {
        let mut settings = self.settings(player).await?;
        let before = settings.lessons_done.len();
        for lesson in lessons {
            if !settings.lessons_done.contains(&lesson) {
                settings.lessons_done.push(lesson);
            }
        }
        if settings.lessons_done.len() > before {
            self.keep_settings(player, settings).await?;
        }
        Ok(())
    }

    /// Shows a player the first steps of a game no more.
    pub async fn read_first_steps(&self, player: PlayerId, game: &str) -> Result<()> {
        let mut settings = self.settings(player).await?;
        if !settings.first_steps_read.iter().any(|slug| slug == game) {
            settings.first_steps_read.push(game.to_owned());
            self.keep_settings(player, settings).await?;
        }
        Ok(())
    }

    pub async fn keep_settings(&self, player: PlayerId, settings: PlayerSettings) -> Result<()> {
        self.store().keep_settings(player, &settings.write()).await?;
        self.forget_player(player);
        Ok(())
    }

    /// Whether letters to a player came back, so that none are sent.
    pub async fn mail_is_off(&self, player: PlayerId) -> Result<bool> {
        Ok(retry_transient(|| self.store().mail_is_off(player)).await?)
    }

    /// Whether a player's mail program says that they are away, so that days off are offered to them.
    pub async fn seems_away(&self, player: PlayerId) -> Result<bool> {
        Ok(retry_transient(|| self.store().absence_of(player)).await?.is_some())
    }

    /// What the host did that concerns a player, the latest first.
    pub async fn deeds_of_host(&self, player: PlayerId, most: i64) -> Result<Vec<DeedAboutPlayer>> {
        Ok(retry_transient(|| self.store().deeds_about(player, most)).await?)
    }

    /// Everything we keep of a player, for themselves.
    pub async fn export(&self, player: PlayerId) -> Result<Everything> {
        retry_transient(|| self.store().everything_about(player)).await?.ok_or(AccountError::NoAccount)
    }

    /// Deletes an account for good, once its player has confirmed that it is them.
    pub async fn leave(&self, credentials: &Credentials) -> Result<()> {
        self.check_confirmed(credentials).await?;
        self.tables.leave_the_house(credentials).await?;
        self.forget_player(credentials.player);
        Ok(())
    }
}
