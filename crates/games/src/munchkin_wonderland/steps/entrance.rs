//! MW-11: the Entrance roll names a Room.

use super::super::event::Event;
use super::super::moves::Move;
use super::super::phase::Phase;
use super::super::room::Room;
use super::{MunchkinWonderland, Record, fight, using};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

pub struct Entrance;

impl Step<MunchkinWonderland> for Entrance {
    fn name(&self) -> &'static str {
        "entrance"
    }

    fn awaiting(&self, state: &MunchkinWonderland) -> SeatSet {
        SeatSet::one(state.turn)
    }

    fn moves(&self, state: &MunchkinWonderland, seat: Seat) -> Vec<Move> {
        let mut moves: Vec<Move> = self.default_move(state, seat).into_iter().collect();
        state.list_uses(&mut moves);
        moves
    }

    fn default_move(&self, state: &MunchkinWonderland, _seat: Seat) -> Option<Move> {
        named_room(state).map(|room| Move::Go(room.place()))
    }

    fn refusal(&self, _state: &MunchkinWonderland) -> Refusal {
        Refusal::new("The Entrance roll has named a Room: go there, or use a Treasure first.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        let Move::Go(to) = mv else { return using::act(record, mv) };
        let room = named_room(record).ok_or_else(|| self.refusal(record))?;
        if to != room.place() {
            let (value, there) = (room.facts().number, room.place().name());
            return Err(Refusal::new(format!("The Entrance roll is {value}: that leads to {there} alone.")));
        }
        record.record(Event::Went { to });
        fight::begin(record, room)
    }
}

/// The Room whose number is the roll.
fn named_room(state: &MunchkinWonderland) -> Option<Room> {
    match &state.phase {
        Phase::Rolled(roll) => Room::of_roll(roll.value),
        Phase::Between | Phase::Fight(_) | Phase::Share(_) | Phase::Discard | Phase::Over => None,
    }
}
