//! MR-12: the course of a turn between decisions: the deal, the roll, what happens by itself, the card at the end.

use super::cards::Cards;
use super::event::Event;
use super::hexagon::Place;
use super::phase::{Check, Phase};
use super::{FIRST, Record, contests, flights, limit};
use wonderpost_rules::{Card, Refusal};

/// MR-10: so many cards each, and one more for late seats.
const DEALT: usize = 3;

/// MR-10: shuffles and deals.
pub fn deal(record: &mut Record) -> Result<(), Refusal> {
    let pack = record.suits.cards() & Cards::COMMON;
    let mut pile = record.shuffle(&pack.to_vec())?.into_iter();
    let seats = usize::from(record.seats);
    let mut hands = vec![Cards::EMPTY; seats];
    for _ in 0..DEALT {
        hands.iter_mut().zip(&mut pile).for_each(|(hand, card)| hand.insert(card));
    }
    // MR-73: seat s takes one more if 2s > seats + 1.
    if record.options.late_start {
        hands.iter_mut().skip(seats.div_ceil(2)).zip(&mut pile).for_each(|(hand, card)| hand.insert(card));
    }
    record.record(Event::Dealt { hands, pile: pile.collect() });
    Ok(())
}

/// Runs on until somebody must decide.
pub fn carry_on(record: &mut Record) -> Result<(), Refusal> {
    loop {
        let phase = record.phase;
        match phase {
            Phase::Turning => begin_turn(record)?,
            Phase::Discard(_) if limit::seize(record)? => {}
            Phase::Flight if record.flies_far_enough() => flights::land(record, Cards::EMPTY),
            // MR-19
            Phase::Sinking => record.record(Event::Sank),
            Phase::Contest if record.contest.as_ref().is_some_and(|contest| contest.awaited().is_empty()) => {
                contests::open(record);
            }
            // MR-45: a visitor who cannot prove concedes.
            Phase::Prove if !record.can_prove() => record.record(Event::Conceded),
            // MR-51
            Phase::Visit if record.has_won() => {
                let royals = record.royals(record.active);
                record.record(Event::Won { royals });
            }
            Phase::Visit if !record.has_something_to_do() => increment(record)?,
            Phase::Increment => increment(record)?,
            Phase::Setting
            | Phase::Build
            | Phase::Takeoff
            | Phase::Lottery
            | Phase::Discard(Check::AfterLottery | Check::AtEnd)
            | Phase::Journey
            | Phase::Pay
            | Phase::Flight
            | Phase::Contest
            | Phase::Prove
            | Phase::Visit
            | Phase::Fight
            | Phase::Release(_)
            | Phase::Trade
            | Phase::Over => return Ok(()),
        }
    }
}

/// MR-12: the next seat; the round rises when the first begins.
fn begin_turn(record: &mut Record) -> Result<(), Refusal> {
    let seat = if record.round == 0 { FIRST } else { record.active.next(record.seats) };
    let round = if seat == FIRST { record.round.saturating_add(1) } else { record.round };
    if record.may_take_off(seat) {
        record.record(Event::Readied { seat, round });
        return Ok(());
    }
    roll(record, seat, round)
}

/// MR-12: two dice.
pub fn roll(record: &mut Record, seat: wonderpost_rules::Seat, round: u16) -> Result<(), Refusal> {
    let faces = record.roll(2, 6)?;
    let die = |place: usize| faces.get(place).and_then(|face| u8::try_from(*face).ok()).unwrap_or(1);
    let dice = [die(0), die(1)];
    let lottery = !record.matching(seat, dice).is_empty();
    record.record(Event::Rolled { seat, round, dice, lottery });
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
