//! MR-23, MR-24: winning a royal over.

use super::super::super::cards::Cards;
use super::super::super::event::Event;
use super::super::super::hexagon::{Hexagon, House};
use super::super::super::payment::Asks;
use super::super::super::phase::Action;
use super::super::super::suits::Suits;
use super::{MessengerRabbits, Record};
use wonderpost_rules::Refusal;

/// MR-23: the price of a royal.
pub const CLAIM: u16 = 10;

/// The payment is made first: a royal in it frees its carrot (MR-24).
pub fn claim(record: &mut Record, house: House, paid: Cards) {
    record.record(Event::Claimed { house, paid });
}

impl MessengerRabbits {
    /// The house here, if its royal is to be had.
    fn house_to_claim(&self) -> Option<House> {
        let house = self.active_hexagon().and_then(Hexagon::house)?;
        self.court.contains(house.royal()).then_some(house)
    }

    fn toll(&self, house: House) -> Asks {
        Asks::one(CLAIM, Suits::one(house.suit), self.has_capital_in(house.suit))
    }

    pub(in super::super) fn claim_asks(&self, house: House) -> Result<Asks, Refusal> {
        if self.active_hexagon() != Some(Hexagon::House(house)) {
            return Err(Refusal::new(format!("You are not at {}.", house.in_words())));
        }
        if self.house_to_claim() != Some(house) {
            return Err(Refusal::new(format!("{house} is not in the court.")));
        }
        Ok(self.toll(house))
    }

    pub(super) fn claims(&self) -> impl Iterator<Item = (Action, Asks)> {
        self.house_to_claim().into_iter().map(|house| (Action::Claim(house), self.toll(house)))
    }
}
