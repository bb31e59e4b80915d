//! MW-36: which card is lost by running.

use super::super::event::Event;
use super::super::moves::Move;
use super::super::treasure::{Treasure, different};
use super::{MunchkinWonderland, Record};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

pub struct Discard;

impl Step<MunchkinWonderland> for Discard {
    fn name(&self) -> &'static str {
        "discard"
    }

    fn awaiting(&self, state: &MunchkinWonderland) -> SeatSet {
        SeatSet::one(state.turn)
    }

    fn moves(&self, state: &MunchkinWonderland, _seat: Seat) -> Vec<Move> {
        different(state.at_stake()).map(Move::Discard).collect()
    }

    fn default_move(&self, state: &MunchkinWonderland, _seat: Seat) -> Option<Move> {
        let least = state.at_stake().iter().copied().min_by_key(|card| (card.gold(), card.bonus(), *card));
        least.map(Move::Discard)
    }

    fn refusal(&self, _state: &MunchkinWonderland) -> Refusal {
        Refusal::new("Say which card you lose.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        let Move::Discard(card) = mv else { return Err(self.refusal(record)) };
        if !record.at_stake().contains(&card) {
            return Err(Refusal::new(if record.player(record.turn).friends.is_empty() {
                format!("You do not have {} in your hand.", card.title())
            } else {
                format!("One of your Friends in play is lost, and {} is none of them.", card.title())
            }));
        }
        record.record(Event::Lost { card });
        Ok(())
    }
}

impl MunchkinWonderland {
    /// MW-36, MW-45: what the fighter, never the helper, may lose: one of the Friends in play, else a card from the hand.
    pub(super) fn at_stake(&self) -> &[Treasure] {
        let player = self.player(self.turn);
        if player.friends.is_empty() { &player.hand } else { &player.friends }
    }
}
