//! MR-42: the fourth royal. One of the four goes back to the court, for a card.

use super::cards::Cards;
use super::event::Event;
use super::moves::Move;
use super::{MessengerRabbits, Record, turn};
use wonderpost_rules::Refusal;

pub fn decide(record: &mut Record, mv: Move) -> Result<(), Refusal> {
    let Move::Release(royal) = mv else {
        return Err(Refusal::new("You have four royals and three carrots: release one of the royals."));
    };
    if !record.royals(record.active).contains(royal) {
        return Err(Refusal::new("Release one of your four royals."));
    }
    let drawn = turn::draw(record, 1)?;
    record.record(Event::Released { royal, drawn });
    Ok(())
}

impl MessengerRabbits {
    pub(super) fn list_releases(&self) -> Vec<Move> {
        self.royals(self.active).iter().map(Move::Release).collect()
    }

    /// What leaves the trio nearest to the objective; then the royal worth least.
    pub(super) fn default_release(&self) -> Option<Move> {
        let royals = self.royals(self.active);
        let worths = self.worths(self.active);
        let objective = self.options.objective;
        let loss = |royal: &wonderpost_rules::Card| (objective.lacks(royals - Cards::one(*royal)), worths.of(*royal));
        royals.iter().min_by_key(loss).map(Move::Release)
    }
}
