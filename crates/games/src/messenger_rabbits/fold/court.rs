//! Royals won over and released, and cards bought.

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::hexagon::House;
use super::super::phase::{After, Phase};
use super::CARROTS;
use wonderpost_rules::Card;

impl MessengerRabbits {
    pub(super) fn buy(&mut self, card: Card, paid: Cards) {
        self.bought = true;
        self.spent.remove(card);
        self.hands[self.active.index()].insert(card);
        self.see(Cards::one(card));
        self.pay(paid);
        self.phase = Phase::Visit;
    }

    /// MR-24: the payment is made first, so that a royal in it frees its carrot.
    pub(super) fn claim(&mut self, house: House, paid: Cards) {
        self.pay(paid);
        self.court.remove(house.royal());
        self.hands[self.active.index()].insert(house.royal());
        self.enter_release(After::Claim, Phase::Increment);
    }

    /// MR-42: a fourth royal has to go.
    pub(super) fn enter_release(&mut self, after: After, otherwise: Phase) {
        let too_many = self.royals(self.active).len() > CARROTS;
        self.phase = if too_many { Phase::Release(after) } else { otherwise };
    }

    pub(super) fn release(&mut self, royal: Card, drawn: Cards) {
        self.spend(self.active, Cards::one(royal));
        self.draw(self.active, drawn);
        self.phase = match self.phase {
            Phase::Release(After::Claim) => Phase::Increment,
            _ => Phase::Visit,
        };
    }
}
