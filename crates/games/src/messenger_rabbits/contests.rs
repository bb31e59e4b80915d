//! Hearts: access to the Queen palaces (MR-43 to MR-47).

use super::cards::Cards;
use super::event::Event;
use super::hexagon::{Hexagon, Kind, Place};
use super::moves::Move;
use super::payment::{Asks, cheapest};
use super::suits::Suits;
use super::{MessengerRabbits, Record};
use wonderpost_rules::{Refusal, Seat, SeatSet, Suit};

/// MR-44, MR-45: so many hearts must be shown.
const HEARTS: u16 = 6;

fn asks() -> Asks {
    Asks::one(HEARTS, Suits::one(Suit::Hearts), false)
}

/// MR-44: a secret answer.
pub fn answer(record: &mut Record, seat: Seat, mv: Move) -> Result<(), Refusal> {
    let showing = match mv {
        Move::Pass => Cards::EMPTY,
        Move::Contest(cards) => record.checked_hearts(seat, cards)?,
        _ => return Err(Refusal::new("A visitor arrives: pass, or contest the visit.")),
    };
    record.record(Event::Answered { seat, showing });
    Ok(())
}

/// MR-44: all have answered.
pub fn open(record: &mut Record) {
    let answers = record.contest.as_ref().map(|contest| contest.answers.clone()).unwrap_or_default();
    record.record(Event::Contested { shown: answers.into_iter().map(Option::unwrap_or_default).collect() });
}

/// MR-45
pub fn prove(record: &mut Record, mv: Move) -> Result<(), Refusal> {
    match mv {
        Move::Concede => record.record(Event::Conceded),
        Move::Prove(cards) => {
            let cards = record.checked_hearts(record.active, cards)?;
            record.record(Event::Proved { cards });
        }
        _ => return Err(Refusal::new("Your visit is contested: prove a blessed heart, or concede.")),
    }
    Ok(())
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

    fn checked_hearts(&self, seat: Seat, cards: Cards) -> Result<Cards, Refusal> {
        if !self.hand(seat).holds(cards) {
            return Err(Refusal::new("You can only show cards of your hand."));
        }
        if !asks().accept(cards, &self.worths(seat)) {
            return Err(Refusal::new(format!("Show hearts, and nothing else, worth {HEARTS} or more.")));
        }
        Ok(cards)
    }

    pub(super) fn hearts_to_show(&self, seat: Seat) -> Vec<Cards> {
        asks().payments(self.hand(seat), &self.worths(seat))
    }

    pub(super) fn can_prove(&self) -> bool {
        asks().payable(self.active_hand(), &self.worths(self.active))
    }

    pub(super) fn list_answers(&self, seat: Seat) -> Vec<Move> {
        self.hearts_to_show(seat).into_iter().map(Move::Contest).chain([Move::Pass]).collect()
    }

    pub(super) fn list_proofs(&self) -> Vec<Move> {
        self.hearts_to_show(self.active).into_iter().map(Move::Prove).chain([Move::Concede]).collect()
    }

    /// Proving costs nothing.
    pub(super) fn default_proof(&self) -> Move {
        let proof = cheapest(self.hearts_to_show(self.active), &self.worths(self.active));
        proof.map_or(Move::Concede, Move::Prove)
    }
}
