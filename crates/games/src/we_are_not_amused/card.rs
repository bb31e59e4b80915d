//! The cards of the garden and of the player's deck. Cards of one kind are all alike.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use wonderpost_rules::Refusal;

/// A card that lies in the garden.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GardenCard {
    Queen,
    /// A white rose.
    White,
    /// A rose painted red.
    Red,
    Bramble,
    Soldier,
    Gardener,
    Cat,
}

impl GardenCard {
    pub const ALL: [GardenCard; 7] = [
        GardenCard::Queen,
        GardenCard::White,
        GardenCard::Red,
        GardenCard::Bramble,
        GardenCard::Soldier,
        GardenCard::Gardener,
        GardenCard::Cat,
    ];

    /// WNA-2: what is shuffled and laid out around the Queen, in starting order.
    pub const LAID_OUT: [(GardenCard, u8); 5] = [
        (GardenCard::White, 12),
        (GardenCard::Bramble, 9),
        (GardenCard::Soldier, 9),
        (GardenCard::Gardener, 9),
        (GardenCard::Cat, 9),
    ];

    /// The word for the card in moves and views.
    pub const fn word(self) -> &'static str {
        match self {
            GardenCard::Queen => "queen",
            GardenCard::White => "white",
            GardenCard::Red => "red",
            GardenCard::Bramble => "bramble",
            GardenCard::Soldier => "soldier",
            GardenCard::Gardener => "gardener",
            GardenCard::Cat => "cat",
        }
    }

    /// The name of the card in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            GardenCard::Queen => "Queen",
            GardenCard::White => "white rose",
            GardenCard::Red => "red rose",
            GardenCard::Bramble => "bramble",
            GardenCard::Soldier => "Soldier",
            GardenCard::Gardener => "Gardener",
            GardenCard::Cat => "Cheshire Cat",
        }
    }

    /// The name with its article: “a white rose”, “the Queen”.
    pub const fn one(self) -> &'static str {
        match self {
            GardenCard::Queen => "the Queen",
            GardenCard::White => "a white rose",
            GardenCard::Red => "a red rose",
            GardenCard::Bramble => "a bramble",
            GardenCard::Soldier => "a Soldier",
            GardenCard::Gardener => "a Gardener",
            GardenCard::Cat => "a Cheshire Cat",
        }
    }

    /// The letter for the card in the garden as text.
    pub const fn letter(self) -> char {
        match self {
            GardenCard::Queen => 'Q',
            GardenCard::White => 'W',
            GardenCard::Red => 'R',
            GardenCard::Bramble => 'B',
            GardenCard::Soldier => 'S',
            GardenCard::Gardener => 'G',
            GardenCard::Cat => 'C',
        }
    }

    pub fn from_letter(letter: char) -> Option<GardenCard> {
        GardenCard::ALL.into_iter().find(|card| card.letter() == letter)
    }
}

impl fmt::Display for GardenCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for GardenCard {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<GardenCard, Refusal> {
        let found = GardenCard::ALL.into_iter().find(|card| card.word() == text);
        found.ok_or_else(|| Refusal::new(format!("“{text}” is no card of the garden.")))
    }
}

/// A card of the player's deck. The order is the starting order of a shuffle.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeckCard {
    Alice,
    Bramble,
    Soldier,
    Gardener,
    Cat,
}

impl DeckCard {
    pub const ALL: [DeckCard; 5] =
        [DeckCard::Alice, DeckCard::Bramble, DeckCard::Soldier, DeckCard::Gardener, DeckCard::Cat];

    /// WNA-4: the deck in starting order.
    pub const DECK: [(DeckCard, u8); 5] = [
        (DeckCard::Alice, 4),
        (DeckCard::Bramble, 10),
        (DeckCard::Soldier, 10),
        (DeckCard::Gardener, 10),
        (DeckCard::Cat, 10),
    ];

    /// The word for the card in views.
    pub const fn word(self) -> &'static str {
        match self {
            DeckCard::Alice => "alice",
            DeckCard::Bramble => "bramble",
            DeckCard::Soldier => "soldier",
            DeckCard::Gardener => "gardener",
            DeckCard::Cat => "cat",
        }
    }

    /// The name of the card in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            DeckCard::Alice => "Alice",
            DeckCard::Bramble => "Bramble",
            DeckCard::Soldier => "Soldier",
            DeckCard::Gardener => "Gardener",
            DeckCard::Cat => "Cat",
        }
    }

    /// The name with its article: “a Soldier”, “an Alice”.
    pub const fn one(self) -> &'static str {
        match self {
            DeckCard::Alice => "an Alice",
            DeckCard::Bramble => "a Bramble",
            DeckCard::Soldier => "a Soldier",
            DeckCard::Gardener => "a Gardener",
            DeckCard::Cat => "a Cat",
        }
    }

    /// The letter that stands for the card in a stored pile.
    pub const fn letter(self) -> char {
        match self {
            DeckCard::Alice => 'A',
            DeckCard::Bramble => 'B',
            DeckCard::Soldier => 'S',
            DeckCard::Gardener => 'G',
            DeckCard::Cat => 'C',
        }
    }

    pub fn from_letter(letter: char) -> Option<DeckCard> {
        DeckCard::ALL.into_iter().find(|card| card.letter() == letter)
    }
}

impl fmt::Display for DeckCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for DeckCard {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<DeckCard, Refusal> {
        let found = DeckCard::ALL.into_iter().find(|card| card.word() == text);
        found.ok_or_else(|| Refusal::new(format!("“{text}” is no card of the deck.")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_back_as_word_letter_and_json() {
        for card in GardenCard::ALL {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(GardenCard::from_letter(card.letter()), Some(card));
            assert_eq!(serde_json::to_value(card).unwrap(), card.word());
        }
        for card in DeckCard::ALL {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(DeckCard::from_letter(card.letter()), Some(card));
            assert_eq!(serde_json::to_value(card).unwrap(), card.word());
        }
    }

    #[test]
    fn there_are_48_cards_to_lay_out_and_44_in_the_deck() {
        assert_eq!(GardenCard::LAID_OUT.iter().map(|(_, number)| u32::from(*number)).sum::<u32>(), 48);
        assert_eq!(DeckCard::DECK.iter().map(|(_, number)| u32::from(*number)).sum::<u32>(), 44);
    }
}
