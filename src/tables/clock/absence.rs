//! Waking hours and days off. A player declares them once; each table where it matters is told by an event.

use chrono::{DateTime, Datelike, Days, NaiveDate, Utc};
use uuid::Uuid;

use crate::db::retry_transient;
use crate::db::tables::absences::DaysOff;
use crate::db::tables::append::Appended;
use crate::local_time::{Stretch, TimeOfDay, WakingHours, Zone};
use crate::tables::play::append::Advance;
use crate::tables::state::record::{Chain, TableFact};
use crate::tables::state::table_state::{TableState, Unfoldable};
use crate::tables::talk::messages::refused;
use crate::tables::{MoveError, PlayerId, ReadError, TableId, Tables};
use wonderpost_rules::{Refusal, Seat};

/// How often a write is retried when somebody moves at the same time.
const MOST_TRIES: usize = 32;

/// How many days ahead days off can be announced.
const FURTHEST_AHEAD: u64 = 366;

/// What a table is told of somebody who sits down.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    pub hours: Option<WakingHours>,
    pub days_off: Vec<Stretch>,
}

impl Habits {
    /// Records what matters at this table.
    pub(crate) fn record(&self, folded: &mut TableState, chain: &mut Chain, seat: Seat) -> Result<(), Unfoldable> {
        if folded.opened.seats == 1 {
            return Ok(());
        }
        if folded.opened.pace.nights_off && self.hours.is_some() {
            folded.record(chain, folded.moves, Some(seat), &TableFact::Hours { seat, hours: self.hours })?;
        }
        for days in &self.days_off {
            let fact = TableFact::Away { seat, from: days.from, until: days.until };
            folded.record(chain, folded.moves, Some(seat), &fact)?;
        }
        Ok(())
    }
}

impl Tables {
    /// What tables are told of a player.
    pub(crate) async fn habits(&self, player: PlayerId) -> Result<Habits, ReadError> {
        let hours = self.waking_hours(player).await?;
        let days = retry_transient(|| self.store.days_off(player, self.now())).await?;
        Ok(Habits { hours, days_off: days.iter().map(|days| Stretch { from: days.from, until: days.until }).collect() })
    }

    /// The waking hours that a player has declared.
    pub async fn waking_hours(&self, player: PlayerId) -> Result<Option<WakingHours>, ReadError> {
        let json = retry_transient(|| self.store.waking_hours(player)).await?;
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()))
    }

    /// Where a player lives: one zone for waking hours, letters and days off.
    pub async fn zone_of(&self, player: PlayerId) -> Result<Zone, ReadError> {
        let name = retry_transient(|| self.store.zone_of(player)).await?;
        Ok(name.and_then(|name| name.parse().ok()).unwrap_or_default())
    }

    /// Keeps where a player lives. Waking hours are meant there from now on.
    pub async fn keep_zone(&self, player: PlayerId, zone: Zone) -> Result<(), MoveError> {
        retry_transient(|| self.store.keep_zone(player, zone.name())).await?;
        match self.waking_hours(player).await?.filter(|hours| hours.zone != zone) {
            Some(hours) => self.declare_hours(player, Some(WakingHours { zone, ..hours })).await,
            None => Ok(()),
        }
    }

    /// Declares waking hours, or that there are none; tables that leave the nights out count by them from now on.
    pub async fn declare_hours(&self, player: PlayerId, hours: Option<WakingHours>) -> Result<(), MoveError> {
        if hours.is_some_and(|hours| !hours.suffice()) {
            return Err(refused(format!("A day has at least {} waking hours.", WakingHours::FEWEST)));
        }
        let json = hours.map(|hours| serde_json::to_string(&hours).expect("hours are plain data"));
        self.store.keep_waking_hours(player, json.as_deref()).await?;
        if let Some(hours) = hours {
            self.store.keep_zone(player, hours.zone.name()).await?;
        }
        self.tell_tables(player, |now, seat| {
            let differs = now.opened.pace.nights_off && now.times.hours_of(seat) != hours;
            differs.then_some(TableFact::Hours { seat, hours })
        })
        .await
    }

    /// Announces days off, the first and the last included. At every table of the player the clock stands meanwhile.
    pub async fn announce_days_off(
        &self,
        player: PlayerId,
        first: NaiveDate,
        last: NaiveDate,
        days_a_year: u32,
    ) -> Result<(), MoveError> {
        let now = self.now();
        let zone = self.zone_of(player).await?;
        let today = zone.day(now);
        if last < first {
            return Err(refused("The last day comes before the first. Swap them?"));
        }
        if first < today {
            return Err(refused("Days off begin today or later."));
        }
        if today.checked_add_days(Days::new(FURTHEST_AHEAD)).is_none_or(|furthest| last > furthest) {
            return Err(refused("Days off can be announced a year ahead."));
        }
        let (from, until) = moments(zone, first, last);
        let days = DaysOff { id: Uuid::now_v7(), first, last, from: from.max(now), until };
        let added = self.store.add_days_off(player, &days, |taken| may_take(taken, first, last, days_a_year)).await?;
        added.map_err(|refusal| MoveError::Refused { line: None, refusal })?;
        self.tell_tables(player, |now, seat| {
            let new = !now.times.knows_of(seat, days.from);
            new.then_some(TableFact::Away { seat, from: days.from, until: days.until })
        })
        .await
    }

    /// How many of so many days off a year a player has left this year.
    pub async fn days_off_left(&self, player: PlayerId, days_a_year: u32) -> Result<u32, ReadError> {
        let year = self.zone_of(player).await?.day(self.now()).year();
        let taken = retry_transient(|| self.store.days_off(player, DateTime::UNIX_EPOCH)).await?;
        let taken: u32 = taken.iter().map(|days| days_in(year, days.first, days.last)).sum();
        Ok(days_a_year.saturating_sub(taken))
    }

    /// Ends days off, or takes them back if they have not begun. Those that were not needed are not counted.
    pub async fn end_days_off(&self, player: PlayerId, id: Uuid) -> Result<(), MoveError> {
        let zone = self.zone_of(player).await?;
        let Some(from) = self.store.end_days_off(player, id, zone.day(self.now())).await? else { return Ok(()) };
        self.tell_tables(player, |now, seat| now.times.knows_of(seat, from).then_some(TableFact::Back { seat, from }))
            .await
    }

    /// Tells every table of a player that is open or running. One that is missed because the house stops in between learns of days off
    /// before time runs out there.
    pub(crate) async fn tell_tables(
        &self,
        player: PlayerId,
        fact: impl Fn(&TableState, Seat) -> Option<TableFact>,
    ) -> Result<(), MoveError> {
        for table in retry_transient(|| self.store.tables_with_clocks(player)).await? {
            self.tell_table(table, player, &fact).await?;
        }
        Ok(())
    }

    async fn tell_table(
        &self,
        id: TableId,
        player: PlayerId,
        fact: impl Fn(&TableState, Seat) -> Option<TableFact>,
    ) -> Result<(), MoveError> {
        for _ in 0..MOST_TRIES {
            let cached = self.load_fresh(id).await?;
            let seat = cached.seat_of(Some(player)).filter(|seat| !cached.now.resigned.contains(*seat));
            let Some((seat, fact)) = seat.and_then(|seat| Some((seat, fact(&cached.now, seat)?))) else {
                return Ok(());
            };
            let mut now = cached.now.clone();
            let mut chain = now.chain(id, self.now());
            now.record(&mut chain, now.moves, Some(seat), &fact).map_err(ReadError::from)?;
            if self.advance(&cached, Advance::by_the_house(now, chain)).await? == Appended::Stored {
                return Ok(());
            }
        }
        Err(MoveError::Busy)
    }
}

/// From the first moment of the first day to the last of the last.
fn moments(zone: Zone, first: NaiveDate, last: NaiveDate) -> (DateTime<Utc>, DateTime<Utc>) {
    let after = last.succ_opt().unwrap_or(last);
    (zone.on(first, TimeOfDay::MIDNIGHT), zone.on(after, TimeOfDay::MIDNIGHT))
}

/// How many of these days lie in a year.
fn days_in(year: i32, first: NaiveDate, last: NaiveDate) -> u32 {
    first.iter_days().take_while(|day| *day <= last).filter(|day| day.year() == year).count() as u32
}

/// Whether there are days left for these in each of their years, and none of them is taken already.
fn may_take(taken: &[DaysOff], first: NaiveDate, last: NaiveDate, days_a_year: u32) -> Result<(), Refusal> {
    if taken.iter().any(|days| days.first <= last && first <= days.last) {
        return Err(Refusal::new("Some of these days are off already."));
    }
    for year in first.year()..=last.year() {
        let before: u32 = taken.iter().map(|days| days_in(year, days.first, days.last)).sum();
        if before + days_in(year, first, last) > days_a_year {
            let left = days_a_year.saturating_sub(before);
            return Err(Refusal::new(format!("You have {left} of {days_a_year} days off left in {year}.")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn off(first: &str, last: &str) -> DaysOff {
        let (from, until) = moments(Zone::default(), day(first), day(last));
        DaysOff { id: Uuid::nil(), first: day(first), last: day(last), from, until }
    }

    #[test]
    fn every_year_has_its_own_days() {
        let may = |taken: &[DaysOff], first: &str, last: &str| may_take(taken, day(first), day(last), 21);
        assert!(may(&[], "2027-07-01", "2027-07-21").is_ok());
        assert_eq!(
            may(&[], "2027-07-01", "2027-07-22").unwrap_err().to_string(),
            "You have 21 of 21 days off left in 2027."
        );
        let taken = [off("2027-07-01", "2027-07-14")];
        assert!(may(&taken, "2027-08-01", "2027-08-07").is_ok());
        assert!(may(&taken, "2027-08-01", "2027-08-08").is_err());
        // Over new year: seven days here, twenty there.
        assert!(may(&taken, "2027-12-25", "2028-01-20").is_ok());
        assert!(may(&taken, "2027-12-24", "2028-01-20").is_err());
        assert!(may(&taken, "2027-07-14", "2027-07-15").is_err(), "taken already");
    }

    #[test]
    fn days_off_last_from_midnight_to_midnight_where_the_player_is() {
        let berlin: Zone = "Europe/Berlin".parse().unwrap();
        let (from, until) = moments(berlin, day("2027-03-27"), day("2027-03-28"));
        assert_eq!(from.to_rfc3339(), "2027-03-26T23:00:00+00:00");
        assert_eq!(until.to_rfc3339(), "2027-03-28T22:00:00+00:00");
    }
}
