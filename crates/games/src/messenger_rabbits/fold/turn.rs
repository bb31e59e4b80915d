//! The course of a turn, from the roll to the arrival and to the card at the end.

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::event::Way;
use super::super::hexagon::{Hexagon, Place};
use super::super::phase::{Action, Check, Contest, Flight, Phase};
use wonderpost_rules::{Card, Seat, SeatSet};

impl MessengerRabbits {
    pub(super) fn ready(&mut self, seat: Seat, round: u16) {
        self.begin_turn(seat, round);
        self.phase = Phase::Takeoff;
    }

    pub(super) fn take_off(&mut self, to: Hexagon, shown: Card, worth: u16) {
        let from = self.active_hexagon().unwrap_or(Hexagon::Citadel);
        self.flight = Some(Flight { from, to, shown, worth });
        self.see(Cards::one(shown));
    }

    pub(super) fn rolled(&mut self, seat: Seat, round: u16, dice: [u8; 2], lottery: bool) {
        if self.phase != Phase::Takeoff {
            self.begin_turn(seat, round);
        }
        self.dice = Some(dice);
        if lottery { self.phase = Phase::Lottery } else { self.after_lottery() }
    }

    fn begin_turn(&mut self, seat: Seat, round: u16) {
        self.active = seat;
        self.round = round;
        self.dice = None;
        self.shown = Cards::EMPTY;
        self.flight = None;
        self.attacked = false;
        self.bought = false;
        self.offered = false;
    }

    pub(super) fn show_in_lottery(&mut self, cards: Cards, drawn: Cards) {
        self.show(cards);
        self.draw(self.active, drawn);
        self.after_lottery();
    }

    /// MR-13, MR-18: the hand limit, then the journey.
    pub(super) fn after_lottery(&mut self) {
        self.phase = if self.over_limit() {
            Phase::Discard(Check::AfterLottery)
        } else if self.flight.is_some() {
            Phase::Flight
        } else if self.rabbit(self.active) == Place::Off {
            Phase::Sinking
        } else {
            Phase::Journey
        };
    }

    pub(super) fn discard(&mut self, cards: Cards) {
        self.spend(self.active, cards);
        self.check_again();
    }

    /// MR-71
    pub(super) fn seize(&mut self, by: Seat, card: Card) {
        self.hand_over(self.active, by, Cards::one(card), Cards::COMMON);
        self.check_again();
    }

    /// MR-18: the hand limit, then the next turn.
    fn end_check(&mut self) {
        self.phase = if self.over_limit() { Phase::Discard(Check::AtEnd) } else { Phase::Turning };
    }

    fn check_again(&mut self) {
        match self.phase {
            Phase::Discard(Check::AfterLottery) => self.after_lottery(),
            _ => self.end_check(),
        }
    }

    /// MR-25
    pub(super) fn choose(&mut self, action: Action) {
        self.due = Some(action);
        self.phase = Phase::Pay;
    }

    pub(super) fn travel(&mut self, by: Way, to: Place, paid: Cards, joker: Option<Card>, asked: SeatSet) {
        self.pay(paid);
        if let Some(joker) = joker {
            self.move_joker(self.active, joker, by);
        }
        self.arrive(to, asked);
    }

    pub(super) fn land_flight(&mut self, paid: Cards, asked: SeatSet) {
        self.pay(paid);
        let to = self.flight.map_or(self.rabbit(self.active), |flight| Place::On(flight.to));
        self.arrive(to, asked);
    }

    /// MR-15: where a journey ends.
    fn arrive(&mut self, to: Place, asked: SeatSet) {
        self.rabbits[self.active.index()] = to;
        match to {
            Place::Off => self.end_check(),
            // MR-31: the journey ends there.
            Place::Underground => self.phase = Phase::Increment,
            Place::On(_) if asked.is_empty() => self.phase = Phase::Visit,
            Place::On(at) => {
                let contest = Contest { visitor: self.active, at, asked, answers: vec![None; asked.len()] };
                self.contest = Some(Box::new(contest));
                self.phase = Phase::Contest;
            }
        }
    }

    /// MR-19
    pub(super) fn throw_off_active(&mut self) {
        self.rabbits[self.active.index()] = Place::Off;
        self.end_check();
    }

    /// MR-19
    pub(super) fn sink(&mut self) {
        self.rabbits[self.active.index()] = Place::Underground;
        self.phase = Phase::Increment;
    }

    /// MR-17
    pub(super) fn draw_at_end(&mut self, drawn: Cards) {
        self.draw(self.active, drawn);
        self.end_check();
    }
}
