//! MW-34 to MW-36: whoever runs from a fight hides at a place where nothing happens, and loses a card.

use super::super::event::Event;
use super::super::moves::Move;
use super::{MunchkinWonderland, Record, using};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

pub struct Run;

impl Step<MunchkinWonderland> for Run {
    fn name(&self) -> &'static str {
        "run"
    }

    fn awaiting(&self, state: &MunchkinWonderland) -> SeatSet {
        SeatSet::one(state.turn)
    }

    fn moves(&self, state: &MunchkinWonderland, _seat: Seat) -> Vec<Move> {
        let mut moves: Vec<Move> = state.ends_of_walk().iter().map(Move::Go).collect();
        state.list_uses(&mut moves);
        moves
    }

    fn default_move(&self, state: &MunchkinWonderland, _seat: Seat) -> Option<Move> {
        state.ends_of_walk().iter().next().map(Move::Go)
    }

    fn refusal(&self, _state: &MunchkinWonderland) -> Refusal {
        Refusal::new("You are running: say where you hide, or change the roll first.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        // MW-35
        let Move::Go(at) = mv else { return using::act(record, mv) };
        record.check_walk(at)?;
        let cards = record.at_stake().to_vec();
        record.record(Event::Hid { at, choosing: cards.len() > 1 });
        // MW-36: a single card is lost without asking.
        if let [card] = cards[..] {
            record.record(Event::Lost { card });
        }
        Ok(())
    }
}
