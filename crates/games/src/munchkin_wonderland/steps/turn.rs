//! Turns: the deal, the roll with which each begins, drawing Treasures, and the end of the game.

use super::super::event::{Draw, Event};
use super::super::tables::{monster_deck, tables};
use super::Record;
use super::dice::roll;
use wonderpost_rules::{Refusal, Seat};

/// MW-2: shuffles both decks, picks who begins, and rolls for the first turn.
pub fn set_up(record: &mut Record) -> Result<(), Refusal> {
    let monsters = record.shuffle(&monster_deck())?;
    let treasures = record.shuffle(&tables().treasure_deck)?;
    let seats: Vec<Seat> = Seat::all(record.seats()).collect();
    let first = record.pick(&seats)?;
    record.record(Event::Dealt { monsters, treasures, first });
    begin(record, first, 1)
}

/// MW-4: a turn begins by itself with a roll.
fn begin(record: &mut Record, seat: Seat, round: u8) -> Result<(), Refusal> {
    let roll = roll(record)?;
    record.record(Event::Turn { seat, round, roll });
    Ok(())
}

/// What follows a turn: the next one, or the end of the game.
pub fn end(record: &mut Record) -> Result<(), Refusal> {
    // MW-46: no next turn after the last Treasure.
    if record.last_drawn {
        return end_game(record, false);
    }
    // MW-13
    let next = record.turn.next(record.seats());
    if next != record.first {
        return begin(record, next, record.round);
    }
    // MW-48
    if record.round >= tables().limits.rounds {
        return end_game(record, true);
    }
    begin(record, next, record.round + 1)
}

fn end_game(record: &mut Record, bell: bool) -> Result<(), Refusal> {
    let gold = record.players.iter().map(|player| player.gold()).collect();
    record.record(Event::Over { bell, gold });
    Ok(())
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
