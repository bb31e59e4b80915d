//! Sets of suits: those in play, those that a place takes.

use serde::{Deserialize, Serialize};

use super::cards::Cards;
use wonderpost_rules::{Card, Refusal, Suit};

/// A set of suits; written as their letters, in the order S, H, D, C.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Suits(u8);

impl Suits {
    pub const NONE: Suits = Suits(0);
    pub const ALL: Suits = Suits(0b1111);

    pub const fn one(suit: Suit) -> Suits {
        Suits(1 << suit as u8)
    }

    pub const fn contains(self, suit: Suit) -> bool {
        self.0 & Suits::one(suit).0 != 0
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn and(self, other: Suits) -> Suits {
        Suits(self.0 & other.0)
    }

    pub const fn without(self, other: Suits) -> Suits {
        Suits(self.0 & !other.0)
    }

    pub fn insert(&mut self, suit: Suit) {
        self.0 |= Suits::one(suit).0;
    }

    pub fn iter(self) -> impl Iterator<Item = Suit> {
        Suit::ALL.into_iter().filter(move |suit| self.contains(*suit))
    }

    /// All cards of these suits; jokers have none.
    pub fn cards(self) -> Cards {
        self.iter().fold(Cards::EMPTY, |cards, suit| cards | Cards::of_suit(suit))
    }

    /// A number below sixteen that stands for the set.
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    pub const fn of_number(number: usize) -> Suits {
        Suits(number as u8 & 0b1111)
    }

    /// Reads letters, upper case only, each once.
    pub fn read(text: &str) -> Option<Suits> {
        let mut suits = Suits::NONE;
        for letter in text.chars() {
            let suit = Suit::ALL.into_iter().find(|suit| suit.letter() == letter)?;
            if suits.contains(suit) {
                return None;
            }
            suits.insert(suit);
        }
        Some(suits)
    }
}

impl FromIterator<Suit> for Suits {
    fn from_iter<I: IntoIterator<Item = Suit>>(suits: I) -> Suits {
        let mut set = Suits::NONE;
        suits.into_iter().for_each(|suit| set.insert(suit));
        set
    }
}

impl TryFrom<String> for Suits {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Suits, Refusal> {
        Suits::read(&text).ok_or_else(|| Refusal::new(format!("“{text}” are no suits: write letters of S, H, D, C.")))
    }
}

impl From<Suits> for String {
    fn from(suits: Suits) -> String {
        suits.iter().map(Suit::letter).collect()
    }
}

/// The suit of a card; jokers have none.
pub const fn suit_of(card: Card) -> Option<Suit> {
    match card {
        Card::Plain(suit, _) => Some(suit),
        Card::BlackJoker | Card::RedJoker => None,
    }
}
