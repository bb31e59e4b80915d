//! Times of day where a player lives. Clocks are put forward and back there: a time of day may not exist on a day, or exist twice.

mod weekly;

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, LocalResult, NaiveDate, NaiveTime, TimeDelta, TimeZone, Timelike, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

pub use weekly::{QuietHours, Until, Weekdays, next};

/// A time zone by its name in the IANA's list, such as Europe/Berlin.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Zone(Tz);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no time zone that we know. They are called like Europe/Berlin.")]
pub struct NoZone(String);

/// The names of zones that can be chosen, each with its older names.
fn list() -> impl Iterator<Item = (&'static str, std::str::SplitWhitespace<'static>)> {
    include_str!("zones.txt").lines().filter_map(|line| {
        let mut names = line.split_whitespace();
        Some((names.next()?, names))
    })
}

impl Default for Zone {
    fn default() -> Zone {
        Zone(Tz::UTC)
    }
}

impl FromStr for Zone {
    type Err = NoZone;

    fn from_str(name: &str) -> Result<Zone, NoZone> {
        name.trim().parse().map(Zone).map_err(|_| NoZone(name.to_owned()))
    }
}

impl TryFrom<String> for Zone {
    type Error = NoZone;

    fn try_from(name: String) -> Result<Zone, NoZone> {
        name.parse()
    }
}

impl From<Zone> for String {
    fn from(zone: Zone) -> String {
        zone.name().to_owned()
    }
}

impl Zone {
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Those that can be chosen, by name: one for each city of the IANA's table, and UTC.
    pub fn all() -> impl Iterator<Item = &'static str> {
        list().map(|(name, _)| name).chain([Zone::default().name()])
    }

    /// The zone under the name that it has in the list: some are also known by older names, and browsers say those.
    pub fn in_list(self) -> Zone {
        let listed =
            list().find(|(name, older)| *name == self.name() || older.clone().any(|older| older == self.name()));
        listed.and_then(|(name, _)| name.parse().ok()).unwrap_or(self)
    }

    /// The part of the world that a name in the list begins with, and the city: “Indianapolis, Indiana”.
    pub fn area_and_city(name: &'static str) -> (&'static str, String) {
        let (area, place) = name.split_once('/').unwrap_or(("Elsewhere", name));
        let city = match place.split_once('/') {
            Some((region, city)) => format!("{city}, {region}"),
            None => place.to_owned(),
        };
        (area, city.replace('_', " "))
    }

    /// “Berlin time”.
    pub fn words(self) -> String {
        let name = self.name();
        match name.rsplit_once('/') {
            Some((area, place)) if area != "Etc" => format!("{} time", place.replace('_', " ")),
            _ => name.trim_start_matches("Etc/").to_owned(),
        }
    }

    /// A moment in words: “Thursday 19 November, 18:30 (Berlin time)”.
    pub fn moment(self, at: DateTime<Utc>) -> String {
        format!("{} ({})", at.with_timezone(&self.0).format("%A %-d %B, %H:%M"), self.words())
    }

    /// The day that it is there.
    pub fn day(self, at: DateTime<Utc>) -> NaiveDate {
        at.with_timezone(&self.0).date_naive()
    }

    /// The moment at which a day has this time: the first if it comes twice, the first after it if clocks skip it.
    pub fn on(self, day: NaiveDate, time: TimeOfDay) -> DateTime<Utc> {
        let mut local = day.and_time(time.into());
        // No clock was ever put forward by more than a day.
        for _ in 0..=MINUTES_A_DAY {
            match self.0.from_local_datetime(&local) {
                LocalResult::Single(at) | LocalResult::Ambiguous(at, _) => return at.with_timezone(&Utc),
                LocalResult::None => local += TimeDelta::minutes(1),
            }
        }
        Utc.from_utc_datetime(&local)
    }
}

const MINUTES_A_DAY: u16 = 24 * 60;

/// A time of day, to the minute.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeOfDay(u16);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no time of day. Write it like 18:30.")]
pub struct NoTimeOfDay(String);

impl TimeOfDay {
    pub const MIDNIGHT: TimeOfDay = TimeOfDay(0);

    pub const fn new(hour: u16, minute: u16) -> TimeOfDay {
        TimeOfDay((hour * 60 + minute) % MINUTES_A_DAY)
    }
}

impl FromStr for TimeOfDay {
    type Err = NoTimeOfDay;

    fn from_str(text: &str) -> Result<TimeOfDay, NoTimeOfDay> {
        // Browsers may add seconds.
        let text = text.trim();
        let time = NaiveTime::parse_from_str(text, "%H:%M").or_else(|_| NaiveTime::parse_from_str(text, "%H:%M:%S"));
        let time = time.map_err(|_| NoTimeOfDay(text.to_owned()))?;
        Ok(TimeOfDay((time.hour() * 60 + time.minute()) as u16))
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl TryFrom<String> for TimeOfDay {
    type Error = NoTimeOfDay;

    fn try_from(text: String) -> Result<TimeOfDay, NoTimeOfDay> {
        text.parse()
    }
}

impl From<TimeOfDay> for String {
    fn from(time: TimeOfDay) -> String {
        time.to_string()
    }
}

impl From<TimeOfDay> for NaiveTime {
    fn from(time: TimeOfDay) -> NaiveTime {
        NaiveTime::MIN + TimeDelta::minutes(time.0.into())
    }
}

/// The hours of every day in which a player is awake, over midnight if they end before they begin.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WakingHours {
    pub zone: Zone,
    pub from: TimeOfDay,
    pub until: TimeOfDay,
}

impl WakingHours {
    /// The fewest waking hours of a day: nobody sleeps for ever.
    pub const FEWEST: u16 = 8;

    /// Whether there are enough of them.
    pub fn suffice(self) -> bool {
        let minutes = (self.until.0 + MINUTES_A_DAY - self.from.0) % MINUTES_A_DAY;
        minutes == 0 || minutes >= WakingHours::FEWEST * 60
    }

    /// Those that begin on this day.
    pub fn of_day(self, day: NaiveDate) -> (DateTime<Utc>, DateTime<Utc>) {
        let last = if self.until > self.from { day } else { day.succ_opt().unwrap_or(day) };
        (self.zone.on(day, self.from), self.zone.on(last, self.until))
    }
}

/// The time between two moments.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_zone_of_the_list_is_one_and_no_older_name_is_offered() {
        for name in Zone::all() {
            assert_eq!(name.parse::<Zone>().expect(name).name(), name);
        }
        for older in ["US/Pacific", "Asia/Calcutta", "Europe/Kiev", "GMT", "Cuba"] {
            assert!(!Zone::all().any(|name| name == older), "{older}");
        }
        let listed = |name: &str| name.parse::<Zone>().unwrap().in_list().name();
        assert_eq!(listed("Asia/Calcutta"), "Asia/Kolkata");
        assert_eq!(listed("Europe/Berlin"), "Europe/Berlin");
        assert_eq!(Zone::area_and_city("America/Indiana/Tell_City"), ("America", "Tell City, Indiana".to_owned()));
    }
}
