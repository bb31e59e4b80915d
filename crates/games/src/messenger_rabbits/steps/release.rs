//! MR-42: the fourth royal. One of the four goes back to the court, for a card.

use super::super::cards::Cards;
use super::super::event::Event;
use super::super::moves::Move;
use super::{MessengerRabbits, Record, turn};
use wonderpost_rules::{Card, Refusal, Seat, SeatSet, Step};

pub struct Release;

impl Step<MessengerRabbits> for Release {
    fn name(&self) -> &'static str {
        "release"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        SeatSet::one(state.active)
    }

    fn moves(&self, state: &MessengerRabbits, _seat: Seat) -> Vec<Move> {
        state.royals(state.active).iter().map(Move::Release).collect()
    }

    /// What leaves the trio nearest to the objective; then the royal worth least.
    fn default_move(&self, state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        let royals = state.royals(state.active);
        let worths = state.worths(state.active);
        let objective = state.options.objective;
        let loss = |royal: &Card| (objective.lacks(royals - Cards::one(*royal)), worths.of(*royal));
        royals.iter().min_by_key(loss).map(Move::Release)
    }

    fn refusal(&self, _state: &MessengerRabbits) -> Refusal {
        Refusal::new("You have four royals and three carrots: release one of the royals.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        let Move::Release(royal) = mv else { return Err(self.refusal(record)) };
        if !record.royals(record.active).contains(royal) {
            return Err(Refusal::new("Release one of your four royals."));
        }
        let drawn = turn::draw(record, 1)?;
        record.record(Event::Released { royal, drawn });
        Ok(())
    }
}
