//! When the clock of a seat runs: not at night where the table leaves the nights out, and not on days off.

use chrono::{DateTime, Days, TimeDelta, Utc};

use crate::local_time::{Stretch, WakingHours};

/// How many days ahead the timetable looks.
const HORIZON_DAYS: u64 = 1_500;

/// When a clock runs: in these hours, or always; but never while its player is away.
#[derive(Clone, Debug, Default)]
pub struct Timetable {
    pub hours: Option<WakingHours>,
    pub away: Vec<Stretch>,
}

impl Timetable {
    /// How long the clock runs between two moments.
    pub fn running(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> TimeDelta {
        let before = self.stretches(from).take_while(|stretch| stretch.from < until);
        before.map(|stretch| stretch.until.min(until) - stretch.from).sum()
    }

    /// When the clock has run for so long.
    pub fn after(&self, from: DateTime<Utc>, time: TimeDelta) -> DateTime<Utc> {
        let mut left = time.max(TimeDelta::zero());
        for stretch in self.stretches(from) {
            let whole = stretch.until - stretch.from;
            if left <= whole {
                return stretch.from + left;
            }
            left -= whole;
        }
        from + TimeDelta::days(HORIZON_DAYS as i64)
    }

    /// The stretches of time from a moment on in which the clock runs, in order.
    fn stretches(&self, from: DateTime<Utc>) -> impl Iterator<Item = Stretch> {
        let awake: Box<dyn Iterator<Item = Stretch>> = match self.hours {
            None => Box::new(std::iter::once(Stretch { from, until: from + TimeDelta::days(HORIZON_DAYS as i64) })),
            Some(hours) => {
                // Yesterday's hours may last until today.
                let first = hours.zone.day(from).pred_opt().unwrap_or_default();
                let days = (0..HORIZON_DAYS).filter_map(move |days| first.checked_add_days(Days::new(days)));
                Box::new(days.map(move |day| {
                    let (begin, end) = hours.of_day(day);
                    Stretch { from: begin.max(from), until: end }
                }))
            }
        };
        awake.flat_map(|stretch| self.without_absences(stretch)).filter(|stretch| stretch.from < stretch.until)
    }

    fn without_absences(&self, whole: Stretch) -> Vec<Stretch> {
        let mut pieces = vec![whole];
        for away in &self.away {
            let cut = |piece: Stretch| {
                let before = Stretch { until: piece.until.min(away.from), ..piece };
                let after = Stretch { from: piece.from.max(away.until), ..piece };
                if away.from >= away.until { vec![piece] } else { vec![before, after] }
            };
            pieces = pieces.into_iter().flat_map(cut).filter(|piece| piece.from < piece.until).collect();
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utc(text: &str) -> DateTime<Utc> {
        DateTime::parse_from_rfc3339(&format!("{text}:00Z")).unwrap().with_timezone(&Utc)
    }

    fn awake(zone: &str, from: &str, until: &str) -> Timetable {
        let hours =
            WakingHours { zone: zone.parse().unwrap(), from: from.parse().unwrap(), until: until.parse().unwrap() };
        Timetable { hours: Some(hours), away: Vec::new() }
    }

    fn hours(hours: i64) -> TimeDelta {
        TimeDelta::hours(hours)
    }

    #[test]
    fn without_hours_the_clock_runs_day_and_night() {
        let always = Timetable::default();
        assert_eq!(always.after(utc("2027-01-01T12:00"), hours(48)), utc("2027-01-03T12:00"));
        assert_eq!(always.running(utc("2027-01-01T12:00"), utc("2027-01-03T13:00")), hours(49));
    }

    #[test]
    fn at_night_the_clock_stands() {
        let berlin = awake("Europe/Berlin", "08:00", "23:00");
        // 21:00 in Berlin: two hours today, the rest from 08:00 on.
        assert_eq!(berlin.after(utc("2027-01-10T20:00"), hours(4)), utc("2027-01-11T09:00"));
        assert_eq!(berlin.running(utc("2027-01-10T20:00"), utc("2027-01-11T09:00")), hours(4));
        // Asked in the middle of the night.
        assert_eq!(berlin.after(utc("2027-01-11T02:00"), hours(1)), utc("2027-01-11T08:00"));
        assert_eq!(berlin.running(utc("2027-01-11T00:00"), utc("2027-01-11T06:00")), hours(0));
    }

    #[test]
    fn hours_go_over_midnight() {
        let owl = awake("America/New_York", "14:00", "03:00");
        // 01:00 in New York: two hours left of yesterday's.
        assert_eq!(owl.after(utc("2027-01-11T06:00"), hours(3)), utc("2027-01-11T20:00"));
        assert_eq!(owl.running(utc("2027-01-11T00:00"), utc("2027-01-12T00:00")), hours(13));
    }

    #[test]
    fn waking_hours_keep_to_the_local_clock_when_it_changes() {
        let berlin = awake("Europe/Berlin", "08:00", "20:00");
        // Clocks go forward on 28 March 2027 at 01:00 UTC: 08:00 comes an hour earlier.
        assert_eq!(berlin.after(utc("2027-03-27T18:00"), hours(2)), utc("2027-03-28T07:00"));
        // Clocks go back on 31 October 2027 at 01:00 UTC: 08:00 comes an hour later.
        assert_eq!(berlin.after(utc("2027-10-30T17:00"), hours(2)), utc("2027-10-31T08:00"));
        // Every day has twelve waking hours all the same.
        for (from, until) in [("2027-03-26T22:00", "2027-03-30T22:00"), ("2027-10-29T22:00", "2027-11-02T22:00")] {
            assert_eq!(berlin.running(utc(from), utc(until)), hours(48));
        }
    }

    #[test]
    fn hours_that_lie_in_the_change_lose_or_win_an_hour_like_everybody() {
        let owl = awake("Europe/Berlin", "16:00", "06:00");
        assert_eq!(owl.running(utc("2027-03-27T12:00"), utc("2027-03-28T12:00")), hours(13));
        assert_eq!(owl.running(utc("2027-10-30T12:00"), utc("2027-10-31T12:00")), hours(15));
        // A time that is skipped begins when the clocks have jumped.
        let early = awake("Europe/Berlin", "02:30", "14:00");
        assert_eq!(early.after(utc("2027-03-28T00:00"), hours(1)), utc("2027-03-28T02:00"));
    }

    #[test]
    fn on_days_off_the_clock_stands() {
        let off = |from: &str, until: &str| Stretch { from: utc(from), until: utc(until) };
        let away = vec![off("2027-01-05T00:00", "2027-01-08T00:00"), off("2027-01-09T00:00", "2027-01-10T00:00")];
        let table = Timetable { hours: None, away: away.clone() };
        assert_eq!(table.after(utc("2027-01-04T12:00"), hours(24)), utc("2027-01-08T12:00"));
        assert_eq!(table.after(utc("2027-01-04T12:00"), hours(48)), utc("2027-01-10T12:00"));
        assert_eq!(table.after(utc("2027-01-06T12:00"), hours(1)), utc("2027-01-08T01:00"));
        assert_eq!(table.running(utc("2027-01-04T12:00"), utc("2027-01-08T12:00")), hours(24));
        let both = Timetable { away, ..awake("UTC", "08:00", "20:00") };
        assert_eq!(both.after(utc("2027-01-04T18:00"), hours(4)), utc("2027-01-08T10:00"));
    }

    #[test]
    fn running_and_after_agree_at_every_hour_of_a_year() {
        let table = Timetable {
            away: vec![Stretch { from: utc("2027-07-01T03:30"), until: utc("2027-07-11T12:15") }],
            ..awake("Europe/Berlin", "07:30", "01:15")
        };
        let mut at = utc("2027-01-01T00:00");
        while at < utc("2028-01-01T00:00") {
            for time in [TimeDelta::minutes(50), hours(30), hours(14 * 24)] {
                assert_eq!(table.running(at, table.after(at, time)), time, "{at}");
            }
            at += TimeDelta::minutes(7 * 60 + 13);
        }
    }
}
