//! MW-5 to MW-12: a walk by the move roll, and what the place does where it ends.

use super::super::event::Event;
use super::super::moves::Move;
use super::super::phase::Phase;
use super::super::place::{Kind, Place, PlaceSet};
use super::dice::roll;
use super::{MunchkinWonderland, Record, fight, turn, using};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

pub struct Walk;

impl Step<MunchkinWonderland> for Walk {
    fn name(&self) -> &'static str {
        "move"
    }

    fn awaiting(&self, state: &MunchkinWonderland) -> SeatSet {
        SeatSet::one(state.turn)
    }

    fn moves(&self, state: &MunchkinWonderland, _seat: Seat) -> Vec<Move> {
        let mut moves: Vec<Move> = state.ends_of_walk().iter().map(Move::Go).collect();
        state.list_uses(&mut moves);
        moves
    }

    /// The calmest landing.
    fn default_move(&self, state: &MunchkinWonderland, _seat: Seat) -> Option<Move> {
        state.ends_of_walk().iter().min_by_key(|place| (calm(*place), *place)).map(Move::Go)
    }

    fn refusal(&self, _state: &MunchkinWonderland) -> Refusal {
        Refusal::new("You have rolled: say where you go, or use a Treasure on the roll first.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        match mv {
            // MW-6
            Move::Go(to) => {
                record.check_walk(to)?;
                arrive(record, to)
            }
            mv => using::act(record, mv),
        }
    }
}

/// How little happens at a place; the least first.
fn calm(place: Place) -> u8 {
    match place.kind() {
        Kind::Treasure => 0,
        Kind::Roll => 1,
        Kind::Plain => 2,
        Kind::Entrance => 3,
        Kind::Monster(_) => 4,
        Kind::Room(_) => 5,
    }
}

/// MW-7 to MW-12: what the place does.
fn arrive(record: &mut Record, to: Place) -> Result<(), Refusal> {
    match to.kind() {
        Kind::Plain => record.record(Event::Went { to }),
        // MW-8
        Kind::Roll => {
            record.record(Event::Went { to });
            let roll = roll(record)?;
            record.record(Event::RolledAgain { roll });
        }
        // MW-9
        Kind::Treasure => {
            record.record(Event::Went { to });
            let draw = turn::draw(record, 1)?;
            record.record(Event::Drew { to: vec![record.turn], draw });
        }
        // MW-10, MW-12
        Kind::Monster(room) | Kind::Room(room) => {
            record.record(Event::Went { to });
            fight::begin(record, room)?;
        }
        // MW-11
        Kind::Entrance => {
            let draw = turn::draw(record, 1)?;
            let roll = if record.is_last(&draw) { None } else { Some(roll(record)?) };
            record.record(Event::Entered { draw, roll });
        }
    }
    Ok(())
}

impl MunchkinWonderland {
    /// MW-5: where a walk by the roll can end.
    pub(super) fn ends_of_walk(&self) -> PlaceSet {
        self.player(self.turn).place.walk(self.steps())
    }

    /// The roll that one walks by.
    fn steps(&self) -> u8 {
        match &self.phase {
            Phase::Rolled(roll) => roll.value,
            Phase::Between | Phase::Fight(_) | Phase::Share(_) | Phase::Discard | Phase::Over => 0,
        }
    }

    /// MW-5: whether a walk by the roll can end there.
    pub(super) fn check_walk(&self, to: Place) -> Result<(), Refusal> {
        let ends = self.ends_of_walk();
        if ends.contains(to) {
            return Ok(());
        }
        let ends: Vec<String> = ends.iter().map(|end| format!("“go {end}”")).collect();
        let (steps, from, to, ends) = (self.steps(), self.player(self.turn).place.name(), to.name(), ends.join(", "));
        Err(Refusal::new(format!("With a {steps} there is no way from {from} to {to}. You can say {ends}.")))
    }
}
