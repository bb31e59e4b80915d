//! MW-42, MW-43: the helper uses cards.

use super::super::event::Event;
use super::super::moves::Move;
use super::{MunchkinWonderland, Record, fight, using};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

pub struct Assist;

impl Step<MunchkinWonderland> for Assist {
    fn name(&self) -> &'static str {
        "assist"
    }

    fn awaiting(&self, state: &MunchkinWonderland) -> SeatSet {
        SeatSet::one(state.acting())
    }

    fn moves(&self, state: &MunchkinWonderland, _seat: Seat) -> Vec<Move> {
        let mut moves = Vec::with_capacity(16);
        state.list_uses(&mut moves);
        moves.push(Move::Done);
        moves
    }

    fn default_move(&self, _state: &MunchkinWonderland, _seat: Seat) -> Option<Move> {
        Some(Move::Done)
    }

    fn refusal(&self, _state: &MunchkinWonderland) -> Refusal {
        Refusal::new("You are helping in a fight: use a card, or say done.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        match mv {
            Move::Done => {
                record.record(Event::Done);
                Ok(())
            }
            mv => using::act(record, mv),
        }
    }

    fn run(&self, record: &mut Record) -> Result<bool, Refusal> {
        if fight::win(record)? {
            return Ok(true);
        }
        // MW-37: whoever has no card has nothing to add.
        let empty = record.player(record.acting()).hand.is_empty();
        if empty {
            record.record(Event::Done);
        }
        Ok(empty)
    }
}
