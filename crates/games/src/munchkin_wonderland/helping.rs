//! Help: asking for it, answering, and helping.

use super::decide::{Record, roll};
use super::event::Event;
use super::fighting::carry_on;
use super::phase::{Phase, Settled, Stage};
use wonderpost_rules::{Refusal, Seat, SeatSet};

/// MW-39: `ask <seat> …`, in the order of preference.
pub fn ask(record: &mut Record, seats: Vec<Seat>) -> Result<(), Refusal> {
    let Phase::Fight(fight) = &record.phase else { return Err(record.not_now()) };
    if fight.stage != Stage::Fighter {
        return Err(record.not_now());
    }
    if !fight.asked.is_empty() {
        return Err(Refusal::new("You have called for help in this fight already."));
    }
    let near = record.can_ask(fight);
    let mut named = SeatSet::EMPTY;
    for seat in &seats {
        if named.contains(*seat) {
            return Err(Refusal::new(format!("You name seat {seat} twice.")));
        }
        if !near.contains(seat) {
            return Err(Refusal::new(if *seat == fight.fighter.seat {
                "You cannot ask yourself.".to_owned()
            } else if seat.number() > record.seats() {
                format!("There is no seat {seat} at this table.")
            } else {
                format!("Seat {seat} is too far away to help.")
            }));
        }
        named.insert(*seat);
    }
    record.record(Event::Asked { seats });
    Ok(())
}

/// MW-40: `help` or `refuse`. The question is settled as soon as the answers settle it.
pub fn answer(record: &mut Record, seat: Seat, willing: bool) -> Result<(), Refusal> {
    match &record.phase {
        Phase::Fight(fight) if fight.stage == Stage::Asked => {}
        _ => return Err(record.not_now()),
    }
    record.record(Event::Answered { seat, willing });
    let Phase::Fight(fight) = &record.phase else { return Ok(()) };
    match fight.settled() {
        None => Ok(()),
        Some(Settled::Nobody) => {
            record.record(Event::Unaided);
            carry_on(record)
        }
        // MW-41
        Some(Settled::Helper(helper)) => {
            let roll = roll(record)?;
            record.record(Event::Joined { helper, roll });
            carry_on(record)
        }
    }
}

/// MW-42, MW-43: `done`.
pub fn done(record: &mut Record) -> Result<(), Refusal> {
    match &record.phase {
        Phase::Fight(fight) if fight.stage == Stage::Helper => {}
        _ => return Err(record.not_now()),
    }
    record.record(Event::Done);
    carry_on(record)
}
