//! MR-25: paying for an action, at once or in a step of its own.

use super::cards::Cards;
use super::event::Event;
use super::moves::Move;
use super::payment::{Asks, cheapest};
use super::phase::Action;
use super::{MessengerRabbits, Record, claim, flights, journey, market};
use wonderpost_rules::Refusal;

/// Does a paid action, or chooses it to be paid for next.
pub fn act(record: &mut Record, action: Action, paying: Option<Cards>) -> Result<(), Refusal> {
    let asks = record.asks(action)?;
    let worths = record.worths(record.active);
    match paying {
        Some(cards) => {
            check(record, asks, cards)?;
            settle(record, action, cards)
        }
        None if asks.payable(record.active_hand(), &worths) => {
            record.record(Event::Chosen { action });
            Ok(())
        }
        None => Err(Refusal::new(format!("Your hand does not hold {} in the suits that pay for it.", asks.price()))),
    }
}

/// The prompt `pay`: there is no way back.
pub fn decide(record: &mut Record, mv: Move) -> Result<(), Refusal> {
    let Some(action) = record.due else { return Err(Refusal::new("There is nothing to pay.")) };
    let Move::Pay(cards) = mv else {
        return Err(Refusal::new(format!("You have chosen “{action}”: now pay for it.")));
    };
    let asks = record.asks(action)?;
    check(record, asks, cards)?;
    settle(record, action, cards)
}

fn check(record: &Record, asks: Asks, cards: Cards) -> Result<(), Refusal> {
    if !record.active_hand().holds(cards) {
        return Err(Refusal::new("You can only pay with cards of your hand."));
    }
    if !asks.accept(cards, &record.worths(record.active)) {
        return Err(Refusal::new(format!(
            "{} does not pay: it takes {} or more in a suit that counts there.",
            cards.in_words(),
            asks.price()
        )));
    }
    Ok(())
}

fn settle(record: &mut Record, action: Action, paid: Cards) -> Result<(), Refusal> {
    match action {
        Action::Travel(by, to) => journey::transfer(record, by, to, paid),
        Action::Claim(house) => claim::claim(record, house, paid),
        Action::Buy(card) => market::buy(record, card, paid),
        Action::Land => flights::land(record, paid),
    }
    Ok(())
}

impl MessengerRabbits {
    /// What an action asks; refused if it cannot be done here.
    fn asks(&self, action: Action) -> Result<Asks, Refusal> {
        match action {
            Action::Travel(by, to) => {
                let asks = self.fare(by, to);
                if asks.is_empty() {
                    return Err(Refusal::new(format!("No {by} takes you from here to {}.", to.in_words())));
                }
                Ok(asks)
            }
            Action::Claim(house) => self.claim_asks(house),
            Action::Buy(card) => self.market_asks(card),
            Action::Land => self.landing_asks(),
        }
    }

    /// The price of what is due.
    pub(super) fn due_price(&self, action: Action) -> u16 {
        self.asks(action).map_or(0, |asks| asks.price())
    }

    fn due_payments(&self) -> Vec<Cards> {
        let asks = self.due.and_then(|action| self.asks(action).ok());
        asks.map_or(vec![], |asks| asks.payments(self.active_hand(), &self.worths(self.active)))
    }

    pub(super) fn list_payments(&self) -> Vec<Move> {
        self.due_payments().into_iter().map(Move::Pay).collect()
    }

    pub(super) fn default_payment(&self) -> Option<Move> {
        cheapest(self.due_payments(), &self.worths(self.active)).map(Move::Pay)
    }
}
