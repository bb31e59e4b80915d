//! MW-44: the helper takes one of the Treasures won, the fighter the rest.

use super::super::event::Event;
use super::super::moves::Move;
use super::super::phase::Phase;
use super::super::treasure::{best_first, different};
use super::{MunchkinWonderland, Record};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

pub struct Share;

impl Step<MunchkinWonderland> for Share {
    fn name(&self) -> &'static str {
        "share"
    }

    fn awaiting(&self, state: &MunchkinWonderland) -> SeatSet {
        match &state.phase {
            Phase::Share(share) => SeatSet::one(share.helper),
            Phase::Between | Phase::Rolled(_) | Phase::Fight(_) | Phase::Discard | Phase::Over => SeatSet::EMPTY,
        }
    }

    fn moves(&self, state: &MunchkinWonderland, _seat: Seat) -> Vec<Move> {
        let Phase::Share(share) = &state.phase else { return vec![] };
        different(&share.cards).map(Move::Take).collect()
    }

    fn default_move(&self, state: &MunchkinWonderland, _seat: Seat) -> Option<Move> {
        let Phase::Share(share) = &state.phase else { return None };
        share.cards.iter().copied().min_by_key(|card| best_first(*card)).map(Move::Take)
    }

    fn refusal(&self, _state: &MunchkinWonderland) -> Refusal {
        Refusal::new("Take one of the Treasures that are shown.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        let (Phase::Share(share), Move::Take(card)) = (&record.phase, mv) else { return Err(self.refusal(record)) };
        if !share.cards.contains(&card) {
            let shown: Vec<&str> = share.cards.iter().map(|card| card.id()).collect();
            let shown = shown.join(", ");
            return Err(Refusal::new(format!("{} is not among the Treasures shown: {shown}.", card.title())));
        }
        record.record(Event::Took { card });
        Ok(())
    }

    /// Where all are alike there is nothing to choose from.
    fn run(&self, record: &mut Record) -> Result<bool, Refusal> {
        let Phase::Share(share) = &record.phase else { return Ok(false) };
        match share.cards[..] {
            [card, ref others @ ..] if others.iter().all(|other| *other == card) => {
                record.record(Event::Took { card });
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
