//! MR-12: the course of a turn between decisions: the roll, what happens by itself, the card at the end.

use super::super::FIRST;
use super::super::cards::Cards;
use super::super::event::Event;
use super::super::hexagon::Place;
use super::Record;
use wonderpost_rules::{Card, Refusal, Seat};

/// MR-12: the next seat; the round rises when the first begins.
pub fn begin(record: &mut Record) -> Result<(), Refusal> {
    let seat = if record.round == 0 { FIRST } else { record.active.next(record.seats) };
    let round = if seat == FIRST { record.round.saturating_add(1) } else { record.round };
    if record.may_take_off(seat) {
        record.record(Event::Readied { seat, round });
        return Ok(());
    }
    roll(record, seat, round)
}

/// MR-12: two dice.
pub fn roll(record: &mut Record, seat: Seat, round: u16) -> Result<(), Refusal> {
    let faces = record.roll(2, 6)?;
    let die = |place: usize| faces.get(place).and_then(|face| u8::try_from(*face).ok()).unwrap_or(1);
    let dice = [die(0), die(1)];
    let lottery = !record.matching(seat, dice).is_empty();
    record.record(Event::Rolled { seat, round, dice, lottery });
    Ok(())
}

/// MR-19: a rabbit that begins its turn off the board lands underground.
pub fn sink(record: &mut Record) -> Result<(), Refusal> {
    record.record(Event::Sank);
    Ok(())
}

/// MR-17: so many cards from the pile. A pile that runs out is made anew from the spent cards first.
pub fn draw(record: &mut Record, count: usize) -> Result<Cards, Refusal> {
    if record.pile.len() < count && !record.spent.is_empty() {
        let pile = record.shuffle(&record.spent.to_vec())?;
        record.record(Event::Repiled { pile });
    }
    let drawn: Vec<Card> = record.pile.iter().rev().take(count).copied().collect();
    Ok(drawn.into_iter().collect())
}

/// MR-17: the card of a turn that ends on a hexagon.
pub fn increment(record: &mut Record) -> Result<(), Refusal> {
    debug_assert_ne!(record.rabbit(record.active), Place::Off);
    let drawn = draw(record, 1)?;
    record.record(Event::Drew { drawn });
    Ok(())
}
