//! Diamonds: the market at the Jack plazas (MR-48, MR-49).

use super::super::super::cards::Cards;
use super::super::super::event::Event;
use super::super::super::hexagon::{Hexagon, Kind};
use super::super::super::payment::Asks;
use super::super::super::phase::Action;
use super::super::super::suits::{Suits, suit_of};
use super::{MessengerRabbits, Record};
use wonderpost_rules::{Card, Refusal, Suit};

/// MR-48: the card is taken, then the payment is spent.
pub fn buy(record: &mut Record, card: Card, paid: Cards) {
    record.record(Event::Bought { card, paid });
}

impl MessengerRabbits {
    /// The cards on sale where the active rabbit is, and the suits that pay for them.
    fn stall(&self) -> (Cards, Suits) {
        // MR-49, MR-62: without diamonds there is no trade.
        let open = self.is_standard() && self.suits.contains(Suit::Diamonds);
        let diamonds = Suits::one(Suit::Diamonds);
        match self.active_hexagon() {
            Some(Hexagon::House(house)) if open && house.kind == Kind::Plaza => {
                let takes = if house.suit == Suit::Diamonds { self.suits } else { diamonds };
                (self.spent & Cards::of_suit(house.suit), takes)
            }
            // MR-61
            Some(Hexagon::Citadel) if open && self.options.advanced_citadel => (self.spent, diamonds),
            Some(_) | None => (Cards::EMPTY, Suits::NONE),
        }
    }

    fn price_tag(&self, card: Card, takes: Suits) -> Asks {
        // MR-65: at a house of the suit.
        let house = self.active_hexagon().and_then(Hexagon::house);
        let reduced = house.is_some_and(|house| self.has_capital_in(house.suit));
        Asks::one(self.market_value(card), takes, reduced)
    }

    pub(in super::super) fn market_asks(&self, card: Card) -> Result<Asks, Refusal> {
        if self.bought {
            return Err(Refusal::new("You have bought a card already in this turn."));
        }
        let (wares, takes) = self.stall();
        if !wares.contains(card) {
            let here = self.active_hexagon().and_then(Hexagon::house).filter(|house| house.kind == Kind::Plaza);
            let sold = match (here, suit_of(card)) {
                (Some(house), Some(suit)) if suit != house.suit => "This plaza sells its own suit only.",
                _ => "That card is not for sale here.",
            };
            return Err(Refusal::new(sold));
        }
        Ok(self.price_tag(card, takes))
    }

    /// What can be bought here, and what it asks.
    pub(super) fn purchases(&self) -> impl Iterator<Item = (Action, Asks)> {
        let (wares, takes) = if self.bought { (Cards::EMPTY, Suits::NONE) } else { self.stall() };
        wares.iter().map(move |card| (Action::Buy(card), self.price_tag(card, takes)))
    }
}
