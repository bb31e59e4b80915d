//! The moves that are listed for an awaited seat, and the one made if time runs out.

use super::MunchkinWonderland;
use super::moves::Move;
use super::phase::{Phase, Roll, RollKind, Stage};
use super::place::{Kind, Place, PlaceSet};
use super::room::Room;
use super::treasure::Treasure;
use wonderpost_rules::Seat;

impl MunchkinWonderland {
    pub(super) fn list_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(16);
        match &self.phase {
            Phase::Rolled(roll) => {
                moves.extend(self.destinations(*roll).iter().map(Move::Go));
                self.list_uses(&mut moves);
            }
            Phase::Fight(fight) => match fight.stage {
                Stage::Fighter => {
                    self.list_uses(&mut moves);
                    list_calls(&self.can_ask(fight), &mut moves);
                    moves.push(Move::Run);
                }
                Stage::Asked => moves.extend([Move::Help, Move::Refuse]),
                Stage::Helper => {
                    self.list_uses(&mut moves);
                    moves.push(Move::Done);
                }
            },
            Phase::Share(share) => moves.extend(different(&share.cards).map(Move::Take)),
            Phase::Discard => moves.extend(different(self.at_stake()).map(Move::Discard)),
            Phase::Between | Phase::Over => {}
        }
        moves
    }

    /// Where a roll can lead.
    fn destinations(&self, roll: Roll) -> PlaceSet {
        match roll.kind {
            RollKind::Move | RollKind::Run => self.player(self.turn).place.walk(roll.value),
            RollKind::Entrance => {
                let mut only = PlaceSet::EMPTY;
                if let Some(room) = Room::of_roll(roll.value) {
                    only.insert(room.place());
                }
                only
            }
        }
    }

    /// The move made for somebody whose time has run out.
    pub(super) fn default_now(&self) -> Option<Move> {
        match &self.phase {
            Phase::Rolled(roll) => {
                let mut places = self.destinations(*roll).iter();
                let place = match roll.kind {
                    // The calmest landing.
                    RollKind::Move => places.min_by_key(|place| (calm(*place), *place)),
                    RollKind::Entrance | RollKind::Run => places.next(),
                };
                place.map(Move::Go)
            }
            Phase::Fight(fight) => Some(match fight.stage {
                Stage::Fighter => Move::Run,
                Stage::Asked => Move::Refuse,
                Stage::Helper => Move::Done,
            }),
            Phase::Share(share) => share.cards.iter().copied().min_by_key(|card| best_first(*card)).map(Move::Take),
            Phase::Discard => {
                let least = self.at_stake().iter().copied().min_by_key(|card| (card.gold(), card.bonus(), *card));
                least.map(Move::Discard)
            }
            Phase::Between | Phase::Over => None,
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

/// The most Gold first, then the highest printed bonus, then by byte order.
pub fn best_first(card: Treasure) -> (std::cmp::Reverse<(u8, u8)>, Treasure) {
    (std::cmp::Reverse((card.gold(), card.bonus())), card)
}

/// Cards in byte order, each once.
fn different(cards: &[Treasure]) -> impl Iterator<Item = Treasure> {
    let mut last = None;
    cards.iter().copied().filter(move |card| last.replace(*card) != Some(*card))
}

/// MW-39: each choice of seats, in turn order.
fn list_calls(near: &[Seat], moves: &mut Vec<Move>) {
    for chosen in 1u32..1 << near.len() {
        let seats = near.iter().enumerate().filter(|(place, _)| chosen & (1 << place) != 0).map(|(_, seat)| *seat);
        moves.push(Move::Ask(seats.collect()));
    }
}
