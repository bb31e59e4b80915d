//! Days of the week, quiet hours, and how long there is until a moment, where a player lives.

use chrono::{DateTime, Datelike, Days, Utc, Weekday};
use serde::{Deserialize, Serialize};

use crate::app::clock::in_words;
use crate::app::words::and;
use crate::local_time::{TimeOfDay, Zone};

/// The first moment after this one with this time of day in a zone, on one of these days of the week.
pub fn next(zone: Zone, after: DateTime<Utc>, time: TimeOfDay, weekdays: Weekdays) -> Option<DateTime<Utc>> {
    let today = zone.day(after);
    (0..=8)
        .filter_map(|days| today.checked_add_days(Days::new(days)))
        .filter(|day| weekdays.contains(day.weekday()))
        .map(|day| zone.on(day, time))
        .find(|at| *at > after)
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
                format!("On {}", and(&days))
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
        let today = zone.day(at);
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
        let evening = |after: &str| next(berlin(), utc(after), time("18:30"), Weekdays::EVERY).unwrap();
        assert_eq!(evening("2027-03-27T00:00:00Z"), utc("2027-03-27T17:30:00Z"));
        assert_eq!(evening("2027-03-27T17:30:00Z"), utc("2027-03-28T16:30:00Z"));
        assert_eq!(evening("2027-10-30T16:30:00Z"), utc("2027-10-31T17:30:00Z"));
    }

    #[test]
    fn a_time_that_clocks_skip_is_the_first_after_it() {
        // On 28 March 2027 Berlin goes from 02:00 to 03:00.
        let first = next(berlin(), utc("2027-03-27T12:00:00Z"), time("02:30"), Weekdays::EVERY).unwrap();
        assert_eq!(first, utc("2027-03-28T01:00:00Z"));
        assert_eq!(next(berlin(), first, time("02:30"), Weekdays::EVERY).unwrap(), utc("2027-03-29T00:30:00Z"));
    }

    #[test]
    fn a_time_that_comes_twice_counts_once() {
        // On 31 October 2027 Berlin has 02:30 twice.
        let first = next(berlin(), utc("2027-10-30T12:00:00Z"), time("02:30"), Weekdays::EVERY).unwrap();
        assert_eq!(first, utc("2027-10-31T00:30:00Z"));
        assert_eq!(next(berlin(), first, time("02:30"), Weekdays::EVERY).unwrap(), utc("2027-11-01T01:30:00Z"));
    }

    #[test]
    fn only_the_chosen_days_count() {
        let monday = Weekdays::from_numbers([1]);
        let first = next(berlin(), utc("2026-11-16T17:30:00Z"), time("18:30"), monday).unwrap();
        assert_eq!(first, utc("2026-11-23T17:30:00Z"));
        assert_eq!(next(berlin(), utc("2026-11-16T17:30:00Z"), time("18:30"), Weekdays::from_numbers([])), None);
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
