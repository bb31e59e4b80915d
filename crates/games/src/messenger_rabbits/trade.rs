//! MR-60: special trades. A diamond for a card of another suit, and what comes of cheating.

use super::cards::Cards;
use super::event::Event;
use super::moves::Move;
use super::suits::suit_of;
use super::{MessengerRabbits, Record};
use wonderpost_rules::{Card, Refusal, Seat, Suit};

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
pub fn decide(record: &mut Record, mv: Move) -> Result<(), Refusal> {
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
        _ => Err(Refusal::new("You have been made an offer: give a card for it, or decline.")),
    }
}

impl MessengerRabbits {
    /// What can be offered.
    pub(super) fn wares(&self) -> Cards {
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

    pub(super) fn list_gifts(&self) -> Vec<Move> {
        let Some(offer) = self.offer else { return vec![] };
        let gifts = (self.hand(offer.to) & Cards::COMMON).iter().map(Move::Give);
        gifts.chain([Move::Decline]).collect()
    }
}
