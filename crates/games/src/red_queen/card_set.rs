//! A set of cards that sorts itself.

use serde::{Deserialize, Serialize};

use wonderpost_rules::{Card, Rank, Suit};

/// Cards of the deck of 54, each once; iterates in sorted order and is written as an array of cards.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Card>", into = "Vec<Card>")]
pub struct CardSet(u64);

const RANKS: u32 = Rank::ALL.len() as u32;
const BLACK_JOKER: u32 = 52;
const RED_JOKER: u32 = 53;

impl CardSet {
    pub const EMPTY: CardSet = CardSet(0);

    pub const fn one(card: Card) -> CardSet {
        let place = match card {
            Card::Plain(suit, rank) => suit as u32 * RANKS + rank as u32,
            Card::BlackJoker => BLACK_JOKER,
            Card::RedJoker => RED_JOKER,
        };
        CardSet(1 << place)
    }

    pub const fn contains(self, card: Card) -> bool {
        self.0 & CardSet::one(card).0 != 0
    }

    pub fn insert(&mut self, card: Card) {
        self.0 |= CardSet::one(card).0;
    }

    pub fn remove(&mut self, card: Card) {
        self.0 &= !CardSet::one(card).0;
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards that are in either.
    pub const fn or(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// The cards that are in both.
    pub const fn and(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// The cards that are in this one and not in the other.
    pub const fn without(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let place = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some(match place {
                BLACK_JOKER => Card::BlackJoker,
                RED_JOKER => Card::RedJoker,
                _ => Card::Plain(Suit::ALL[(place / RANKS) as usize], Rank::ALL[(place % RANKS) as usize]),
            })
        })
    }

    pub fn to_vec(self) -> Vec<Card> {
        self.iter().collect()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, |set, card| set.or(CardSet::one(card)))
    }
}

impl From<Vec<Card>> for CardSet {
    fn from(cards: Vec<Card>) -> CardSet {
        cards.into_iter().collect()
    }
}

impl From<CardSet> for Vec<Card> {
    fn from(set: CardSet) -> Vec<Card> {
        set.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_all_cards_lists_them_in_sorted_order() {
        let cards: Vec<Card> = Card::plain().chain([Card::BlackJoker, Card::RedJoker]).collect();
        let set: CardSet = cards.iter().rev().copied().collect();
        assert_eq!(set.len(), 54);
        assert_eq!(set.to_vec(), cards);
        assert!(cards.is_sorted());
    }

    #[test]
    fn cards_come_and_go() {
        let [nine, ten]: [Card; 2] = ["9C", "10C"].map(|text| text.parse().unwrap());
        let mut set = CardSet::one(nine);
        set.insert(ten);
        set.remove(nine);
        assert_eq!(set, CardSet::one(ten));
        assert!(set.and(CardSet::one(nine)).is_empty());
        assert_eq!(serde_json::to_string(&set).unwrap(), r#"["10C"]"#);
    }
}
