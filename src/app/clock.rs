//! What time it is: the machine's time, or one that is set by hand, so that days of deadlines pass in a moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};

/// Everything that depends on the time of day asks this. Clones show the same time.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Microseconds since 1970, if it is set by hand.
    by_hand: Option<Arc<AtomicI64>>,
}

impl Clock {
    /// A clock that stands until it is moved.
    pub fn by_hand(at: DateTime<Utc>) -> Clock {
        Clock { by_hand: Some(Arc::new(AtomicI64::new(at.timestamp_micros()))) }
    }

    /// Now, as exactly as the database keeps it.
    pub fn now(&self) -> DateTime<Utc> {
        let micros = match &self.by_hand {
            Some(micros) => micros.load(Ordering::SeqCst),
            None => Utc::now().timestamp_micros(),
        };
        DateTime::from_timestamp_micros(micros).unwrap_or_default()
    }

    /// Lets time pass on a clock that is set by hand; the machine's own goes by itself.
    pub fn advance(&self, time: TimeDelta) {
        if let Some(micros) = &self.by_hand {
            micros.fetch_add(time.num_microseconds().unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }
}

/// A stretch of time from now, in words. What is a little short of a whole day, hour or minute counts as one: who has got three days
/// just now does not read of two.
pub fn in_words(left: TimeDelta) -> String {
    let days = (left + TimeDelta::hours(1)).num_days();
    let hours = (left + TimeDelta::minutes(3)).num_hours();
    let minutes = (left + TimeDelta::seconds(5)).num_minutes();
    match () {
        () if minutes < 1 => "any moment".to_owned(),
        () if minutes == 1 => "in a minute".to_owned(),
        () if hours < 1 => format!("in {minutes} minutes"),
        () if hours == 1 => "in an hour".to_owned(),
        () if days < 2 => format!("in {hours} hours"),
        () => format!("in {days} days"),
    }
}

/// How much time is left, as short as can be: “23 h left”.
pub fn time_left(left: TimeDelta) -> String {
    let days = (left + TimeDelta::hours(1)).num_days();
    let hours = (left + TimeDelta::minutes(3)).num_hours();
    let minutes = (left + TimeDelta::seconds(5)).num_minutes();
    match () {
        () if minutes < 1 => "time is up".to_owned(),
        () if hours < 1 => format!("{minutes} min left"),
        () if days < 2 => format!("{hours} h left"),
        () => format!("{days} days left"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_set_by_hand_stands_until_it_is_moved() {
        let begin = DateTime::from_timestamp_micros(1_800_000_000_000_000).unwrap();
        let clock = Clock::by_hand(begin);
        let same = clock.clone();
        assert_eq!(clock.now(), begin);
        same.advance(TimeDelta::days(3));
        assert_eq!(clock.now(), begin + TimeDelta::days(3));
    }

    #[test]
    fn the_machines_clock_goes() {
        let clock = Clock::default();
        let before = clock.now();
        clock.advance(TimeDelta::days(3));
        assert!(clock.now() >= before && clock.now() < before + TimeDelta::days(1));
    }

    #[test]
    fn stretches_of_time_in_words() {
        let minutes = |minutes| in_words(TimeDelta::minutes(minutes));
        assert_eq!(in_words(TimeDelta::seconds(30)), "any moment");
        assert_eq!(in_words(TimeDelta::seconds(58)), "in a minute");
        assert_eq!([minutes(45), minutes(58), minutes(90)], ["in 45 minutes", "in an hour", "in an hour"]);
        assert_eq!([minutes(24 * 60 - 1), minutes(46 * 60)], ["in 24 hours", "in 46 hours"]);
        assert_eq!([minutes(72 * 60 - 1), minutes(70 * 60), minutes(48 * 60)], ["in 3 days", "in 2 days", "in 2 days"]);
    }

    #[test]
    fn time_left_in_few_words() {
        let words = |minutes| time_left(TimeDelta::minutes(minutes));
        assert_eq!([words(3 * 24 * 60), words(26 * 60), words(60)], ["3 days left", "26 h left", "1 h left"]);
        assert_eq!([words(12), words(0), words(-5)], ["12 min left", "time is up", "time is up"]);
    }
}
