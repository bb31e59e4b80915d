//! When a player is not there: waking hours and days off. Their tables are told.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::db::retry_transient;
use crate::db::tables::absences::DaysOff;
use crate::local_time::{WakingHours, Zone};
use crate::players::service::{Players, Result};
use crate::tables::PlayerId;

impl Players {
    /// Where a player lives, as far as they have said.
    pub async fn zone(&self, player: PlayerId) -> Result<Zone> {
        Ok(self.tables.zone_of(player).await?)
    }

    pub async fn waking_hours(&self, player: PlayerId) -> Result<Option<WakingHours>> {
        Ok(self.tables.waking_hours(player).await?)
    }

    /// Declares waking hours, or that there are none.
    pub async fn declare_hours(&self, player: PlayerId, hours: Option<WakingHours>) -> Result<()> {
        Ok(self.tables.declare_hours(player, hours).await?)
    }

    /// The days off of a player that are not over.
    pub async fn days_off(&self, player: PlayerId) -> Result<Vec<DaysOff>> {
        let now = self.tables.now();
        Ok(retry_transient(|| self.store().days_off(player.0, now)).await?)
    }

    /// How many days off a player has left this year.
    pub async fn days_off_left(&self, player: PlayerId) -> Result<u32> {
        Ok(self.tables.days_off_left(player, self.days_off_a_year).await?)
    }

    /// Announces days off, the first and the last included.
    pub async fn announce_days_off(&self, player: PlayerId, first: NaiveDate, last: NaiveDate) -> Result<()> {
        Ok(self.tables.announce_days_off(player, first, last, self.days_off_a_year).await?)
    }

    /// Ends days off, or takes them back if they have not begun.
    pub async fn end_days_off(&self, player: PlayerId, id: Uuid) -> Result<()> {
        Ok(self.tables.end_days_off(player, id).await?)
    }
}
