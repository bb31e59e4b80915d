//! Folding: what each fact makes of the table. Nothing is decided here, and no event, however odd, does any harm.

use super::card_set::CardSet;
use super::combat::{Fight, QUEEN_OF_HEARTS};
use super::coterie::{Coterie, Member, Slot};
use super::event::{Event, Then};
use super::round::Round;
use super::turn::DEAL;
use super::view::Attack;
use super::{Phase, RedQueen, SEATS};
use wonderpost_rules::{Card, Seat};

impl RedQueen {
    pub(super) fn fold(&mut self, event: &Event) {
        match event {
            Event::Dealt { round, queen, cards } => self.lay_out(*round, *queen, cards),
            Event::Drew { seat, card, then } => self.draw(*seat, *card, *then),
            Event::Placed { slot, card, then } => self.place(*slot, *card, *then),
            Event::Swapped { slot, card, old, then } => self.swap(*slot, *card, *old, *then),
            Event::Shuffled { cards, then } => {
                self.coterie.lay_anew(cards);
                self.follow(*then);
            }
            Event::Attacked { seat, slot, card, member, result, then } => {
                self.attack(Attack { seat: *seat, card: *card, slot: Some(*slot), member: *member, result: *result });
                self.follow(*then);
            }
            Event::Slew { seat, card } => self.slay(*seat, *card),
            Event::Ended { then, .. } => self.go_on(*then),
            Event::Discarded { seat, card, then } => {
                self.put_away(*seat, *card);
                self.go_on(*then);
            }
            Event::RoundOver(round) => self.enter(round),
            Event::Over { winners } => {
                self.phase = Phase::Over(*winners);
                self.actions = 0;
            }
        }
    }

    fn draw(&mut self, seat: Seat, card: Card, then: Then) {
        self.pile.pop();
        self.hands[seat.index()].insert(card);
        self.stirred = true;
        self.follow(then);
    }

    fn place(&mut self, slot: Slot, card: Card, then: Then) {
        let queen = self.queen.index();
        self.hands[queen].remove(card);
        self.coterie.set(slot, Some(Member::face_down(card)));
        // RQ-31: it may have been any of those seen.
        self.seen[queen] = CardSet::EMPTY;
        self.follow(then);
    }

    fn swap(&mut self, slot: Slot, card: Card, old: Card, then: Then) {
        let queen = self.queen.index();
        let seen = self.coterie.get(slot).is_some_and(|member| member.known);
        self.hands[queen].remove(card);
        self.hands[queen].insert(old);
        self.coterie.set(slot, Some(Member::face_down(card)));
        // RQ-31: struck out like in a placement; then everybody sees where a known member goes.
        self.seen[queen] = if seen { CardSet::one(old) } else { CardSet::EMPTY };
        self.follow(then);
    }

    fn attack(&mut self, attack: Attack) {
        let Attack { seat, card, slot, member, result } = attack;
        self.last_attack = Some(attack);
        let Some(slot) = slot else { return };
        match result {
            // RQ-14: first the attacker's card, then the member.
            Fight::Win => {
                self.put_away(seat, card);
                self.discard.push(member);
                self.coterie.set(slot, None);
                self.felled[seat.index()] = self.felled[seat.index()].saturating_add(1);
            }
            // RQ-15
            Fight::Lose => {
                self.put_away(seat, card);
                let up = self.coterie.get(slot).is_some_and(|member| member.up);
                self.coterie.set(slot, Some(Member { card: member, up, known: true }));
            }
            // RQ-16, RQ-31
            Fight::Draw => {
                self.coterie.set(slot, Some(Member { card: member, up: true, known: true }));
                self.seen[seat.index()].insert(card);
            }
        }
    }

    fn slay(&mut self, seat: Seat, card: Card) {
        self.put_away(seat, card);
        self.last_attack = Some(Attack { seat, card, slot: None, member: QUEEN_OF_HEARTS, result: Fight::Win });
        self.follow(Then::GoOn);
    }

    /// RQ-5: one card at a time, clockwise, the Red Queen first.
    fn lay_out(&mut self, round: u16, queen: Seat, cards: &[Card]) {
        self.hands = [CardSet::EMPTY; SEATS];
        self.seen = [CardSet::EMPTY; SEATS];
        let (dealt, pile) = cards.split_at(cards.len().min(DEAL * usize::from(self.seats)));
        let mut seat = queen;
        for card in dealt {
            self.hands[seat.index()].insert(*card);
            seat = seat.next(self.seats);
        }
        self.pile = pile.iter().rev().copied().collect();
        self.discard.clear();
        self.coterie = Coterie::default();
        self.last_attack = None;
        self.round = round;
        self.queen = queen;
        self.reigns[queen.index()] = self.reigns[queen.index()].saturating_add(1);
        // RQ-6: the Red Queen takes the first turn.
        self.turn = queen;
        self.turns = 0;
        self.idle = 0;
        self.stirred = false;
        self.actions = self.allotment();
        self.phase = Phase::Act;
    }

    /// A card goes from a hand to the discard pile. RQ-31: nobody looks for it in the hand any longer.
    fn put_away(&mut self, seat: Seat, card: Card) {
        self.hands[seat.index()].remove(card);
        self.seen[seat.index()].remove(card);
        self.discard.push(card);
        self.stirred = true;
    }

    /// An action is done.
    fn follow(&mut self, then: Then) {
        self.actions = self.actions.saturating_sub(1);
        self.go_on(then);
    }

    fn go_on(&mut self, then: Then) {
        match then {
            Then::GoOn => {}
            Then::Discard => {
                self.actions = 0;
                self.phase = Phase::Discard;
            }
            Then::Pass => {
                // RQ-23
                self.idle = if self.stirred { 0 } else { self.idle.saturating_add(1) };
                self.stirred = false;
                self.turns = self.turns.saturating_add(1);
                // RQ-6: turns pass clockwise.
                self.turn = self.turn.next(self.seats);
                self.actions = self.allotment();
                self.phase = Phase::Act;
            }
        }
    }

    /// RQ-24
    fn enter(&mut self, round: &Round) {
        for (score, points) in self.scores.iter_mut().zip(&round.points) {
            *score = score.saturating_add(*points);
        }
        self.history.push(round.clone());
    }
}
