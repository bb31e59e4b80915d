//! Clubs: flights among the King towers (MR-34 to MR-37).

use super::cards::Cards;
use super::event::Event;
use super::hexagon::{Hexagon, Hexagons, Kind};
use super::moves::Move;
use super::payment::{Asks, cheapest};
use super::phase::Action;
use super::suits::Suits;
use super::{MessengerRabbits, Record, pay, turn};
use wonderpost_rules::{Refusal, Seat, Suit};

/// MR-34: before the roll.
pub fn take_off(record: &mut Record, mv: Move) -> Result<(), Refusal> {
    match mv {
        Move::Roll => {}
        Move::Fly { to, showing } => {
            if !record.goals(record.active).contains(to) {
                return Err(Refusal::new(format!("You cannot fly to {} from here.", to.in_words())));
            }
            if !record.clubs(record.active).contains(showing) {
                return Err(Refusal::new("Show a club of your hand to take off."));
            }
            let worth = record.worths(record.active).of(showing);
            record.record(Event::TookOff { to, showing, worth });
        }
        _ => return Err(Refusal::new("Your turn begins: fly, or roll the dice.")),
    }
    turn::roll(record, record.active, record.round)
}

/// MR-36, MR-37: a flight that falls short.
pub fn come_down(record: &mut Record, mv: Move) -> Result<(), Refusal> {
    match mv {
        Move::Act(Action::Land, paying) => pay::act(record, Action::Land, paying),
        Move::Fall => {
            record.record(Event::Fell);
            Ok(())
        }
        _ => Err(Refusal::new("Your flight falls short: pay to land, or fall.")),
    }
}

/// MR-35: an arrival.
pub fn land(record: &mut Record, paid: Cards) {
    let asked = record.flight.map(|flight| record.asked_at(flight.to, paid)).unwrap_or_default();
    record.record(Event::Landed { paid, asked });
}

impl MessengerRabbits {
    fn clubs(&self, seat: Seat) -> Cards {
        self.hand(seat) & Cards::of_suit(Suit::Clubs)
    }

    /// MR-61: the advanced Citadel counts as a King tower.
    fn is_tower(&self, hexagon: Hexagon) -> bool {
        match hexagon {
            Hexagon::House(house) => house.kind == Kind::Tower,
            Hexagon::Citadel => self.options.advanced_citadel,
        }
    }

    /// Where a rabbit can fly from where it is.
    fn goals(&self, seat: Seat) -> Hexagons {
        let Some(from) = self.rabbit(seat).hexagon().filter(|from| self.is_standard() && self.is_tower(*from)) else {
            return Hexagons::NONE;
        };
        let others = self.land.hexagons.without(Hexagons::one(from));
        // MR-66
        if self.options.special_flights {
            return others;
        }
        others.iter().filter(|goal| self.is_tower(*goal)).collect()
    }

    pub(super) fn may_take_off(&self, seat: Seat) -> bool {
        !self.clubs(seat).is_empty() && !self.goals(seat).is_empty()
    }

    /// MR-35: the shown club reaches the dice.
    pub(super) fn flies_far_enough(&self) -> bool {
        self.flight.is_some_and(|flight| flight.worth >= self.price())
    }

    pub(super) fn list_flights(&self) -> Vec<Move> {
        let mut moves = vec![Move::Roll];
        for to in self.goals(self.active).iter() {
            moves.extend(self.clubs(self.active).iter().map(|showing| Move::Fly { to, showing }));
        }
        moves
    }

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

    pub(super) fn list_landings(&self) -> Vec<Move> {
        let landings = self.landings().into_iter().map(|paying| Move::Act(Action::Land, Some(paying)));
        landings.chain([Move::Fall]).collect()
    }

    /// The flight was meant to land.
    pub(super) fn default_landing(&self) -> Move {
        let landing = cheapest(self.landings(), &self.worths(self.active));
        landing.map_or(Move::Fall, |paying| Move::Act(Action::Land, Some(paying)))
    }
}
