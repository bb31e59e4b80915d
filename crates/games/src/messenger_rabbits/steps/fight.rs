//! Spades: fights over a card (MR-38 to MR-41).

use super::super::cards::Cards;
use super::super::event::Event;
use super::super::moves::Move;
use super::super::payment::Asks;
use super::super::suits::Suits;
use super::{MessengerRabbits, Record};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step, Suit};

/// MR-38: nobody fights in the first round.
const FIRST_ROUND: u16 = 2;

/// MR-38: a move of the visit.
pub fn attack(record: &mut Record, target: Seat, cards: Cards) -> Result<(), Refusal> {
    if record.attacked {
        return Err(Refusal::new("You have attacked already in this turn."));
    }
    if record.round < FIRST_ROUND {
        return Err(Refusal::new("Nobody fights in the first round."));
    }
    if !record.can_be_attacked(target) {
        return Err(Refusal::new("You can attack a rabbit at the same place that has cards in hand."));
    }
    let cards = record.checked_spades(record.active, cards)?;
    let worth = record.worths(record.active).of_all(cards);
    record.record(Event::Attacked { target, cards, worth });
    Ok(())
}

/// MR-39: back and forth.
pub struct Fight;

impl Step<MessengerRabbits> for Fight {
    fn name(&self) -> &'static str {
        "fight"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        state.fight.as_ref().map_or(SeatSet::EMPTY, |fight| SeatSet::one(fight.thrower()))
    }

    fn moves(&self, state: &MessengerRabbits, seat: Seat) -> Vec<Move> {
        let throws = state.throw_asks().payments(state.hand(seat), &state.worths(seat));
        throws.into_iter().map(Move::Throw).chain([Move::Yield]).collect()
    }

    fn default_move(&self, _state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        Some(Move::Yield)
    }

    fn refusal(&self, _state: &MessengerRabbits) -> Refusal {
        Refusal::new("You are in a fight: throw spades that outdo the other side, or yield.")
    }

    fn decide(&self, record: &mut Record, seat: Seat, mv: Move) -> Result<(), Refusal> {
        match mv {
            Move::Yield => yield_to(record),
            Move::Throw(cards) => {
                let cards = record.checked_spades(seat, cards)?;
                if !record.throw_asks().accept(cards, &record.worths(seat)) {
                    return Err(Refusal::new(format!("{} does not outdo the other side.", cards.in_words())));
                }
                let worth = record.worths(seat).of_all(cards);
                record.record(Event::Threw { cards, worth });
                Ok(())
            }
            _ => Err(self.refusal(record)),
        }
    }
}

/// MR-40, MR-41: the loser is off the board; a target that loses is robbed of a card.
fn yield_to(record: &mut Record) -> Result<(), Refusal> {
    let Some(fight) = record.fight.clone() else { return Err(Refusal::new("Nobody fights.")) };
    record.record(Event::Yielded);
    if fight.thrower() == fight.target {
        let hand = record.hand(fight.target).to_vec();
        if !hand.is_empty() {
            let card = record.pick(&hand)?;
            record.record(Event::Stole { card });
        }
    }
    Ok(())
}

impl MessengerRabbits {
    fn spades(&self, seat: Seat) -> Cards {
        self.hand(seat) & Cards::of_suit(Suit::Spades)
    }

    fn checked_spades(&self, seat: Seat, cards: Cards) -> Result<Cards, Refusal> {
        if cards.is_empty() || !self.spades(seat).holds(cards) {
            return Err(Refusal::new("Fights are fought with spades of your hand."));
        }
        Ok(cards)
    }

    fn can_be_attacked(&self, target: Seat) -> bool {
        let here = self.active_hexagon();
        target != self.active
            && target.number() <= self.seats
            && here.is_some()
            && self.rabbit(target).hexagon() == here
            && !self.hand(target).is_empty()
    }

    pub(super) fn list_attacks(&self, moves: &mut Vec<Move>) {
        if self.attacked || self.round < FIRST_ROUND || !self.is_standard() {
            return;
        }
        for target in self.seats().filter(|seat| self.can_be_attacked(*seat)) {
            let singles = self.spades(self.active).iter().map(Cards::one);
            moves.extend(singles.map(|with| Move::Attack { target, with }));
        }
    }

    /// MR-39: more than the other side has thrown.
    fn throw_asks(&self) -> Asks {
        let lead = self.fight.as_ref().map_or(0, |fight| {
            let side = fight.next & 1;
            fight.totals[1 - side].saturating_sub(fight.totals[side])
        });
        Asks::one(lead.saturating_add(1), Suits::one(Suit::Spades), false)
    }
}
