//! Hearts: who may contest an arrival, and their answers (MR-43, MR-44).

use super::super::cards::Cards;
use super::super::event::Event;
use super::super::hexagon::{Hexagon, Kind, Place};
use super::super::moves::Move;
use super::super::payment::Asks;
use super::super::suits::Suits;
use super::{MessengerRabbits, Record};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step, Suit};

/// MR-44, MR-45: what the hearts that are shown must be worth.
pub const HEARTS: u16 = 6;

pub(super) fn asks() -> Asks {
    Asks::one(HEARTS, Suits::one(Suit::Hearts), false)
}

/// MR-44: all who are asked answer in secret, in any order.
pub struct Contest;

impl Step<MessengerRabbits> for Contest {
    fn name(&self) -> &'static str {
        "contest"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        state.contest.as_ref().map_or(SeatSet::EMPTY, |contest| contest.awaited())
    }

    fn moves(&self, state: &MessengerRabbits, seat: Seat) -> Vec<Move> {
        state.hearts_to_show(seat).into_iter().map(Move::Contest).chain([Move::Pass]).collect()
    }

    fn default_move(&self, _state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        Some(Move::Pass)
    }

    fn refusal(&self, _state: &MessengerRabbits) -> Refusal {
        Refusal::new("A visitor arrives: pass, or contest the visit.")
    }

    fn decide(&self, record: &mut Record, seat: Seat, mv: Move) -> Result<(), Refusal> {
        let showing = match mv {
            Move::Pass => Cards::EMPTY,
            Move::Contest(cards) => record.checked_hearts(seat, cards)?,
            _ => return Err(self.refusal(record)),
        };
        record.record(Event::Answered { seat, showing });
        Ok(())
    }

    /// MR-44: all have answered.
    fn run(&self, record: &mut Record) -> Result<bool, Refusal> {
        let Some(contest) = record.contest.as_ref().filter(|contest| contest.awaited().is_empty()) else {
            return Ok(false);
        };
        let shown = contest.answers.iter().map(|answer| answer.unwrap_or_default()).collect();
        record.record(Event::Contested { shown });
        Ok(true)
    }
}

impl MessengerRabbits {
    /// MR-43: who is asked when the active rabbit arrives, having paid these cards.
    pub(super) fn asked_at(&self, at: Hexagon, paid: Cards) -> SeatSet {
        if !self.is_standard() || !self.suits.contains(Suit::Hearts) {
            return SeatSet::EMPTY;
        }
        // MR-47: an honoured guest. MR-22: whoever has spent the royal on the way holds it no more.
        let hand = self.active_hand() - paid;
        if at.house().is_some_and(|house| hand.contains(house.royal())) {
            return SeatSet::EMPTY;
        }
        // MR-61: the advanced Citadel is contested like a palace.
        let by_all = match at {
            Hexagon::House(house) => house.kind == Kind::Palace,
            Hexagon::Citadel => self.options.advanced_citadel,
        };
        let asked = |seat: &Seat| {
            let place = self.rabbit(*seat);
            let near = if by_all { place != Place::Off } else { place == Place::On(at) };
            near && !self.hand(*seat).is_empty()
        };
        // MR-67: elsewhere those who rest there, if the option says so.
        if by_all || self.options.special_access {
            self.others(self.active).filter(asked).collect()
        } else {
            SeatSet::EMPTY
        }
    }

    pub(super) fn checked_hearts(&self, seat: Seat, cards: Cards) -> Result<Cards, Refusal> {
        if !self.hand(seat).holds(cards) {
            return Err(Refusal::new("You can only show cards of your hand."));
        }
        if !asks().accept(cards, &self.worths(seat)) {
            return Err(Refusal::new(format!("Show hearts, and nothing else, worth {HEARTS} or more.")));
        }
        Ok(cards)
    }

    pub(crate) fn hearts_to_show(&self, seat: Seat) -> Vec<Cards> {
        asks().payments(self.hand(seat), &self.worths(seat))
    }
}
