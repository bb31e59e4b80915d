//! MR-18: the hand limit, and what becomes of a surplus.

use super::super::cards::Cards;
use super::super::event::Event;
use super::super::moves::Move;
use super::{MessengerRabbits, Record};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

/// MR-18: after the lottery, and at the end of a turn.
pub struct Discard;

impl Step<MessengerRabbits> for Discard {
    fn name(&self) -> &'static str {
        "discard"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        SeatSet::one(state.active)
    }

    fn moves(&self, state: &MessengerRabbits, _seat: Seat) -> Vec<Move> {
        state.active_hand().iter().map(|card| Move::Discard(Cards::one(card))).collect()
    }

    /// The pip or ace worth least when spent; else a joker, then a royal.
    fn default_move(&self, state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        let hand = state.active_hand();
        let worths = state.worths(state.active);
        let least = (hand & Cards::COMMON).iter().min_by_key(|card| worths.of(*card));
        let joker = || (hand & Cards::JOKERS).first();
        let royal = || (hand & Cards::ROYALS).iter().min_by_key(|card| worths.of(*card));
        least.or_else(joker).or_else(royal).map(|card| Move::Discard(Cards::one(card)))
    }

    fn refusal(&self, state: &MessengerRabbits) -> Refusal {
        let (limit, surplus) = (state.hand_limit(), state.surplus());
        Refusal::new(format!("Your hand is above the limit of {limit}: discard {surplus} first."))
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        let Move::Discard(cards) = mv else { return Err(self.refusal(record)) };
        if !record.active_hand().holds(cards) {
            return Err(Refusal::new("You can only discard cards of your hand."));
        }
        let surplus = record.surplus();
        if cards.is_empty() || cards.len() > surplus {
            return Err(Refusal::new(format!("Discard no more than {surplus}.")));
        }
        record.record(Event::Discarded { cards });
        Ok(())
    }

    /// MR-71: somebody with room takes a card of the surplus.
    fn run(&self, record: &mut Record) -> Result<bool, Refusal> {
        if !record.options.seized_surplus {
            return Ok(false);
        }
        let common = (record.active_hand() & Cards::COMMON).to_vec();
        let Some(by) = record.next_with_room().filter(|_| !common.is_empty()) else { return Ok(false) };
        let card = record.pick(&common)?;
        record.record(Event::Seized { by, card });
        Ok(true)
    }
}

impl MessengerRabbits {
    pub(crate) fn hand_limit(&self) -> usize {
        // MR-70
        if self.options.overtaxed_hands { 6 } else { 9 }
    }

    fn surplus(&self) -> usize {
        self.active_hand().len().saturating_sub(self.hand_limit())
    }

    pub(crate) fn over_limit(&self) -> bool {
        self.surplus() > 0
    }

    fn next_with_room(&self) -> Option<Seat> {
        let mut seat = self.active.next(self.seats);
        while seat != self.active {
            if self.hand(seat).len() < self.hand_limit() {
                return Some(seat);
            }
            seat = seat.next(self.seats);
        }
        None
    }
}
