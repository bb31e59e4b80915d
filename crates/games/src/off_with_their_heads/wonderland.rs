//! The Wonderland board: where the Queen stands, and which suits and cards are the highest for it.

use serde::{Deserialize, Serialize};

use super::cards::CardSet;
use super::space::Zone;
use wonderpost_rules::{Card, Suit};

/// The Queen's place on the board. She walks clockwise from suit to suit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Queen {
    #[serde(rename = "H")]
    OnHearts,
    #[serde(rename = "C")]
    OnClubs,
    #[serde(rename = "D")]
    OnDiamonds,
    #[serde(rename = "S")]
    OnSpades,
}

/// OWH-9: the zones of the four cards, highest first.
pub const ZONES: [Zone; 4] = [Zone::Meadow, Zone::Woods, Zone::Woods, Zone::Keep];

impl Queen {
    /// Clockwise, from where she starts (OWH-3).
    pub const ROUND: [Queen; 4] = [Queen::OnHearts, Queen::OnClubs, Queen::OnDiamonds, Queen::OnSpades];

    /// OWH-31: one space clockwise.
    pub const fn next(self) -> Queen {
        match self {
            Queen::OnHearts => Queen::OnClubs,
            Queen::OnClubs => Queen::OnDiamonds,
            Queen::OnDiamonds => Queen::OnSpades,
            Queen::OnSpades => Queen::OnHearts,
        }
    }

    pub const fn suit(self) -> Suit {
        match self {
            Queen::OnHearts => Suit::Hearts,
            Queen::OnClubs => Suit::Clubs,
            Queen::OnDiamonds => Suit::Diamonds,
            Queen::OnSpades => Suit::Spades,
        }
    }

    /// OWH-8: the suits, highest first.
    pub fn hierarchy(self) -> [Queen; 4] {
        let (second, third) = (self.next(), self.next().next());
        [self, second, third, third.next()]
    }

    /// OWH-8: the higher, the higher the card; different for all cards.
    pub fn strength(self, card: Card) -> u8 {
        let Card::Plain(suit, rank) = card else { return 0 };
        let steps = self.hierarchy().into_iter().position(|place| place.suit() == suit).unwrap_or(3) as u8;
        (3 - steps) * 13 + rank as u8
    }

    /// The cards from highest to lowest.
    pub fn rank(self, cards: CardSet) -> Vec<Card> {
        let mut ranked: Vec<Card> = cards.iter().collect();
        ranked.sort_unstable_by_key(|card| std::cmp::Reverse(self.strength(*card)));
        ranked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suits_rank_clockwise_from_the_queen_and_aces_are_high() {
        let cards: CardSet = ["2C", "AH", "KD", "3C", "AS"].iter().map(|card| card.parse().unwrap()).collect();
        let ranked: Vec<String> = Queen::OnClubs.rank(cards).iter().map(Card::to_string).collect();
        assert_eq!(ranked, ["3C", "2C", "KD", "AS", "AH"]);
    }
}
