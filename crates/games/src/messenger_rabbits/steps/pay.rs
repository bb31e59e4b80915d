//! MR-25: paying for an action, at once or in a step of its own.

use super::super::cards::Cards;
use super::super::event::Event;
use super::super::moves::Move;
use super::super::payment::{Asks, cheapest};
use super::super::phase::Action;
use super::visit::{claim, market};
use super::{MessengerRabbits, Record, flight, journey};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

/// MR-25: a longer list names paid actions without their payments.
const LONGEST_LIST: usize = 200;

/// An action has been chosen, and there is no way back.
pub struct Pay;

impl Step<MessengerRabbits> for Pay {
    fn name(&self) -> &'static str {
        "pay"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        SeatSet::one(state.active)
    }

    fn moves(&self, state: &MessengerRabbits, _seat: Seat) -> Vec<Move> {
        state.due_payments().into_iter().map(Move::Pay).collect()
    }

    fn default_move(&self, state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        cheapest(state.due_payments(), &state.worths(state.active)).map(Move::Pay)
    }

    fn refusal(&self, state: &MessengerRabbits) -> Refusal {
        match state.due {
            Some(action) => Refusal::new(format!("You have chosen “{action}”: now pay for it.")),
            None => Refusal::new("There is nothing to pay."),
        }
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        let (Some(action), Move::Pay(cards)) = (record.due, mv) else { return Err(self.refusal(record)) };
        let asks = record.asks(action)?;
        check(record, asks, cards)?;
        settle(record, action, cards);
        Ok(())
    }
}

/// Does a paid action, or chooses it to be paid for next.
pub fn act(record: &mut Record, action: Action, paying: Option<Cards>) -> Result<(), Refusal> {
    let asks = record.asks(action)?;
    let worths = record.worths(record.active);
    match paying {
        Some(cards) => {
            check(record, asks, cards)?;
            settle(record, action, cards);
            Ok(())
        }
        None if asks.payable(record.active_hand(), &worths) => {
            record.record(Event::Chosen { action });
            Ok(())
        }
        None => Err(Refusal::new(format!("Your hand does not hold {} in the suits that pay for it.", asks.price()))),
    }
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

fn settle(record: &mut Record, action: Action, paid: Cards) {
    match action {
        Action::Travel(by, to) => journey::transfer(record, by, to, paid),
        Action::Claim(house) => claim::claim(record, house, paid),
        Action::Buy(card) => market::buy(record, card, paid),
        Action::Land => flight::land(record, paid),
    }
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
    pub(crate) fn due_price(&self, action: Action) -> u16 {
        self.asks(action).map_or(0, |asks| asks.price())
    }

    fn due_payments(&self) -> Vec<Cards> {
        let asks = self.due.and_then(|action| self.asks(action).ok());
        asks.map_or(vec![], |asks| asks.payments(self.active_hand(), &self.worths(self.active)))
    }

    /// MR-25: adds paid actions with all minimal payments, or without any if the list becomes too long.
    pub(super) fn list_paid(&self, actions: impl Iterator<Item = (Action, Asks)>, moves: &mut Vec<Move>) {
        let hand = self.active_hand();
        let worths = self.worths(self.active);
        let free = moves.len();
        // Many actions ask the same.
        let mut known: Vec<(Asks, Vec<Cards>)> = Vec::new();
        let mut bare: Vec<Move> = Vec::new();
        for (action, asks) in actions {
            let place = known.iter().position(|(same, _)| *same == asks).unwrap_or_else(|| {
                known.push((asks, asks.payments(hand, &worths)));
                known.len() - 1
            });
            let payments = &known[place].1;
            if !payments.is_empty() {
                bare.push(Move::Act(action, None));
                moves.extend(payments.iter().map(|paying| Move::Act(action, Some(*paying))));
            }
        }
        if moves.len() > LONGEST_LIST {
            moves.truncate(free);
            moves.extend(bare);
        }
    }
}
