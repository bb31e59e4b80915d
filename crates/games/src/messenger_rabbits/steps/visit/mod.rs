//! MR-16: the visit. Attack, buy and offer once each; a claim or `done` ends it.

pub mod claim;
pub mod market;

use super::super::event::Event;
use super::super::moves::Move;
use super::super::phase::Action;
use super::{MessengerRabbits, Record, fight, pay, trade, turn};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

pub struct Visit;

impl Step<MessengerRabbits> for Visit {
    fn name(&self) -> &'static str {
        "visit"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        SeatSet::one(state.active)
    }

    fn moves(&self, state: &MessengerRabbits, _seat: Seat) -> Vec<Move> {
        let mut moves = vec![Move::Done];
        state.list_attacks(&mut moves);
        state.list_offers(&mut moves);
        state.list_paid(state.claims().chain(state.purchases()), &mut moves);
        moves
    }

    fn default_move(&self, _state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        Some(Move::Done)
    }

    fn refusal(&self, _state: &MessengerRabbits) -> Refusal {
        Refusal::new("You are on a visit: do something here, or say “done”.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        match mv {
            Move::Done => turn::increment(record),
            Move::Act(action @ (Action::Claim(_) | Action::Buy(_)), paying) => pay::act(record, action, paying),
            Move::Attack { target, with } if record.is_standard() => fight::attack(record, target, with),
            Move::Attack { .. } => Err(Refusal::new("There are no fights in the introduction.")),
            Move::Offer { card, to, suit } => trade::offer(record, card, to, suit),
            _ => Err(self.refusal(record)),
        }
    }

    fn run(&self, record: &mut Record) -> Result<bool, Refusal> {
        // MR-51
        if record.has_won() {
            let royals = record.royals(record.active);
            record.record(Event::Won { royals });
            return Ok(true);
        }
        if record.has_something_to_do() {
            return Ok(false);
        }
        turn::increment(record)?;
        Ok(true)
    }
}

impl MessengerRabbits {
    /// A visit that would offer nothing but its end is skipped.
    fn has_something_to_do(&self) -> bool {
        let worths = self.worths(self.active);
        let mut moves = vec![];
        self.list_attacks(&mut moves);
        self.list_offers(&mut moves);
        !moves.is_empty()
            || self.claims().chain(self.purchases()).any(|(_, asks)| asks.payable(self.active_hand(), &worths))
    }
}
