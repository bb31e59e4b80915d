//! Hearts: the visitor's answer to a contest (MR-45, MR-46).

use super::super::event::Event;
use super::super::moves::Move;
use super::super::payment::cheapest;
use super::{MessengerRabbits, Record, contest};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

pub struct Prove;

impl Step<MessengerRabbits> for Prove {
    fn name(&self) -> &'static str {
        "prove"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        SeatSet::one(state.active)
    }

    fn moves(&self, state: &MessengerRabbits, _seat: Seat) -> Vec<Move> {
        state.hearts_to_show(state.active).into_iter().map(Move::Prove).chain([Move::Concede]).collect()
    }

    /// Proving costs nothing.
    fn default_move(&self, state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        let proof = cheapest(state.hearts_to_show(state.active), &state.worths(state.active));
        Some(proof.map_or(Move::Concede, Move::Prove))
    }

    fn refusal(&self, _state: &MessengerRabbits) -> Refusal {
        Refusal::new("Your visit is contested: prove a blessed heart, or concede.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        match mv {
            Move::Concede => record.record(Event::Conceded),
            Move::Prove(cards) => {
                let cards = record.checked_hearts(record.active, cards)?;
                record.record(Event::Proved { cards });
            }
            _ => return Err(self.refusal(record)),
        }
        Ok(())
    }

    /// MR-45: a visitor who cannot prove concedes.
    fn run(&self, record: &mut Record) -> Result<bool, Refusal> {
        let can_prove = contest::asks().payable(record.active_hand(), &record.worths(record.active));
        if !can_prove {
            record.record(Event::Conceded);
        }
        Ok(!can_prove)
    }
}
