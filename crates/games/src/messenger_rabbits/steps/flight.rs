//! Clubs: flights among the King towers, in the air (MR-35 to MR-37).

use super::super::cards::Cards;
use super::super::event::Event;
use super::super::hexagon::Hexagon;
use super::super::moves::Move;
use super::super::payment::{Asks, cheapest};
use super::super::phase::Action;
use super::super::suits::Suits;
use super::{MessengerRabbits, Record, pay};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

/// MR-36, MR-37: a flight that falls short.
pub struct Flight;

impl Step<MessengerRabbits> for Flight {
    fn name(&self) -> &'static str {
        "flight"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        SeatSet::one(state.active)
    }

    fn moves(&self, state: &MessengerRabbits, _seat: Seat) -> Vec<Move> {
        let landings = state.landings().into_iter().map(|paying| Move::Act(Action::Land, Some(paying)));
        landings.chain([Move::Fall]).collect()
    }

    /// The flight was meant to land.
    fn default_move(&self, state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        let landing = cheapest(state.landings(), &state.worths(state.active));
        Some(landing.map_or(Move::Fall, |paying| Move::Act(Action::Land, Some(paying))))
    }

    fn refusal(&self, _state: &MessengerRabbits) -> Refusal {
        Refusal::new("Your flight falls short: pay to land, or fall.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        match mv {
            Move::Act(Action::Land, paying) => pay::act(record, Action::Land, paying),
            Move::Fall => {
                record.record(Event::Fell);
                Ok(())
            }
            _ => Err(self.refusal(record)),
        }
    }

    /// MR-35: the shown club reaches the dice.
    fn run(&self, record: &mut Record) -> Result<bool, Refusal> {
        let far_enough = record.flight.is_some_and(|flight| flight.worth >= record.price());
        if far_enough {
            land(record, Cards::EMPTY);
        }
        Ok(far_enough)
    }
}

/// MR-35: an arrival.
pub fn land(record: &mut Record, paid: Cards) {
    let asked = record.flight.map(|flight| record.asked_at(flight.to, paid)).unwrap_or_default();
    record.record(Event::Landed { paid, asked });
}

impl MessengerRabbits {
    /// MR-36: the shortfall, in the suit of the tower where the flight began.
    pub(super) fn landing_asks(&self) -> Result<Asks, Refusal> {
        let Some(flight) = self.flight else { return Err(Refusal::new("You are not in the air.")) };
        let shortfall = self.price().saturating_sub(flight.worth);
        Ok(match flight.from {
            Hexagon::House(tower) => Asks::one(shortfall, Suits::one(tower.suit), self.has_capital_in(tower.suit)),
            // MR-61: from the Citadel, in any suit.
            Hexagon::Citadel => Asks::one(shortfall, self.suits, false),
        })
    }

    fn landings(&self) -> Vec<Cards> {
        let asks = self.landing_asks();
        asks.map_or(vec![], |asks| asks.payments(self.active_hand(), &self.worths(self.active)))
    }
}
