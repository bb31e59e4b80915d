//! MR-10: what comes before the first decision: the map and the deal.

use super::super::cards::Cards;
use super::super::event::Event;
use super::super::land::Layout;
use super::super::options::Map;
use super::{Record, build};
use wonderpost_rules::{Refusal, run_steps};

/// MR-10: how many cards each seat is dealt; late seats get one more.
const DEALT: usize = 3;

/// MR-10: the map, the deal and the first turn.
pub fn set_up(record: &mut Record) -> Result<(), Refusal> {
    match record.options.board {
        Map::Sample => {
            let layout = Layout::sample(record.suits);
            record.record(Event::Surveyed { layout });
        }
        Map::Random => build::survey(record)?,
        Map::Built => return build::begin(record),
    }
    deal(record)?;
    run_steps(record)
}

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
