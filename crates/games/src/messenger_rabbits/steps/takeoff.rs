//! Clubs: flights among the King towers, from the ground (MR-34).

use super::super::cards::Cards;
use super::super::event::Event;
use super::super::hexagon::{Hexagon, Hexagons, Kind};
use super::super::moves::Move;
use super::{MessengerRabbits, Record, turn};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step, Suit};

/// MR-34: a turn begins where the rabbit may take off, before the roll.
pub struct Takeoff;

impl Step<MessengerRabbits> for Takeoff {
    fn name(&self) -> &'static str {
        "takeoff"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        SeatSet::one(state.active)
    }

    fn moves(&self, state: &MessengerRabbits, _seat: Seat) -> Vec<Move> {
        let mut moves = vec![Move::Roll];
        for to in state.goals(state.active).iter() {
            moves.extend(state.clubs(state.active).iter().map(|showing| Move::Fly { to, showing }));
        }
        moves
    }

    fn default_move(&self, _state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        Some(Move::Roll)
    }

    fn refusal(&self, _state: &MessengerRabbits) -> Refusal {
        Refusal::new("Your turn begins: fly, or roll the dice.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
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
            _ => return Err(self.refusal(record)),
        }
        turn::roll(record, record.active, record.round)
    }
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
}
