//! Cards that change hands, and who has seen them.

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::event::Way;
use super::super::phase::Phase;
use wonderpost_rules::{Card, Seat};

impl MessengerRabbits {
    pub(super) fn deal(&mut self, hands: &[Cards], pile: &[Card]) {
        self.hands.iter_mut().zip(hands).for_each(|(hand, dealt)| *hand = *dealt);
        self.pile = pile.iter().rev().copied().collect();
        self.phase = Phase::Turning;
    }

    /// What was due, if anything, is paid.
    pub(super) fn pay(&mut self, cards: Cards) {
        self.due = None;
        self.spend(self.active, cards);
    }

    /// MR-22, MR-64: cards leave a hand for the spent cards, the court, or the place before their owner.
    pub(super) fn spend(&mut self, seat: Seat, cards: Cards) {
        let hand = &mut self.hands[seat.index()];
        *hand = *hand - cards;
        self.forget(cards);
        self.court |= cards - Cards::COMMON;
        let mut spent = cards & Cards::COMMON;
        let capital = &mut self.capital[seat.index()];
        if self.options.capital_aces
            && capital.is_none()
            && let Some(ace) = (spent & Cards::ACES).first()
        {
            *capital = Some(ace);
            spent.remove(ace);
        }
        self.spent |= spent;
    }

    /// The cards are on top of the pile.
    pub(super) fn draw(&mut self, seat: Seat, drawn: Cards) {
        self.pile.truncate(self.pile.len().saturating_sub(drawn.len()));
        self.hands[seat.index()] |= drawn;
    }

    pub(super) fn move_joker(&mut self, seat: Seat, joker: Card, by: Way) {
        let hand = &mut self.hands[seat.index()];
        if by == Way::Tavern {
            self.court.remove(joker);
            hand.insert(joker);
        } else {
            hand.remove(joker);
            self.court.insert(joker);
        }
    }

    /// Cards pass unseen from hand to hand. Only these two know which of the cards that it might have been.
    pub(super) fn hand_over(&mut self, from: Seat, to: Seat, cards: Cards, among: Cards) {
        let doubtful = self.hand(from) & among & Cards::COMMON;
        for (place, seen) in self.seen.iter_mut().enumerate() {
            if place != from.index() && place != to.index() {
                *seen = *seen - doubtful;
            }
        }
        self.hands[from.index()] = self.hand(from) - cards;
        self.hands[to.index()] |= cards;
        self.seen[from.index()] |= cards & Cards::COMMON;
        self.seen[to.index()] = self.seen[to.index()] - cards;
    }

    /// Everybody sees whose cards these are.
    pub(super) fn see(&mut self, cards: Cards) {
        self.seen.iter_mut().for_each(|seen| *seen |= cards & Cards::COMMON);
    }

    /// Cards are shown and stay in hand.
    pub(super) fn show(&mut self, cards: Cards) {
        self.shown |= cards;
        self.see(cards);
    }

    /// MR-17: the spent cards go under what is left of the pile.
    pub(super) fn repile(&mut self, pile: &[Card]) {
        self.spent = self.spent - pile.iter().copied().collect();
        self.pile.splice(0..0, pile.iter().rev().copied());
    }

    fn forget(&mut self, cards: Cards) {
        self.seen.iter_mut().for_each(|seen| *seen = *seen - cards);
    }
}
