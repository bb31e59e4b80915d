//! Deciding: what the deal and each move bring about, up to the next decision.

use super::WeAreNotAmused;
use super::card::{DeckCard, GardenCard};
use super::cell::Cell;
use super::deck::Pile;
use super::event::Event;
use super::garden::Garden;
use super::moves::Move;
use super::phase::{Ended, Phase};
use wonderpost_rules::{Recorder, Refusal};

type Record<'a> = Recorder<'a, WeAreNotAmused>;

/// WNA-2 to WNA-5: lays out the garden and puts down the deck.
pub fn set_up(record: &mut Record) -> Result<(), Refusal> {
    let cards = starting_order(&GardenCard::LAID_OUT);
    let mut garden = lay_out(&record.shuffle(&cards)?);
    // WNA-3: as often as it takes.
    while garden.queen_walled_in() {
        record.record(Event::WalledIn { garden });
        garden = lay_out(&record.shuffle(&cards)?);
    }
    let deck = record.shuffle(&starting_order(&DeckCard::DECK))?.into_iter().collect();
    record.record(Event::LaidOut { garden, deck });
    carry_on(record, false);
    Ok(())
}

pub fn decide(record: &mut Record, mv: Move) -> Result<(), Refusal> {
    match record.phase {
        Phase::Play => decide_play(record, mv),
        Phase::Plant => {
            let event = record.plant(mv)?;
            record.record(event);
            carry_on(record, false);
            Ok(())
        }
        Phase::Stuck => match mv {
            Move::Shuffle => shuffle(record),
            Move::End => end(record),
            _ => Err(Refusal::new("The deck has come round with nothing to play: you can shuffle, or end the game.")),
        },
        Phase::Turning | Phase::Over(_) => Err(Refusal::new("There is nothing to decide.")),
    }
}

fn decide_play(record: &mut Record, mv: Move) -> Result<(), Refusal> {
    let Some(revealed) = record.revealed() else { return Err(Refusal::new("No card is turned over.")) };
    match mv {
        // WNA-12
        Move::Pass => {
            record.record(Event::Passed { card: revealed });
            carry_on(record, false);
            Ok(())
        }
        // WNA-13
        Move::PassAll => {
            record.record(Event::PassedAll { card: revealed });
            carry_on(record, true);
            Ok(())
        }
        Move::Shuffle => shuffle(record),
        Move::End => end(record),
        Move::Attack { .. }
        | Move::Paint { .. }
        | Move::Vanish { .. }
        | Move::Swap
        | Move::Collect { .. }
        | Move::Plant { .. } => {
            let event = record.play(revealed, mv)?;
            record.record(event);
            carry_on(record, false);
            Ok(())
        }
    }
}

/// WNA-34, WNA-35: the whole pile and the whole discard pile become a new deck.
fn shuffle(record: &mut Record) -> Result<(), Refusal> {
    if record.shuffles_left == 0 {
        return Err(Refusal::new("No shuffle is left."));
    }
    let mut cards: Vec<DeckCard> = record.deck.cards().iter().chain(record.discard.iter()).copied().collect();
    cards.sort_unstable();
    let deck: Pile = record.shuffle(&cards)?.into_iter().collect();
    record.record(Event::Shuffled { deck });
    carry_on(record, false);
    Ok(())
}

/// WNA-38: the game ends at once.
fn end(record: &mut Record) -> Result<(), Refusal> {
    let score = record.delivered;
    record.record(Event::Over { why: Ended::Quit, score });
    Ok(())
}

/// Records all that happens by itself until a decision is due or the game is over.
fn carry_on(record: &mut Record, mut passing: bool) {
    while let Some(event) = record.next_event(passing) {
        // WNA-13: until the cycle ends or a Bramble is planted.
        passing = passing && !matches!(event, Event::CameRound { .. } | Event::Filled { .. });
        record.record(event);
    }
}

fn starting_order<C: Copy>(cards: &[(C, u8)]) -> Vec<C> {
    cards.iter().flat_map(|(card, number)| std::iter::repeat_n(*card, *number as usize)).collect()
}

/// WNA-2: the cards in reading order around the Queen.
fn lay_out(cards: &[GardenCard]) -> Garden {
    let mut garden = Garden::default();
    garden.put(Cell::QUEEN, GardenCard::Queen);
    let cells = Cell::all().filter(|cell| *cell != Cell::QUEEN);
    cells.zip(cards).for_each(|(cell, card)| garden.put(cell, *card));
    garden
}
