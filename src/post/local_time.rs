//! Times of day where a player lives. Clocks are put forward and back there: a time of day may not exist on a day, or exist twice.

use std::fmt;
use std::str::FromStr;

use chrono::{
    DateTime, Datelike, Days, LocalResult, NaiveDate, NaiveTime, TimeDelta, TimeZone, Timelike, Utc, Weekday,
};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::clock::in_words;

/// A time zone by its name in the IANA's list, such as Europe/Berlin.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Zone(Tz);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no time zone that we know. They are called like Europe/Berlin.")]
pub struct NoZone(String);

impl Default for Zone {
    fn default() -> Zone {
        Zone(Tz::UTC)
    }
}

impl FromStr for Zone {
    type Err = NoZone;

    fn from_str(name: &str) -> Result<Zone, NoZone> {
        let wanted = name.trim();
        let zone = chrono_tz::TZ_VARIANTS.iter().find(|zone| zone.name().eq_ignore_ascii_case(wanted));
        zone.map(|zone| Zone(*zone)).ok_or_else(|| NoZone(wanted.to_owned()))
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

    /// All zones there are.
    pub fn all() -> impl Iterator<Item = &'static str> {
        chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name())
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

    /// The moment at which a day has this time: the first if it comes twice, the first after it if clocks skip it.
    fn on(self, day: NaiveDate, time: TimeOfDay) -> DateTime<Utc> {
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

    /// The first moment after this one with this time of day, on one of these days of the week.
    pub fn next(self, after: DateTime<Utc>, time: TimeOfDay, weekdays: Weekdays) -> Option<DateTime<Utc>> {
        let today = after.with_timezone(&self.0).date_naive();
        (0..=8)
            .filter_map(|days| today.checked_add_days(Days::new(days)))
            .filter(|day| weekdays.contains(day.weekday()))
            .map(|day| self.on(day, time))
            .find(|at| *at > after)
    }
}

/// When time runs out, as a reader in a zone is told.
#[derive(Debug, PartialEq, Eq)]
pub struct Until {
    pub local: String,
    /// “in 2 days”.
    pub left: String,
}

impl Until {
    pub fn new(zone: Zone, at: DateTime<Utc>, now: DateTime<Utc>) -> Until {
        Until { local: zone.moment(at), left: in_words(at - now) }
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

/// Days of the week.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u8>", into = "Vec<u8>")]
pub struct Weekdays(u8);

impl Weekdays {
    pub const EVERY: Weekdays = Weekdays(0b111_1111);
    const WORKING: Weekdays = Weekdays(0b001_1111);
    const WEEKEND: Weekdays = Weekdays(0b110_0000);

    /// Days by their numbers, Monday being 1. Others are left out.
    pub fn from_numbers(numbers: impl IntoIterator<Item = u8>) -> Weekdays {
        let bits = numbers.into_iter().filter(|number| (1..=7).contains(number)).map(|number| 1 << (number - 1));
        Weekdays(bits.fold(0, |days, day| days | day))
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn contains(self, day: Weekday) -> bool {
        self.0 & (1 << day.num_days_from_monday()) != 0
    }

    /// All days, with whether they are among these: for lists.
    pub fn list(self) -> impl Iterator<Item = (u32, &'static str, bool)> {
        let days = [Weekday::Mon, Weekday::Tue, Weekday::Wed, Weekday::Thu, Weekday::Fri, Weekday::Sat, Weekday::Sun];
        days.into_iter().map(move |day| (day.number_from_monday(), full_name(day), self.contains(day)))
    }

    /// “On weekdays”.
    pub fn words(self) -> String {
        match self {
            Weekdays::EVERY => "Every day".to_owned(),
            Weekdays::WORKING => "On weekdays".to_owned(),
            Weekdays::WEEKEND => "On Saturdays and Sundays".to_owned(),
            _ => {
                let days: Vec<String> =
                    self.list().filter(|(_, _, in_it)| *in_it).map(|(_, name, _)| format!("{name}s")).collect();
                format!("On {}", super::story::and(&days))
            }
        }
    }
}

impl From<Vec<u8>> for Weekdays {
    fn from(numbers: Vec<u8>) -> Weekdays {
        Weekdays::from_numbers(numbers)
    }
}

impl From<Weekdays> for Vec<u8> {
    fn from(days: Weekdays) -> Vec<u8> {
        (1..=7).filter(|number| days.0 & (1 << (number - 1)) != 0).collect()
    }
}

fn full_name(day: Weekday) -> &'static str {
    match day {
        Weekday::Mon => "Monday",
        Weekday::Tue => "Tuesday",
        Weekday::Wed => "Wednesday",
        Weekday::Thu => "Thursday",
        Weekday::Fri => "Friday",
        Weekday::Sat => "Saturday",
        Weekday::Sun => "Sunday",
    }
}

/// A stretch of every day, over midnight if it ends before it begins.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietHours {
    pub from: TimeOfDay,
    pub until: TimeOfDay,
}

impl QuietHours {
    /// When the quiet hours end in which this moment lies; `None` if it lies in none.
    pub fn end(self, zone: Zone, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let today = at.with_timezone(&zone.0).date_naive();
        let begins = [today.pred_opt(), Some(today)].into_iter().flatten();
        begins
            .filter_map(|day| {
                let last = if self.until > self.from { day } else { day.succ_opt()? };
                Some((zone.on(day, self.from), zone.on(last, self.until)))
            })
            .find(|(begin, end)| *begin <= at && at < *end)
            .map(|(_, end)| end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn berlin() -> Zone {
        "Europe/Berlin".parse().unwrap()
    }

    fn utc(text: &str) -> DateTime<Utc> {
        DateTime::parse_from_rfc3339(text).unwrap().with_timezone(&Utc)
    }

    fn time(text: &str) -> TimeOfDay {
        text.parse().unwrap()
    }

    #[test]
    fn a_time_of_day_moves_with_the_clocks() {
        let next = |after: &str| berlin().next(utc(after), time("18:30"), Weekdays::EVERY).unwrap();
        assert_eq!(next("2027-03-27T00:00:00Z"), utc("2027-03-27T17:30:00Z"));
        assert_eq!(next("2027-03-27T17:30:00Z"), utc("2027-03-28T16:30:00Z"));
        assert_eq!(next("2027-10-30T16:30:00Z"), utc("2027-10-31T17:30:00Z"));
    }

    #[test]
    fn a_time_that_clocks_skip_is_the_first_after_it() {
        // On 28 March 2027 Berlin goes from 02:00 to 03:00.
        let next = berlin().next(utc("2027-03-27T12:00:00Z"), time("02:30"), Weekdays::EVERY).unwrap();
        assert_eq!(next, utc("2027-03-28T01:00:00Z"));
        assert_eq!(berlin().next(next, time("02:30"), Weekdays::EVERY).unwrap(), utc("2027-03-29T00:30:00Z"));
    }

    #[test]
    fn a_time_that_comes_twice_counts_once() {
        // On 31 October 2027 Berlin has 02:30 twice.
        let next = berlin().next(utc("2027-10-30T12:00:00Z"), time("02:30"), Weekdays::EVERY).unwrap();
        assert_eq!(next, utc("2027-10-31T00:30:00Z"));
        assert_eq!(berlin().next(next, time("02:30"), Weekdays::EVERY).unwrap(), utc("2027-11-01T01:30:00Z"));
    }

    #[test]
    fn only_the_chosen_days_count() {
        let monday = Weekdays::from_numbers([1]);
        let next = berlin().next(utc("2026-11-16T17:30:00Z"), time("18:30"), monday).unwrap();
        assert_eq!(next, utc("2026-11-23T17:30:00Z"));
        assert_eq!(berlin().next(utc("2026-11-16T17:30:00Z"), time("18:30"), Weekdays::from_numbers([])), None);
    }

    #[test]
    fn quiet_hours_go_over_midnight() {
        let quiet = QuietHours { from: time("22:00"), until: time("07:00") };
        let end = |at: &str| quiet.end(berlin(), utc(at));
        assert_eq!(end("2026-11-16T20:59:59Z"), None);
        assert_eq!(end("2026-11-16T21:00:00Z"), Some(utc("2026-11-17T06:00:00Z")));
        assert_eq!(end("2026-11-17T05:59:59Z"), Some(utc("2026-11-17T06:00:00Z")));
        assert_eq!(end("2026-11-17T06:00:00Z"), None);
        // The night in which the clocks go forward is an hour shorter.
        assert_eq!(end("2027-03-27T21:00:00Z"), Some(utc("2027-03-28T05:00:00Z")));
    }

    #[test]
    fn quiet_hours_end_once_though_their_end_comes_twice() {
        let quiet = QuietHours { from: time("23:00"), until: time("02:30") };
        assert_eq!(quiet.end(berlin(), utc("2027-10-31T00:29:00Z")), Some(utc("2027-10-31T00:30:00Z")));
        // 02:10 for the second time.
        assert_eq!(quiet.end(berlin(), utc("2027-10-31T01:10:00Z")), None);
    }

    #[test]
    fn quiet_hours_that_clocks_skip_are_none() {
        let quiet = QuietHours { from: time("02:15"), until: time("02:45") };
        assert_eq!(quiet.end(berlin(), utc("2027-03-28T01:00:00Z")), None);
        assert!(quiet.end(berlin(), utc("2027-03-29T00:20:00Z")).is_some());
    }

    #[test]
    fn words_for_zones_and_days() {
        assert_eq!(berlin().words(), "Berlin time");
        assert_eq!("America/Argentina/Buenos_Aires".parse::<Zone>().unwrap().words(), "Buenos Aires time");
        assert_eq!(Zone::default().words(), "UTC");
        assert_eq!(berlin().moment(utc("2026-11-19T17:30:00Z")), "Thursday 19 November, 18:30 (Berlin time)");
        assert_eq!(Weekdays::from_numbers([1, 2, 3, 4, 5]).words(), "On weekdays");
        assert_eq!(Weekdays::from_numbers([1, 4]).words(), "On Mondays and Thursdays");
        assert!("Wonderland/Rabbit_Hole".parse::<Zone>().is_err());
        assert!("25:00".parse::<TimeOfDay>().is_err());
    }
}
