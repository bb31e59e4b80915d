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

    /// Where a player lives, if they or their browser have ever said so.
    pub async fn known_zone(&self, player: PlayerId) -> Result<Option<Zone>> {
        let name = retry_transient(|| self.store().zone_of(player)).await?;
        Ok(name.and_then(|name| name.parse().ok()))
    }

    /// Keeps where a player lives, for waking hours, letters and days off alike.
    pub async fn keep_zone(&self, player: PlayerId, zone: Zone) -> Result<()> {
        Ok(self.tables.keep_zone(player, zone).await?)
    }

    /// Keeps where a player lives as their browser says, if they have not said so themselves. A browser that says nothing sensible is not
    /// worth an error.
    pub async fn preset_zone(&self, player: PlayerId, said: Option<&str>) {
        let Some(zone) = said.and_then(|zone| zone.parse::<Zone>().ok()) else { return };
        if let Err(error) = self.store().preset_zone(player, zone.in_list().name()).await {
            tracing::warn!(%error, "the time zone that a browser said could not be kept");
        }
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
        Ok(retry_transient(|| self.store().days_off(player, now)).await?)
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
