//! The spaces of a sheet, their zones and colours.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use wonderpost_rules::{Card, Refusal, Suit};

/// The three parts of a sheet.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zone {
    Meadow,
    Woods,
    Keep,
}

impl Zone {
    pub const ALL: [Zone; 3] = [Zone::Meadow, Zone::Woods, Zone::Keep];

    pub const fn name(self) -> &'static str {
        match self {
            Zone::Meadow => "Meadow",
            Zone::Woods => "Woods",
            Zone::Keep => "Keep",
        }
    }

    /// As views and stylesheets write it.
    pub const fn word(self) -> &'static str {
        match self {
            Zone::Meadow => "meadow",
            Zone::Woods => "woods",
            Zone::Keep => "keep",
        }
    }
}

/// The colour of a mark.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colour {
    Red,
    Black,
}

impl Colour {
    /// OWH-10: the colour of a card's mark.
    pub const fn of(card: Card) -> Colour {
        match card {
            Card::Plain(Suit::Hearts | Suit::Diamonds, _) | Card::RedJoker => Colour::Red,
            Card::Plain(Suit::Spades | Suit::Clubs, _) | Card::BlackJoker => Colour::Black,
        }
    }

    pub const fn other(self) -> Colour {
        match self {
            Colour::Red => Colour::Black,
            Colour::Black => Colour::Red,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Colour::Red => "red",
            Colour::Black => "black",
        }
    }
}

/// The colours of a space: one of them, or both.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Colours {
    One(Colour),
    Both,
}

impl Colours {
    pub fn has(self, colour: Colour) -> bool {
        match self {
            Colours::One(one) => one == colour,
            Colours::Both => true,
        }
    }

    /// The colour of a mark of any colour here; in a space of both it does not matter which.
    pub const fn any(self) -> Colour {
        match self {
            Colours::One(colour) => colour,
            Colours::Both => Colour::Red,
        }
    }

    pub const fn word(self) -> &'static str {
        match self {
            Colours::One(colour) => colour.name(),
            Colours::Both => "both",
        }
    }
}

impl<'de> Deserialize<'de> for Colours {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Colours, D::Error> {
        match Vec::<Colour>::deserialize(deserializer)?[..] {
            [one] => Ok(Colours::One(one)),
            [one, other] if one != other => Ok(Colours::Both),
            _ => Err(serde::de::Error::custom("a space has one colour, or both")),
        }
    }
}

/// A space that a mark can be aimed at; of a mushroom, which of its spaces is filled follows. The order is sheet order.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Space(u8);

/// A space as its zone counts it, from 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Mushroom(usize),
    Tree(usize),
    /// Row by row.
    Cell(usize),
}

pub const MUSHROOMS: usize = 5;
pub const TREES: usize = 18;
pub const COLUMNS: usize = 7;
pub const ROWS: usize = 5;
pub const CELLS: usize = COLUMNS * ROWS;

impl Space {
    pub const COUNT: usize = MUSHROOMS + TREES + CELLS;

    /// All spaces in sheet order.
    pub fn all() -> impl ExactSizeIterator<Item = Space> {
        (0..Space::COUNT as u8).map(Space)
    }

    /// The spaces of a zone in sheet order.
    pub fn of(zone: Zone) -> impl ExactSizeIterator<Item = Space> {
        let (from, to) = match zone {
            Zone::Meadow => (0, MUSHROOMS),
            Zone::Woods => (MUSHROOMS, MUSHROOMS + TREES),
            Zone::Keep => (MUSHROOMS + TREES, Space::COUNT),
        };
        (from as u8..to as u8).map(Space)
    }

    pub const fn at(place: Place) -> Option<Space> {
        match place {
            Place::Mushroom(index) if index < MUSHROOMS => Some(Space(index as u8)),
            Place::Tree(index) if index < TREES => Some(Space((MUSHROOMS + index) as u8)),
            Place::Cell(index) if index < CELLS => Some(Space((MUSHROOMS + TREES + index) as u8)),
            Place::Mushroom(_) | Place::Tree(_) | Place::Cell(_) => None,
        }
    }

    pub const fn place(self) -> Place {
        let index = self.0 as usize;
        if index < MUSHROOMS {
            Place::Mushroom(index)
        } else if index < MUSHROOMS + TREES {
            Place::Tree(index - MUSHROOMS)
        } else {
            Place::Cell(index - MUSHROOMS - TREES)
        }
    }

    /// The place in sheet order, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub const fn zone(self) -> Zone {
        match self.place() {
            Place::Mushroom(_) => Zone::Meadow,
            Place::Tree(_) => Zone::Woods,
            Place::Cell(_) => Zone::Keep,
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place() {
            Place::Mushroom(index) => write!(f, "meadow-{}", index + 1),
            Place::Tree(index) => write!(f, "woods-{}", index + 1),
            Place::Cell(index) => {
                write!(f, "keep-{}{}", char::from(b'a' + (index % COLUMNS) as u8), index / COLUMNS + 1)
            }
        }
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Space {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Space, Refusal> {
        let found = match text.split_once('-') {
            Some(("meadow", number)) => counted(number).and_then(|index| Space::at(Place::Mushroom(index))),
            Some(("woods", number)) => counted(number).and_then(|index| Space::at(Place::Tree(index))),
            Some(("keep", cell)) => match *cell.as_bytes() {
                [column @ b'a'..=b'g', row @ b'1'..=b'5'] => {
                    Space::at(Place::Cell(usize::from(row - b'1') * COLUMNS + usize::from(column - b'a')))
                }
                _ => None,
            },
            _ => None,
        };
        found.ok_or_else(|| {
            Refusal::new(format!(
                "“{text}” is no space: there are meadow-1 to meadow-5, woods-1 to woods-18 and keep-a1 to keep-g5."
            ))
        })
    }
}

/// Reads a number from 1 as it is written, without sign or leading noughts, and counts it from 0.
fn counted(text: &str) -> Option<usize> {
    match *text.as_bytes() {
        [one @ b'1'..=b'9'] => Some(usize::from(one - b'1')),
        [ten @ b'1'..=b'9', one @ b'0'..=b'9'] => Some(usize::from(ten - b'0') * 10 + usize::from(one - b'0') - 1),
        _ => None,
    }
}

impl TryFrom<String> for Space {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Space, Refusal> {
        text.parse()
    }
}

impl From<Space> for String {
    fn from(space: Space) -> String {
        space.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_space_reads_back_as_it_is_written() {
        for space in Space::all() {
            assert_eq!(space.to_string().parse(), Ok(space));
            assert_eq!(Space::at(space.place()), Some(space));
        }
        assert_eq!(Zone::ALL.map(|zone| Space::of(zone).len()), [5, 18, 35]);
    }

    #[test]
    fn what_is_no_space_is_refused() {
        for text in
            ["", "meadow", "meadow-0", "meadow-6", "woods-19", "woods-07", "woods-+7", "keep-h1", "keep-a6", "keep-4a"]
        {
            assert!(text.parse::<Space>().is_err(), "{text}");
        }
    }
}
