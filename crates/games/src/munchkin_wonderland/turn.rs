//! Turns: set-up, rolls, walks, what places do, drawing Treasures, and the end of the game.

use super::decide::{Record, roll};
use super::event::{Draw, Event};
use super::fighting;
use super::phase::{Phase, RollKind};
use super::place::{Kind, Place};
use super::room::Room;
use super::tables::{monster_deck, tables};
use wonderpost_rules::{Refusal, Seat};

/// MW-2: shuffles both decks, picks who begins, and rolls for the first turn.
pub fn set_up(record: &mut Record) -> Result<(), Refusal> {
    let monsters = record.shuffle(&monster_deck())?;
    let treasures = record.shuffle(&tables().treasure_deck)?;
    let seats: Vec<Seat> = Seat::all(record.seats()).collect();
    let first = record.pick(&seats)?;
    record.record(Event::Dealt { monsters, treasures, first });
    begin_turn(record, first, 1)
}

/// MW-4: a turn begins by itself with a roll.
fn begin_turn(record: &mut Record, seat: Seat, round: u8) -> Result<(), Refusal> {
    let roll = roll(record)?;
    record.record(Event::Turn { seat, round, roll });
    Ok(())
}

pub fn end_turn(record: &mut Record) -> Result<(), Refusal> {
    // MW-46: no next turn after the last Treasure.
    if record.last_drawn {
        return end_game(record, false);
    }
    // MW-13
    let next = record.turn.next(record.seats());
    if next != record.first {
        return begin_turn(record, next, record.round);
    }
    // MW-48
    if record.round >= tables().limits.rounds {
        return end_game(record, true);
    }
    begin_turn(record, next, record.round + 1)
}

fn end_game(record: &mut Record, bell: bool) -> Result<(), Refusal> {
    let gold = record.players.iter().map(|player| player.gold()).collect();
    record.record(Event::Over { bell, gold });
    Ok(())
}

/// MW-6, MW-11, MW-35: `go <place>`.
pub fn go(record: &mut Record, to: Place) -> Result<(), Refusal> {
    let Phase::Rolled(rolled) = record.phase else { return Err(record.not_now()) };
    match rolled.kind {
        RollKind::Move => {
            check_walk(record, rolled.value, to)?;
            arrive(record, to)
        }
        RollKind::Entrance => {
            // MW-11: the Room whose number is the roll.
            let room = Room::of_roll(rolled.value).ok_or_else(|| record.not_now())?;
            if to != room.place() {
                let (value, there) = (rolled.value, room.place().name());
                return Err(Refusal::new(format!("The Entrance roll is {value}: that leads to {there} alone.")));
            }
            record.record(Event::Went { to });
            fighting::begin(record, room)
        }
        RollKind::Run => {
            check_walk(record, rolled.value, to)?;
            fighting::hide(record, to)
        }
    }
}

/// MW-5: whether a walk of so many steps can end there.
fn check_walk(record: &Record, steps: u8, to: Place) -> Result<(), Refusal> {
    let from = record.player(record.turn).place;
    let ends = from.walk(steps);
    if ends.contains(to) {
        return Ok(());
    }
    let ends: Vec<String> = ends.iter().map(|end| format!("“go {end}”")).collect();
    let (from, to, ends) = (from.name(), to.name(), ends.join(", "));
    Err(Refusal::new(format!("With a {steps} there is no way from {from} to {to}. You can say {ends}.")))
}

/// MW-7 to MW-12: what the place does.
fn arrive(record: &mut Record, to: Place) -> Result<(), Refusal> {
    match to.kind() {
        Kind::Plain => {
            record.record(Event::Went { to });
            end_turn(record)
        }
        // MW-8
        Kind::Roll => {
            record.record(Event::Went { to });
            let roll = roll(record)?;
            record.record(Event::RolledAgain { roll });
            Ok(())
        }
        // MW-9
        Kind::Treasure => {
            record.record(Event::Went { to });
            let draw = draw(record, 1)?;
            record.record(Event::Drew { to: vec![record.turn], draw });
            end_turn(record)
        }
        // MW-10, MW-12
        Kind::Monster(room) | Kind::Room(room) => {
            record.record(Event::Went { to });
            fighting::begin(record, room)
        }
        // MW-11
        Kind::Entrance => {
            let draw = draw(record, 1)?;
            if record.is_last(&draw) {
                record.record(Event::Entered { draw, roll: None });
                return end_turn(record);
            }
            let roll = roll(record)?;
            record.record(Event::Entered { draw, roll: Some(roll) });
            Ok(())
        }
    }
}

/// MW-47: what a draw of so many Treasures brings; the discards are shuffled if the deck does not suffice.
pub fn draw(record: &mut Record, number: usize) -> Result<Draw, Refusal> {
    let mut cards: Vec<_> = record.treasure_deck.iter().rev().take(number).copied().collect();
    let missing = number - cards.len();
    if missing == 0 || record.treasure_discard.is_empty() {
        return Ok(Draw { cards, shuffled: vec![] });
    }
    let pile = record.treasure_discard.clone();
    let shuffled = record.shuffle(&pile)?;
    cards.extend(shuffled.iter().take(missing));
    Ok(Draw { cards, shuffled })
}
