//! Sets of playing cards, and the words for a card.

use serde::{Deserialize, Serialize};

use wonderpost_rules::{Card, Rank, Suit};

/// A set of the 52 cards; iterates in sorted order and is written as a list.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Card>", into = "Vec<Card>")]
pub struct CardSet(u64);

fn bit(card: Card) -> u64 {
    match card {
        Card::Plain(suit, rank) => 1 << (suit as u32 * 13 + rank as u32),
        // There are none in this game.
        Card::BlackJoker | Card::RedJoker => 0,
    }
}

impl CardSet {
    pub const EMPTY: CardSet = CardSet(0);
    /// The whole deck.
    pub const ALL: CardSet = CardSet((1 << 52) - 1);

    pub fn contains(self, card: Card) -> bool {
        self.0 & bit(card) != 0
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn insert(&mut self, card: Card) {
        self.0 |= bit(card);
    }

    pub fn remove(&mut self, card: Card) {
        self.0 &= !bit(card);
    }

    pub const fn with(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    pub const fn without(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let index = left.trailing_zeros() as usize;
            left &= left - 1;
            Some(Card::Plain(*Suit::ALL.get(index / 13)?, Rank::ALL[index % 13]))
        })
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        CardSet(cards.into_iter().fold(0, |set, card| set | bit(card)))
    }
}

impl From<Vec<Card>> for CardSet {
    fn from(cards: Vec<Card>) -> CardSet {
        cards.into_iter().collect()
    }
}

impl From<CardSet> for Vec<Card> {
    fn from(cards: CardSet) -> Vec<Card> {
        cards.iter().collect()
    }
}

/// “Hearts”.
pub const fn suit_name(suit: Suit) -> &'static str {
    match suit {
        Suit::Spades => "Spades",
        Suit::Hearts => "Hearts",
        Suit::Diamonds => "Diamonds",
        Suit::Clubs => "Clubs",
    }
}

/// “♥”.
pub const fn suit_sign(suit: Suit) -> char {
    match suit {
        Suit::Spades => '♠',
        Suit::Hearts => '♥',
        Suit::Diamonds => '♦',
        Suit::Clubs => '♣',
    }
}

/// “10♥”, as the log writes a card.
pub fn short(card: Card) -> String {
    match card {
        Card::Plain(suit, rank) => format!("{}{}", rank.name(), suit_sign(suit)),
        Card::BlackJoker | Card::RedJoker => card.to_string(),
    }
}

/// “2♠, 9♥ and K♣”.
pub fn list(cards: impl IntoIterator<Item = Card>) -> String {
    and(cards.into_iter().map(short).collect())
}

/// “this, that and the other”.
pub fn and(mut words: Vec<String>) -> String {
    match words.pop() {
        None => String::new(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} and {last}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_its_cards_in_sorted_order() {
        let cards: CardSet = Card::plain().collect();
        assert_eq!(cards, CardSet::ALL);
        assert!(cards.iter().eq(Card::plain()));
        let some: CardSet = serde_json::from_str(r#"["2C","AS"]"#).unwrap();
        assert_eq!(serde_json::to_string(&some).unwrap(), r#"["AS","2C"]"#);
        assert_eq!(list(some.iter()), "A♠ and 2♣");
    }
}
