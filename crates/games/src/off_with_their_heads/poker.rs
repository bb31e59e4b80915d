//! OWH-34, OWH-35: the poker hands of the showdown.

use serde::{Deserialize, Serialize};

use super::cards::CardSet;
use super::layout::layout;
use super::wonderland::Queen;
use wonderpost_rules::{Card, Rank};

/// The kinds of hands, the lowest first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HandRank {
    HighCard,
    Pair,
    TwoPair,
    ThreeOfAKind,
    Straight,
    Flush,
    FullHouse,
    FourOfAKind,
    StraightFlush,
}

impl HandRank {
    pub fn vp(self) -> i64 {
        layout().poker.get(self as usize).map_or(0, |hand| i64::from(hand.vp))
    }

    pub const fn name(self) -> &'static str {
        match self {
            HandRank::HighCard => "high card",
            HandRank::Pair => "a pair",
            HandRank::TwoPair => "two pairs",
            HandRank::ThreeOfAKind => "three of a kind",
            HandRank::Straight => "a straight",
            HandRank::Flush => "a flush",
            HandRank::FullHouse => "a full house",
            HandRank::FourOfAKind => "four of a kind",
            HandRank::StraightFlush => "a straight flush",
        }
    }
}

/// A hand of five, as it compares: first its rank, then its cards from the highest down, Hearts above Clubs above
/// Diamonds above Spades.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hand {
    pub rank: HandRank,
    strengths: Vec<u8>,
    /// In sorted order.
    pub cards: Vec<Card>,
}

impl Hand {
    fn of(cards: Vec<Card>) -> Hand {
        let mut strengths: Vec<u8> = cards.iter().map(|card| Queen::OnHearts.strength(*card)).collect();
        strengths.sort_unstable_by_key(|strength| std::cmp::Reverse(*strength));
        Hand { rank: rank(&cards), strengths, cards }
    }

    /// The best five of the cards set aside.
    pub fn best(aside: CardSet) -> Hand {
        let without = |left_out: Card| aside.iter().filter(|card| *card != left_out).collect();
        // There are six; with five or fewer all are shown.
        let best = aside.iter().filter(|_| aside.len() > 5).map(|card| Hand::of(without(card))).max();
        best.unwrap_or_else(|| Hand::of(aside.iter().collect()))
    }
}

fn rank(cards: &[Card]) -> HandRank {
    let mut of_rank = [0_u8; 13];
    let mut of_suit = [0_u8; 4];
    for card in cards {
        if let Card::Plain(suit, rank) = card {
            of_rank[*rank as usize] += 1;
            of_suit[*suit as usize] += 1;
        }
    }
    let many = |number: u8| of_rank.iter().filter(|count| **count == number).count();
    let flush = of_suit.contains(&5);
    let straight = straight(&of_rank);
    match (straight, flush) {
        (true, true) => HandRank::StraightFlush,
        _ if many(4) == 1 => HandRank::FourOfAKind,
        _ if many(3) == 1 && many(2) == 1 => HandRank::FullHouse,
        (false, true) => HandRank::Flush,
        (true, false) => HandRank::Straight,
        _ if many(3) == 1 => HandRank::ThreeOfAKind,
        _ if many(2) == 2 => HandRank::TwoPair,
        _ if many(2) == 1 => HandRank::Pair,
        (false, false) => HandRank::HighCard,
    }
}

/// Five in a row, the ace high or low, never round the corner.
fn straight(of_rank: &[u8; 13]) -> bool {
    let low = [Rank::Ace, Rank::Two, Rank::Three, Rank::Four, Rank::Five];
    let in_a_row = of_rank.windows(5).any(|row| row.iter().all(|count| *count == 1));
    in_a_row || low.iter().all(|rank| of_rank[*rank as usize] == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(cards: &str) -> (HandRank, String) {
        let hand = Hand::best(cards.split(' ').map(|card| card.parse().unwrap()).collect());
        (hand.rank, hand.cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_best_five_of_six_are_found() {
        for (cards, rank) in [
            ("2S 4H 6D 8C 10S QH", HandRank::HighCard),
            ("2S 2H 6D 8C 10S QH", HandRank::Pair),
            ("2S 2H 6D 6C 10S 10H", HandRank::TwoPair),
            ("2S 2H 2D 8C 10S QH", HandRank::ThreeOfAKind),
            ("AS 2H 3D 4C 5S QH", HandRank::Straight),
            ("QS KH AD 2C 3S 4H", HandRank::HighCard),
            ("2S 4S 6S 8S 10S QH", HandRank::Flush),
            ("2S 2H 2D 8C 8S QH", HandRank::FullHouse),
            ("2S 2H 2D 2C 8S QH", HandRank::FourOfAKind),
            ("10H JH QH KH AH AS", HandRank::StraightFlush),
        ] {
            assert_eq!(best(cards).0, rank, "{cards}");
        }
    }

    #[test]
    fn of_equal_hands_the_one_with_the_higher_cards_is_shown() {
        // Hearts above Clubs above Diamonds above Spades.
        assert_eq!(best("2S 4H 6D 8C 10S QH").1, "10S 4H QH 6D 8C");
        assert_eq!(best("2S 2H 6D 6C 10S 10H").1, "10S 2H 10H 6D 6C");
    }
}
