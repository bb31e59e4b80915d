//! Sets of cards, small enough to be copied: hands, payments, the court, what is shown.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use wonderpost_rules::{Card, Rank, Refusal, Suit};

/// A set of cards. Iterates in sorted order, and is written as cards with spaces between.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Cards(u64);

const RANKS: u32 = Rank::ALL.len() as u32;
const SUIT: u64 = (1 << RANKS) - 1;
const BLACK_JOKER: u32 = 4 * RANKS;

const fn rank_mask(rank: Rank) -> u64 {
    let one = 1 << rank as u32;
    one | one << RANKS | one << (2 * RANKS) | one << (3 * RANKS)
}

/// The place of a card in sorted order.
const fn index(card: Card) -> u32 {
    match card {
        Card::Plain(suit, rank) => suit as u32 * RANKS + rank as u32,
        Card::BlackJoker => BLACK_JOKER,
        Card::RedJoker => BLACK_JOKER + 1,
    }
}

fn card(index: u32) -> Card {
    match index {
        BLACK_JOKER => Card::BlackJoker,
        0..BLACK_JOKER => Card::Plain(Suit::ALL[(index / RANKS) as usize], Rank::ALL[(index % RANKS) as usize]),
        _ => Card::RedJoker,
    }
}

impl Cards {
    pub const EMPTY: Cards = Cards(0);
    pub const JOKERS: Cards = Cards(0b11 << BLACK_JOKER);
    pub const ACES: Cards = Cards(rank_mask(Rank::Ace));
    /// Jacks, queens and kings.
    pub const ROYALS: Cards = Cards(rank_mask(Rank::Jack) | rank_mask(Rank::Queen) | rank_mask(Rank::King));
    /// Pips and aces: what is hidden in a hand.
    pub const COMMON: Cards = Cards(((1 << BLACK_JOKER) - 1) & !Cards::ROYALS.0);

    pub const fn one(card: Card) -> Cards {
        Cards(1 << index(card))
    }

    pub const fn of_suit(suit: Suit) -> Cards {
        Cards(SUIT << (suit as u32 * RANKS))
    }

    pub const fn of_rank(rank: Rank) -> Cards {
        Cards(rank_mask(rank))
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub const fn contains(self, card: Card) -> bool {
        self.0 & Cards::one(card).0 != 0
    }

    /// Whether all cards of the other set are in this one.
    pub const fn holds(self, others: Cards) -> bool {
        others.0 & !self.0 == 0
    }

    pub fn insert(&mut self, card: Card) {
        self.0 |= Cards::one(card).0;
    }

    pub fn remove(&mut self, card: Card) {
        self.0 &= !Cards::one(card).0;
    }

    pub fn first(self) -> Option<Card> {
        (!self.is_empty()).then(|| card(self.0.trailing_zeros()))
    }

    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| card(left.trailing_zeros()));
            left &= left.wrapping_sub(1);
            next
        })
    }

    pub fn to_vec(self) -> Vec<Card> {
        self.iter().collect()
    }

    /// “4♣, 6♣ and 7♣”, for sentences.
    pub fn in_words(self) -> String {
        let names: Vec<String> = self.iter().map(Card::with_sign).collect();
        match names.split_last() {
            None => "nothing".to_owned(),
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
        }
    }

    /// Reads cards written one after the other, each once.
    pub fn read(words: &[&str]) -> Result<Cards, Refusal> {
        let mut cards = Cards::EMPTY;
        for word in words {
            let card: Card = word.parse()?;
            if cards.contains(card) {
                return Err(Refusal::new(format!("You name {card} twice.")));
            }
            cards.insert(card);
        }
        Ok(cards)
    }
}

impl BitOr for Cards {
    type Output = Cards;

    fn bitor(self, other: Cards) -> Cards {
        Cards(self.0 | other.0)
    }
}

impl BitOrAssign for Cards {
    fn bitor_assign(&mut self, other: Cards) {
        self.0 |= other.0;
    }
}

impl BitAnd for Cards {
    type Output = Cards;

    fn bitand(self, other: Cards) -> Cards {
        Cards(self.0 & other.0)
    }
}

impl Sub for Cards {
    type Output = Cards;

    fn sub(self, other: Cards) -> Cards {
        Cards(self.0 & !other.0)
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        let mut set = Cards::EMPTY;
        cards.into_iter().for_each(|card| set.insert(card));
        set
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, card) in self.iter().enumerate() {
            if number > 0 {
                f.write_str(" ")?;
            }
            card.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

impl FromStr for Cards {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Cards, Refusal> {
        Cards::read(&text.split_whitespace().collect::<Vec<_>>())
    }
}

impl TryFrom<String> for Cards {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Cards, Refusal> {
        text.parse()
    }
}

impl From<Cards> for String {
    fn from(cards: Cards) -> String {
        cards.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_its_cards_in_sorted_order_and_reads_back() {
        let cards: Cards = "RJ 2C AS 10H BJ 2S".parse().unwrap();
        assert_eq!(cards.to_string(), "2S AS 10H 2C BJ RJ");
        assert_eq!(cards.len(), 6);
        assert!("2S 2s".parse::<Cards>().is_err());
        let all: Vec<Card> = Card::plain().chain([Card::BlackJoker, Card::RedJoker]).collect();
        assert_eq!(all.iter().copied().collect::<Cards>().to_vec(), all);
    }

    #[test]
    fn royals_jokers_and_common_cards_are_the_whole_pack() {
        assert_eq!(Cards::ROYALS.len(), 12);
        assert_eq!(Cards::COMMON.len(), 40);
        assert_eq!((Cards::ROYALS | Cards::COMMON | Cards::JOKERS).len(), 54);
    }

    #[test]
    fn cards_are_told_as_a_sentence_would() {
        let told = |text: &str| text.parse::<Cards>().unwrap().in_words();
        assert_eq!(told("7C 4C 6C"), "4♣, 6♣ and 7♣");
        assert_eq!(told("7C 4C"), "4♣ and 7♣");
        assert_eq!(told("7C"), "7♣");
    }
}
