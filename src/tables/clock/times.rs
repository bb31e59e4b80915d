//! Time at a table: whose clock runs since when, when it stands, and who was late.
//!
//! A clock is settled whenever the way it runs changes: what has run until then is spent, and counting goes on from there.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::local_time::{Stretch, WakingHours};
use crate::tables::clock::pace::{MISSES, WhenLate};
use crate::tables::clock::timetable::Timetable;
use crate::tables::state::open_moves::OpenMove;
use crate::tables::state::record::{By, TableFact};
use crate::tables::state::table_state::TableState;
use wonderpost_rules::{Seat, SeatSet};

/// A seat in time.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// The number of the seat's last move.
    pub last_move: u32,
    /// Since when the seat is awaited.
    pub since: Option<DateTime<Utc>>,
    /// From when on time is counted, if not since it is awaited.
    counted_from: Option<DateTime<Utc>>,
    /// What ran before that, in microseconds; less than nothing where the house gave some back.
    spent: i64,
    /// What is in the seat's bank, in microseconds; untouched if nothing is said.
    saved: Option<i64>,
    /// How many moves in a row the holder has missed.
    pub misses: u8,
}

impl Clock {
    /// Starts the clock if the seat is awaited now and was not before; stops it if it is not any more.
    pub(crate) fn await_or_not(&mut self, awaited: bool, at: DateTime<Utc>) {
        match (awaited, self.since) {
            (true, Some(_)) | (false, None) => {}
            (true, None) => *self = Clock { since: Some(at), counted_from: None, spent: 0, ..*self },
            (false, Some(_)) => *self = Clock { since: None, counted_from: None, spent: 0, ..*self },
        }
    }

    fn counted_from(&self) -> Option<DateTime<Utc>> {
        self.counted_from.or(self.since)
    }
}

/// Days off of whoever holds a seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Away {
    pub seat: Seat,
    pub time: Stretch,
}

/// When clocks run and who is absent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Times {
    hours: [Option<WakingHours>; Seat::MOST as usize],
    away: Vec<Away>,
    /// Who wants a pause, and until when.
    pub pausing: SeatSet,
    pub pause_until: Option<DateTime<Utc>>,
    pub paused: bool,
    /// The seats that bots keep until their owners return.
    pub kept: SeatSet,
    /// Those among them whose owners are suspended.
    pub held: SeatSet,
    /// Up to when the house was closed, the last time it gave that time back.
    closed_until: Option<DateTime<Utc>>,
}

impl Times {
    /// When a pause ends by itself.
    pub fn pause_ends(&self) -> Option<DateTime<Utc>> {
        self.pause_until.filter(|_| self.paused)
    }

    /// The days off during which somebody is away now.
    pub fn away_at(&self, seat: Seat, at: DateTime<Utc>) -> Option<Stretch> {
        let mine = self.away.iter().filter(|away| away.seat == seat).map(|away| away.time);
        mine.into_iter().find(|time| time.from <= at && at < time.until)
    }

    /// Whether these days off are known here.
    pub fn knows_of(&self, seat: Seat, from: DateTime<Utc>) -> bool {
        self.away.iter().any(|away| away.seat == seat && away.time.from == from)
    }

    pub fn hours_of(&self, seat: Seat) -> Option<WakingHours> {
        self.hours[seat.index()]
    }
}

impl TableState {
    fn timetable(&self, seat: Seat) -> Timetable {
        let away = self.times.away.iter().filter(|away| away.seat == seat).map(|away| away.time).collect();
        let hours = if self.opened.pace.nights_off { self.times.hours[seat.index()] } else { None };
        Timetable { hours, away }
    }

    /// What a seat's clock has run since it is awaited.
    pub(crate) fn spent(&self, seat: Seat, at: DateTime<Utc>) -> TimeDelta {
        let clock = &self.clocks[seat.index()];
        let counting = match clock.counted_from() {
            Some(from) if !self.times.paused => self.timetable(seat).running(from, at),
            _ => TimeDelta::zero(),
        };
        TimeDelta::microseconds(clock.spent) + counting
    }

    /// What a seat had when it was asked: the time for a move, or its bank.
    fn allowed(&self, seat: Seat) -> Option<TimeDelta> {
        let pace = &self.opened.pace;
        let bank = || {
            let start = i64::from(pace.bank?.start) * 1_000_000;
            Some(TimeDelta::microseconds(self.clocks[seat.index()].saved.unwrap_or(start)))
        };
        pace.seconds_a_move.map(|seconds| TimeDelta::seconds(i64::from(seconds))).or_else(bank)
    }

    /// When time runs out for an awaited seat that a person plays.
    pub fn deadline_of(&self, seat: Seat) -> Option<DateTime<Utc>> {
        let clock = &self.clocks[seat.index()];
        let from = clock.counted_from()?;
        if self.times.paused || self.bot_at(seat).is_some() {
            return None;
        }
        let left = self.allowed(seat)? - TimeDelta::microseconds(clock.spent);
        Some(self.timetable(seat).after(from, left))
    }

    /// When time runs out for the first of the awaited people.
    pub fn deadline(&self) -> Option<DateTime<Utc>> {
        self.awaiting().iter().filter_map(|seat| self.deadline_of(seat)).min()
    }

    /// Stops a seat's clock because a move was said, and sees to its bank.
    pub(crate) fn stop_clock(&mut self, seat: Seat, by: By, move_no: u32, at: DateTime<Utc>) {
        let clock = &self.clocks[seat.index()];
        let misses = match by {
            By::Holder => 0,
            By::Clock | By::Keeper => clock.misses.saturating_add(1),
            By::StandIn | By::Standing => clock.misses,
        };
        let saved = match (self.opened.pace.bank, by) {
            (Some(bank), By::Holder | By::Standing | By::Clock) if clock.since.is_some() => {
                let had = self.allowed(seat).unwrap_or_default();
                let left =
                    (had - self.spent(seat, at)).max(TimeDelta::zero()) + TimeDelta::seconds(i64::from(bank.refill));
                left.min(TimeDelta::seconds(i64::from(bank.most))).num_microseconds()
            }
            _ => clock.saved,
        };
        self.clocks[seat.index()] = Clock { since: None, counted_from: None, spent: 0, saved, misses, ..*clock };
        self.note_move(seat, by, move_no);
    }

    /// Notes which move of a seat was its last. A move that the others do not know of changes nothing else: until it is shown the clock
    /// runs as if it had not been made, and a chain of such moves counts as one decision.
    pub(crate) fn note_move(&mut self, seat: Seat, by: By, move_no: u32) {
        // Who answered in advance has not seen what came before.
        if by != By::Standing {
            self.clocks[seat.index()].last_move = move_no;
        }
    }

    /// Lets the clock of a seat run on as if its move had not been made.
    pub(crate) fn restore_clock(&mut self, mv: &OpenMove) {
        let clock = &mut self.clocks[mv.seat.index()];
        *clock = Clock { last_move: clock.last_move, misses: clock.misses, ..mv.clock };
    }

    /// Gives a seat the time back that it had when it made a move, and no more. What the others took since is not counted.
    pub(crate) fn rewind_clock(&mut self, mv: &OpenMove, at: DateTime<Utc>) {
        self.restore_clock(mv);
        let clock = &mut self.clocks[mv.seat.index()];
        (clock.since, clock.counted_from, clock.spent) = (Some(at), Some(at), mv.spent);
    }

    /// Takes from a seat's bank what a move brought into it that others have taken back. What it spent stays spent.
    pub(crate) fn forget_refill(&mut self, mv: &OpenMove) {
        let Some(bank) = self.opened.pace.bank else { return };
        let full = i64::from(bank.start) * 1_000_000;
        let clock = &mut self.clocks[mv.seat.index()];
        clock.saved = Some(clock.saved.unwrap_or(full).min(mv.clock.saved.unwrap_or(full)));
    }

    /// Counts what has run until now, because from now on clocks run differently.
    fn settle(&mut self, seats: SeatSet, at: DateTime<Utc>) {
        for seat in seats.iter() {
            if self.clocks[seat.index()].since.is_none() {
                continue;
            }
            let spent = self.spent(seat, at).num_microseconds().unwrap_or(i64::MAX);
            let clock = &mut self.clocks[seat.index()];
            (clock.spent, clock.counted_from) = (spent, Some(at));
        }
    }

    /// Folds an event about time.
    pub(crate) fn fold_time(&mut self, fact: &TableFact, at: DateTime<Utc>) {
        match *fact {
            TableFact::Hours { seat, hours } => {
                self.settle(SeatSet::one(seat), at);
                self.times.hours[seat.index()] = hours;
            }
            TableFact::Away { seat, from, until } => {
                self.times.away.push(Away { seat, time: Stretch { from, until } });
            }
            TableFact::Back { seat, from } => {
                for away in self.times.away.iter_mut().filter(|away| away.seat == seat && away.time.from == from) {
                    away.time.until = away.time.until.min(at);
                }
            }
            TableFact::PauseAgreed { seat, to_pause: true, until } => {
                if self.times.pause_until != until {
                    self.times.pausing = SeatSet::EMPTY;
                    self.times.pause_until = until;
                }
                self.times.pausing.insert(seat);
            }
            TableFact::PauseAgreed { seat, to_pause: false, .. } => self.times.pausing.remove(seat),
            TableFact::Paused { until } => {
                self.settle(self.seated, at);
                self.times.paused = true;
                self.times.pause_until = until;
            }
            TableFact::Resumed { .. } => {
                // Nothing has run meanwhile; counting goes on from here.
                self.settle(self.seated, at);
                self.times.paused = false;
                self.times.pausing = SeatSet::EMPTY;
                self.times.pause_until = None;
            }
            TableFact::Kept { seat } => self.times.kept.insert(seat),
            TableFact::Held { seat } => {
                self.times.kept.insert(seat);
                self.times.held.insert(seat);
            }
            TableFact::Returned { seat } => {
                self.times.kept.remove(seat);
                self.times.held.remove(seat);
                // A fresh start: whatever ran out while the bot was there is forgotten.
                let clock = &mut self.clocks[seat.index()];
                let refill = self.opened.pace.bank.map(|bank| i64::from(bank.refill) * 1_000_000);
                *clock = Clock { since: clock.since.map(|_| at), counted_from: None, spent: 0, misses: 0, ..*clock };
                clock.saved = refill.map(|refill| clock.saved.unwrap_or(0).max(refill));
            }
            TableFact::Missed { seat } => {
                let clock = &mut self.clocks[seat.index()];
                clock.misses = clock.misses.saturating_add(1);
            }
            TableFact::WentOn { .. } => {
                for clock in self.clocks.iter_mut().filter(|clock| clock.misses >= MISSES) {
                    clock.misses = 0;
                }
            }
            TableFact::Closed { from, until } => self.give_back(Stretch { from, until }),
            _ => {}
        }
    }

    /// Takes back what ran while the house was closed.
    fn give_back(&mut self, closed: Stretch) {
        for seat in self.seated.iter() {
            let Some(from) = self.clocks[seat.index()].counted_from().filter(|_| !self.times.paused) else { continue };
            let ran = self.timetable(seat).running(from.max(closed.from), closed.until);
            self.clocks[seat.index()].spent -= ran.num_microseconds().unwrap_or(0);
        }
        self.times.closed_until = Some(closed.until);
    }

    /// The first of these times in which the house was closed that a late seat has not got back.
    pub fn not_given_back(&self, seat: Seat, closed: &[Stretch]) -> Option<Stretch> {
        let from = self.clocks[seat.index()].counted_from()?;
        let known = self.times.closed_until;
        closed.iter().copied().find(|closed| closed.until > from && known.is_none_or(|known| closed.from >= known))
    }

    /// The seats for which time ran out since then.
    pub(crate) fn late_after(&self, before: &TableState) -> SeatSet {
        let late = |seat: &Seat| {
            let (now, then) = (&self.clocks[seat.index()], &before.clocks[seat.index()]);
            let kept = self.times.kept.contains(*seat);
            let held = self.times.held.contains(*seat);
            (kept && !held && !before.times.kept.contains(*seat)) || (!kept && now.misses > then.misses)
        };
        self.people().iter().filter(late).collect()
    }

    /// The people without whose word the others may end the table: they have missed too many moves in a row.
    pub fn missing(&self) -> SeatSet {
        self.people().iter().filter(|seat| self.clocks[seat.index()].misses >= MISSES).collect()
    }

    /// The people whose word is needed to end the table: neither missing nor suspended.
    pub fn present(&self) -> SeatSet {
        let missing = self.missing();
        self.people().iter().filter(|seat| !missing.contains(*seat) && !self.times.held.contains(*seat)).collect()
    }

    /// Whether nobody plays here any more if this seat misses a move now: everybody has missed a whole lap. One person among bots is
    /// waited for as long as others would be.
    pub fn is_abandoned_without(&self, seat: Seat) -> bool {
        let missed = |seat: Seat| self.clocks[seat.index()].misses > 0 || self.times.kept.contains(seat);
        match self.people().len() {
            1 => self.clocks[seat.index()].misses + u8::from(!self.times.kept.contains(seat)) >= MISSES,
            _ => self.people().iter().all(|other| other == seat || missed(other)),
        }
    }

    /// Whether a bot takes over when time runs out.
    pub fn is_kept_when_late(&self) -> bool {
        self.opened.pace.when_late == WhenLate::Bot
    }
}
