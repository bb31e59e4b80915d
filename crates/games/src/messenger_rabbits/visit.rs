//! MR-16: the visit. Attack, buy and offer once each; a claim or `done` ends it.

use super::moves::Move;
use super::phase::Action;
use super::{MessengerRabbits, Record, fights, pay, trade, turn};
use wonderpost_rules::Refusal;

pub fn decide(record: &mut Record, mv: Move) -> Result<(), Refusal> {
    match mv {
        Move::Done => turn::increment(record),
        Move::Act(action @ (Action::Claim(_) | Action::Buy(_)), paying) => pay::act(record, action, paying),
        Move::Attack { target, with } if record.is_standard() => fights::attack(record, target, with),
        Move::Attack { .. } => Err(Refusal::new("There are no fights in the introduction.")),
        Move::Offer { card, to, suit } => trade::offer(record, card, to, suit),
        _ => Err(Refusal::new("You are on a visit: do something here, or say “done”.")),
    }
}

impl MessengerRabbits {
    pub(super) fn list_visit(&self) -> Vec<Move> {
        let mut moves = vec![Move::Done];
        self.list_attacks(&mut moves);
        self.list_offers(&mut moves);
        self.list_paid(self.claims().chain(self.purchases()), &mut moves);
        moves
    }

    /// A visit that would offer nothing but its end is skipped.
    pub(super) fn has_something_to_do(&self) -> bool {
        let worths = self.worths(self.active);
        let mut moves = vec![];
        self.list_attacks(&mut moves);
        self.list_offers(&mut moves);
        !moves.is_empty()
            || self.claims().chain(self.purchases()).any(|(_, asks)| asks.payable(self.active_hand(), &worths))
    }
}
