//! When letters come: what a player wants in general, and otherwise at one table.

use crate::db::retry_transient;
use crate::mail::preferences::{MailPreferences, TableMailPreferences};
use crate::players::service::{AccountError, Players, Result};
use crate::tables::{CachedTable, PlayerId};

impl Players {
    pub async fn mail_preferences(&self, player: PlayerId) -> Result<MailPreferences> {
        let preferences = retry_transient(|| self.store().letter_wishes(player)).await?;
        Ok(MailPreferences::read(&preferences.ok_or(AccountError::NoAccount)?))
    }

    pub async fn keep_mail_preferences(&self, player: PlayerId, preferences: &MailPreferences) -> Result<()> {
        preferences.check().map_err(AccountError::Refused)?;
        let (zone, preferences) = (preferences.zone, preferences.write());
        let lives_in = self.zone(player).await?;
        retry_transient(|| self.store().keep_letter_wishes(player, &preferences)).await?;
        // Letters, waking hours and days off go by one clock.
        if zone == lives_in { Ok(()) } else { self.keep_zone(player, zone).await }
    }

    /// What a player wants otherwise at a table at which they sit.
    pub async fn mail_preferences_at(&self, player: PlayerId, table: &CachedTable) -> Result<TableMailPreferences> {
        table.seat_of(Some(player)).ok_or(AccountError::NotSeated)?;
        let preferences = retry_transient(|| self.store().table_wishes(table.id, player)).await?;
        Ok(preferences.as_deref().map(TableMailPreferences::read).unwrap_or_default())
    }

    /// Keeps what a player wants otherwise at a table, if it can be had.
    pub async fn keep_mail_preferences_at(
        &self,
        player: PlayerId,
        table: &CachedTable,
        preferences: &TableMailPreferences,
    ) -> Result<()> {
        table.seat_of(Some(player)).ok_or(AccountError::NotSeated)?;
        self.mail_preferences(player).await?.at(preferences).check().map_err(AccountError::Refused)?;
        let preferences = preferences.write();
        let is_kept = retry_transient(|| self.store().keep_table_wishes(table.id, player, &preferences)).await?;
        if is_kept { Ok(()) } else { Err(AccountError::NotSeated) }
    }
}
