//! Playing cards: rank then suit, `10H`, `AS`; jokers `BJ` and `RJ`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Refusal;

/// The suits in sorted order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Suit {
    Spades,
    Hearts,
    Diamonds,
    Clubs,
}

impl Suit {
    /// Spades, hearts, diamonds, clubs.
    pub const ALL: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

    /// S, H, D or C.
    pub const fn letter(self) -> char {
        match self {
            Suit::Spades => 'S',
            Suit::Hearts => 'H',
            Suit::Diamonds => 'D',
            Suit::Clubs => 'C',
        }
    }

    /// ♠, ♥, ♦ or ♣.
    pub const fn sign(self) -> char {
        match self {
            Suit::Spades => '♠',
            Suit::Hearts => '♥',
            Suit::Diamonds => '♦',
            Suit::Clubs => '♣',
        }
    }

    fn from_letter(letter: char) -> Option<Suit> {
        Suit::ALL.into_iter().find(|suit| suit.letter() == letter.to_ascii_uppercase())
    }
}

/// The ranks in sorted order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// From the lowest to the highest.
    pub const ALL: [Rank; 13] = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// As cards are written: `2` to `10`, `J`, `Q`, `K`, `A`.
    pub const fn name(self) -> &'static str {
        match self {
            Rank::Two => "2",
            Rank::Three => "3",
            Rank::Four => "4",
            Rank::Five => "5",
            Rank::Six => "6",
            Rank::Seven => "7",
            Rank::Eight => "8",
            Rank::Nine => "9",
            Rank::Ten => "10",
            Rank::Jack => "J",
            Rank::Queen => "Q",
            Rank::King => "K",
            Rank::Ace => "A",
        }
    }
}

/// A playing card. The order is the rulebooks' sorted order: by suit, then by rank, jokers last.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Card {
    /// A card of a suit.
    Plain(Suit, Rank),
    /// Written `BJ`.
    BlackJoker,
    /// Written `RJ`.
    RedJoker,
}

impl Card {
    /// The 52 plain cards in sorted order.
    pub fn plain() -> impl Iterator<Item = Card> {
        Suit::ALL.into_iter().flat_map(|suit| Rank::ALL.into_iter().map(move |rank| Card::Plain(suit, rank)))
    }

    /// As people read it: `Q♠`, `10♥`, “black joker”.
    pub fn with_sign(self) -> String {
        match self {
            Card::Plain(suit, rank) => format!("{}{}", rank.name(), suit.sign()),
            Card::BlackJoker => "black joker".to_owned(),
            Card::RedJoker => "red joker".to_owned(),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Card::Plain(suit, rank) => write!(f, "{}{}", rank.name(), suit.letter()),
            Card::BlackJoker => f.write_str("BJ"),
            Card::RedJoker => f.write_str("RJ"),
        }
    }
}

impl FromStr for Card {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Card, Refusal> {
        let refuse = || Refusal::new(format!("“{text}” is no card: a card is written like 9C, 10H, AS, BJ or RJ."));
        if text.eq_ignore_ascii_case("BJ") {
            return Ok(Card::BlackJoker);
        }
        if text.eq_ignore_ascii_case("RJ") {
            return Ok(Card::RedJoker);
        }
        let letter = text.chars().last().ok_or_else(refuse)?;
        let suit = Suit::from_letter(letter).ok_or_else(refuse)?;
        let name = &text[..text.len() - letter.len_utf8()];
        let rank = Rank::ALL.into_iter().find(|rank| rank.name().eq_ignore_ascii_case(name)).ok_or_else(refuse)?;
        Ok(Card::Plain(suit, rank))
    }
}

impl TryFrom<String> for Card {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Card, Refusal> {
        text.parse()
    }
}

impl From<Card> for String {
    fn from(card: Card) -> String {
        card.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_back_as_it_is_written_in_either_case() {
        for card in Card::plain().chain([Card::BlackJoker, Card::RedJoker]) {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(card.to_string().to_lowercase().parse(), Ok(card));
        }
    }

    #[test]
    fn cards_sort_by_suit_then_rank_with_jokers_last() {
        let mut cards: Vec<Card> = ["RJ", "2C", "AS", "10H", "BJ", "2S", "9H"].map(|text| text.parse().unwrap()).into();
        cards.sort();
        let sorted: Vec<String> = cards.iter().map(Card::to_string).collect();
        assert_eq!(sorted, ["2S", "AS", "9H", "10H", "2C", "BJ", "RJ"]);
    }

    #[test]
    fn people_read_cards_with_the_sign_of_their_suit() {
        let signs = ["QS", "10H", "9D", "AC", "BJ", "RJ"].map(|text| text.parse::<Card>().unwrap().with_sign());
        assert_eq!(signs, ["Q♠", "10♥", "9♦", "A♣", "black joker", "red joker"]);
    }

    #[test]
    fn what_is_no_card_is_refused() {
        for text in ["", "S", "1S", "11H", "AX", "ÄS", "S10", "é"] {
            assert!(text.parse::<Card>().is_err(), "{text}");
        }
    }
}
