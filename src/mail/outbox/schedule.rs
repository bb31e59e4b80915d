//! When a letter goes. Pure: from what a player wishes, what happened and what time it is.

use chrono::{DateTime, TimeDelta, Utc};

use crate::local_time::next;
use crate::mail::letters::kind::Kind;
use crate::mail::preferences::{MOST_REMINDERS, MailPreferences, When};

/// A turn that has to be made by some time.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub since: DateTime<Utc>,
    pub deadline: DateTime<Utc>,
}

/// A letter about a game that waits in the outbox.
#[derive(Copy, Clone, Debug)]
pub struct Waiting {
    pub kind: Kind,
    pub written_at: DateTime<Utc>,
    /// The turn that a reminder is about.
    pub turn: Option<Turn>,
}

/// The ways in which somebody is told.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    pub letter: bool,
    /// By notices on their devices.
    pub notice: bool,
    /// By a webhook.
    pub webhook: bool,
}

impl Ways {
    /// Those of them in which a player wants to be told of this.
    pub fn wanted(self, wishes: &MailPreferences, kind: Kind) -> Ways {
        Ways {
            letter: self.letter && wishes.wants(kind),
            notice: self.notice && wishes.wants_notice(kind),
            webhook: self.webhook && wishes.wants_by_webhook(kind),
        }
    }

    pub fn any(self) -> bool {
        self.letter || self.notice || self.webhook
    }
}

/// A player, and what they want at a table.
#[derive(Copy, Clone, Debug)]
pub struct Reader<'a> {
    pub wishes: &'a MailPreferences,
    /// In which they can be told at all.
    pub ways: Ways,
    /// How long letters are held.
    pub hold: TimeDelta,
}

impl Reader<'_> {
    /// When a letter may go: now or earlier means now. `None` means never.
    pub fn time_for(&self, letter: &Waiting, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let wishes = self.wishes;
        if letter.kind == Kind::Reminder {
            let at = self.reminder_for(letter.turn?, now)?;
            return Some(if wishes.remind_in_quiet_hours { at } else { self.after_quiet_hours(at.max(now)) });
        }
        match wishes.when {
            When::AtOnce => Some(self.after_quiet_hours(letter.written_at.max(now))),
            When::Held | When::UntilVisit => {
                // Nobody else can go on: a call is not held.
                let hold = if letter.kind == Kind::Call { TimeDelta::zero() } else { self.hold };
                Some(self.after_quiet_hours((letter.written_at + hold).max(now)))
            }
            When::Digest => {
                let at = next(wishes.zone, letter.written_at, wishes.digest.at, wishes.digest.days)?;
                // Who wants a digest in the middle of the night gets it then; one that is late does not disturb the night.
                let meant = wishes.quiet.is_some_and(|quiet| quiet.end(wishes.zone, at).is_some());
                Some(if at > now || meant { at } else { self.after_quiet_hours(now) })
            }
        }
    }

    /// The moment itself, or the end of the quiet hours in which it lies.
    fn after_quiet_hours(&self, at: DateTime<Utc>) -> DateTime<Utc> {
        self.wishes.quiet.and_then(|quiet| quiet.end(self.wishes.zone, at)).unwrap_or(at)
    }

    /// When the reminders of a turn come, the earliest first.
    pub fn reminders(&self, turn: Turn) -> Vec<DateTime<Utc>> {
        let whole = turn.deadline - turn.since;
        let mut times: Vec<DateTime<Utc>> = self
            .wishes
            .reminders
            .iter()
            .map(|before| turn.deadline - before.time(whole))
            // Who has a day to move is not reminded three days before.
            .filter(|at| *at > turn.since)
            .collect();
        times.sort_unstable();
        times.dedup();
        times.drain(..times.len().saturating_sub(MOST_REMINDERS));
        times
    }

    /// The reminder that comes next after this moment, with its number.
    pub fn next_reminder(&self, turn: Turn, after: DateTime<Utc>) -> Option<(i16, DateTime<Utc>)> {
        if !self.ways.wanted(self.wishes, Kind::Reminder).any() {
            return None;
        }
        let (place, at) = self.reminders(turn).into_iter().enumerate().find(|(_, at)| *at > after)?;
        Some((i16::try_from(place).ok()? + 1, at))
    }

    /// When a reminder of this turn that waits is due: the latest that has come, so that after a long silence there is one
    /// and not three; or else the next. None any more once time has run out.
    fn reminder_for(&self, turn: Turn, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        if now >= turn.deadline {
            return None;
        }
        let times = self.reminders(turn);
        times.iter().rev().find(|at| **at <= now).or(times.first()).copied()
    }
}

/// Whether somebody who wants one letter until they visit is to get none for now.
pub fn has_had_theirs(last_letter: Option<DateTime<Utc>>, last_visit: Option<DateTime<Utc>>) -> bool {
    last_letter.is_some_and(|sent| last_visit.is_none_or(|visited| visited <= sent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local_time::{QuietHours, TimeOfDay, Weekdays};
    use crate::mail::preferences::{Before, DigestHour};

    fn utc(text: &str) -> DateTime<Utc> {
        DateTime::parse_from_rfc3339(text).unwrap().with_timezone(&Utc)
    }

    fn berlin() -> MailPreferences {
        MailPreferences { zone: "Europe/Berlin".parse().unwrap(), ..MailPreferences::default() }
    }

    fn reader(wishes: &MailPreferences) -> Reader<'_> {
        Reader { wishes, ways: Ways { letter: true, notice: false, webhook: false }, hold: TimeDelta::minutes(2) }
    }

    fn turn_letter(written_at: &str) -> Waiting {
        Waiting { kind: Kind::Turn, written_at: utc(written_at), turn: None }
    }

    fn quiet(from: u16, until: u16) -> Option<QuietHours> {
        Some(QuietHours { from: TimeOfDay::new(from, 0), until: TimeOfDay::new(until, 0) })
    }

    #[test]
    fn a_letter_is_held_for_a_while_or_goes_at_once() {
        let now = utc("2026-11-16T12:00:10Z");
        let letter = turn_letter("2026-11-16T12:00:00Z");
        let held = berlin();
        assert_eq!(reader(&held).time_for(&letter, now), Some(utc("2026-11-16T12:02:00Z")));
        let at_once = MailPreferences { when: When::AtOnce, ..berlin() };
        assert_eq!(reader(&at_once).time_for(&letter, now), Some(now));
    }

    #[test]
    fn a_call_is_not_held_but_keeps_to_the_digest_and_to_quiet_hours() {
        let call = |written_at: &str| Waiting { kind: Kind::Call, ..turn_letter(written_at) };
        let letter = call("2026-11-16T12:00:00Z");
        for when in [When::AtOnce, When::Held, When::UntilVisit] {
            let wishes = MailPreferences { when, ..berlin() };
            assert_eq!(reader(&wishes).time_for(&letter, letter.written_at), Some(letter.written_at));
        }
        let digest = MailPreferences { when: When::Digest, ..berlin() };
        assert_eq!(reader(&digest).time_for(&letter, letter.written_at), Some(utc("2026-11-16T17:30:00Z")));
        let night = MailPreferences { quiet: quiet(22, 7), ..berlin() };
        let letter = call("2026-11-16T23:00:00Z");
        assert_eq!(reader(&night).time_for(&letter, letter.written_at), Some(utc("2026-11-17T06:00:00Z")));
    }

    #[test]
    fn nothing_goes_in_quiet_hours() {
        let wishes = MailPreferences { quiet: quiet(22, 7), ..berlin() };
        let letter = turn_letter("2026-11-16T20:59:00Z");
        // The hold ends when the quiet hours have begun.
        assert_eq!(reader(&wishes).time_for(&letter, letter.written_at), Some(utc("2026-11-17T06:00:00Z")));
        // An hour shorter is the night of the clocks going forward, an hour longer the other.
        let march = turn_letter("2027-03-27T22:00:00Z");
        assert_eq!(reader(&wishes).time_for(&march, march.written_at), Some(utc("2027-03-28T05:00:00Z")));
        let october = turn_letter("2027-10-30T22:00:00Z");
        assert_eq!(reader(&wishes).time_for(&october, october.written_at), Some(utc("2027-10-31T06:00:00Z")));
    }

    #[test]
    fn a_digest_comes_at_the_players_hour_on_the_players_days() {
        let digest = DigestHour { at: TimeOfDay::new(18, 30), days: Weekdays::from_numbers(1..=5) };
        let wishes = MailPreferences { when: When::Digest, digest, ..berlin() };
        let friday = turn_letter("2027-03-26T17:30:00Z");
        // From Friday evening to Monday evening, over the change of clocks.
        assert_eq!(reader(&wishes).time_for(&friday, friday.written_at), Some(utc("2027-03-29T16:30:00Z")));
        // After an outage it goes as soon as it can.
        let late = utc("2027-03-29T19:00:00Z");
        assert_eq!(reader(&wishes).time_for(&friday, late), Some(late));
        let never = MailPreferences { digest: DigestHour { days: Weekdays::from_numbers([]), ..digest }, ..wishes };
        assert_eq!(reader(&never).time_for(&friday, late), None);
    }

    #[test]
    fn a_late_digest_keeps_the_quiet_hours_and_one_that_is_meant_for_them_does_not() {
        let digest = DigestHour { at: TimeOfDay::new(18, 30), days: Weekdays::EVERY };
        let wishes = MailPreferences { when: When::Digest, digest, quiet: quiet(22, 7), ..berlin() };
        let letter = turn_letter("2026-11-16T12:00:00Z");
        let night = utc("2026-11-16T22:30:00Z");
        assert_eq!(reader(&wishes).time_for(&letter, night), Some(utc("2026-11-17T06:00:00Z")));
        let early = MailPreferences { digest: DigestHour { at: TimeOfDay::new(6, 0), ..digest }, ..wishes };
        let six = utc("2026-11-17T05:00:00Z");
        assert_eq!(reader(&early).time_for(&letter, six), Some(six));
    }

    fn three_days() -> Turn {
        Turn { since: utc("2026-11-16T12:00:00Z"), deadline: utc("2026-11-19T12:00:00Z") }
    }

    #[test]
    fn a_reminder_comes_when_a_quarter_of_the_time_is_left() {
        let wishes = berlin();
        assert_eq!(reader(&wishes).reminders(three_days()), [utc("2026-11-18T18:00:00Z")]);
        let first = reader(&wishes).next_reminder(three_days(), three_days().since);
        assert_eq!(first, Some((1, utc("2026-11-18T18:00:00Z"))));
        assert_eq!(reader(&wishes).next_reminder(three_days(), utc("2026-11-18T18:00:00Z")), None);
    }

    #[test]
    fn reminders_are_chosen_and_few_and_within_the_time() {
        let wishes = MailPreferences { reminders: Before::ALL.to_vec(), ..berlin() };
        let times = reader(&wishes).reminders(three_days());
        // Three days before is when the time began, and the earlier give way.
        assert_eq!(times, ["2026-11-19T04:00:00Z", "2026-11-19T10:00:00Z", "2026-11-19T11:30:00Z"].map(utc));
        let hour = Turn { since: utc("2026-11-16T12:00:00Z"), deadline: utc("2026-11-16T13:00:00Z") };
        assert_eq!(reader(&wishes).reminders(hour), ["2026-11-16T12:30:00Z", "2026-11-16T12:45:00Z"].map(utc));
    }

    #[test]
    fn after_an_outage_one_reminder_is_due_and_after_the_deadline_none() {
        let wishes = MailPreferences { reminders: vec![Before::Day, Before::EightHours, Before::TwoHours], ..berlin() };
        let letter = Waiting { kind: Kind::Reminder, written_at: three_days().since, turn: Some(three_days()) };
        let time = |now: &str| reader(&wishes).time_for(&letter, utc(now));
        assert_eq!(time("2026-11-16T12:00:00Z"), Some(utc("2026-11-18T12:00:00Z")));
        let late = utc("2026-11-19T11:00:00Z");
        assert_eq!(reader(&wishes).time_for(&letter, late), Some(late));
        assert_eq!(reader(&wishes).next_reminder(three_days(), late), None);
        assert_eq!(time("2026-11-19T12:00:00Z"), None);
        // The clock stood for a while: the reminder moves along.
        let moved = Turn { deadline: utc("2026-11-26T12:00:00Z"), ..three_days() };
        let letter = Waiting { turn: Some(moved), ..letter };
        assert_eq!(reader(&wishes).time_for(&letter, late), Some(utc("2026-11-25T12:00:00Z")));
    }

    #[test]
    fn reminders_keep_quiet_hours_unless_they_may_break_them() {
        let wishes = MailPreferences { quiet: quiet(18, 20), ..berlin() };
        let letter = Waiting { kind: Kind::Reminder, written_at: three_days().since, turn: Some(three_days()) };
        let due = utc("2026-11-18T18:00:00Z");
        assert_eq!(reader(&wishes).time_for(&letter, due), Some(utc("2026-11-18T19:00:00Z")));
        let pierced = MailPreferences { remind_in_quiet_hours: true, ..wishes };
        assert_eq!(reader(&pierced).time_for(&letter, due), Some(due));
    }

    #[test]
    fn who_wants_no_reminders_has_none_to_come() {
        let wishes = MailPreferences { off: vec![Kind::Reminder], ..berlin() };
        assert_eq!(reader(&wishes).next_reminder(three_days(), three_days().since), None);
        assert!(reader(&berlin()).next_reminder(three_days(), three_days().since).is_some());
        let with_device = Reader { ways: Ways { letter: false, notice: true, webhook: false }, ..reader(&wishes) };
        assert!(
            with_device.next_reminder(three_days(), three_days().since).is_some(),
            "letters are off, notices are not"
        );
    }

    #[test]
    fn one_letter_until_the_player_visits() {
        let (early, late) = (Some(utc("2026-11-16T12:00:00Z")), Some(utc("2026-11-16T13:00:00Z")));
        assert!(!has_had_theirs(None, None) && !has_had_theirs(None, early));
        assert!(has_had_theirs(early, None) && has_had_theirs(late, early));
        assert!(!has_had_theirs(early, late));
    }
}
