//! MR-60: special trades. A diamond for a card of another suit, and what comes of cheating.

use super::super::cards::Cards;
use super::super::event::Event;
use super::super::moves::Move;
use super::super::suits::suit_of;
use super::{MessengerRabbits, Record};
use wonderpost_rules::{Card, Refusal, Seat, SeatSet, Step, Suit};

/// A move of the visit.
pub fn offer(record: &mut Record, card: Card, to: Seat, suit: Suit) -> Result<(), Refusal> {
    if !record.options.special_trades {
        return Err(Refusal::new("There are no trades between rabbits at this table."));
    }
    if record.offered {
        return Err(Refusal::new("You have made an offer already in this turn."));
    }
    if !record.wares().contains(card) {
        return Err(Refusal::new("Offer a diamond of your hand, a pip or the ace."));
    }
    if !record.can_be_offered(to) {
        return Err(Refusal::new("Make your offer to a rabbit at the same place that has cards in hand."));
    }
    if suit == Suit::Diamonds || !record.suits.contains(suit) {
        return Err(Refusal::new("Ask for a card of another suit in play."));
    }
    record.record(Event::Offered { card, to, suit });
    Ok(())
}

/// The answer of the seat that got the offer.
pub struct Trade;

impl Step<MessengerRabbits> for Trade {
    fn name(&self) -> &'static str {
        "trade"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        state.offer.map_or(SeatSet::EMPTY, |offer| SeatSet::one(offer.to))
    }

    fn moves(&self, state: &MessengerRabbits, seat: Seat) -> Vec<Move> {
        let gifts = (state.hand(seat) & Cards::COMMON).iter().map(Move::Give);
        gifts.chain([Move::Decline]).collect()
    }

    fn default_move(&self, _state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        Some(Move::Decline)
    }

    fn refusal(&self, _state: &MessengerRabbits) -> Refusal {
        Refusal::new("You have been made an offer: give a card for it, or decline.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        let Some(offer) = record.offer else { return Err(Refusal::new("There is no offer.")) };
        match mv {
            Move::Decline => {
                record.record(Event::Declined);
                Ok(())
            }
            Move::Give(card) => {
                if !(record.hand(offer.to) & Cards::COMMON).contains(card) {
                    return Err(Refusal::new("Give a pip or an ace of your hand."));
                }
                let honest =
                    suit_of(card) == Some(offer.suit) && record.market_value(card) >= record.market_value(offer.card);
                record.record(Event::Gave { card, swindle: !honest });
                Ok(())
            }
            _ => Err(self.refusal(record)),
        }
    }
}

impl MessengerRabbits {
    /// What can be offered.
    pub(crate) fn wares(&self) -> Cards {
        self.active_hand() & Cards::COMMON & Cards::of_suit(Suit::Diamonds)
    }

    fn can_be_offered(&self, to: Seat) -> bool {
        let here = self.active_hexagon();
        to != self.active
            && to.number() <= self.seats
            && here.is_some()
            && self.rabbit(to).hexagon() == here
            && !self.hand(to).is_empty()
    }

    pub(super) fn list_offers(&self, moves: &mut Vec<Move>) {
        if self.offered || !self.options.special_trades {
            return;
        }
        for to in self.seats().filter(|seat| self.can_be_offered(*seat)) {
            for card in self.wares().iter() {
                let suits = self.suits.iter().filter(|suit| *suit != Suit::Diamonds);
                moves.extend(suits.map(|suit| Move::Offer { card, to, suit }));
            }
        }
    }
}
