//! MR 2.2: the hexagons of the map, and where a rabbit can be.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::suits::Suits;
use crate::playing_cards::suit_name;
use wonderpost_rules::{Card, Rank, Refusal, Suit};

/// What a house is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A Jack's.
    Plaza,
    /// A Queen's.
    Palace,
    /// A King's.
    Tower,
}

/// A house, named by its royal's card. In sorted card order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct House {
    pub suit: Suit,
    pub kind: Kind,
}

impl House {
    /// The houses of these suits, in sorted card order.
    pub fn of_suits(suits: Suits) -> impl Iterator<Item = House> {
        let kinds = [Kind::Plaza, Kind::Palace, Kind::Tower];
        suits.iter().flat_map(move |suit| kinds.into_iter().map(move |kind| House { suit, kind }))
    }

    pub const fn rank(self) -> Rank {
        match self.kind {
            Kind::Plaza => Rank::Jack,
            Kind::Palace => Rank::Queen,
            Kind::Tower => Rank::King,
        }
    }

    pub const fn royal(self) -> Card {
        Card::Plain(self.suit, self.rank())
    }

    pub const fn of_royal(card: Card) -> Option<House> {
        let Card::Plain(suit, rank) = card else { return None };
        let kind = match rank {
            Rank::Jack => Kind::Plaza,
            Rank::Queen => Kind::Palace,
            Rank::King => Kind::Tower,
            _ => return None,
        };
        Some(House { suit, kind })
    }

    /// “the palace of the Queen of hearts”
    pub fn in_words(self) -> String {
        let suit = suit_name(self.suit);
        match self.kind {
            Kind::Plaza => format!("the plaza of the Jack of {suit}"),
            Kind::Palace => format!("the palace of the Queen of {suit}"),
            Kind::Tower => format!("the tower of the King of {suit}"),
        }
    }
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.royal().fmt(f)
    }
}

impl FromStr for House {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<House, Refusal> {
        let card: Card = text.parse()?;
        House::of_royal(card).ok_or_else(|| Refusal::new(format!("{card} is no royal, and has no house.")))
    }
}

impl TryFrom<String> for House {
    type Error = Refusal;

    fn try_from(text: String) -> Result<House, Refusal> {
        text.parse()
    }
}

impl From<House> for String {
    fn from(house: House) -> String {
        house.to_string()
    }
}

/// A hexagon of the map.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Hexagon {
    House(House),
    Citadel,
}

impl Hexagon {
    /// How many there can be.
    pub const COUNT: usize = 13;

    /// A number below [`Hexagon::COUNT`].
    pub const fn index(self) -> usize {
        match self {
            Hexagon::House(house) => house.suit as usize * 3 + house.kind as usize,
            Hexagon::Citadel => Hexagon::COUNT - 1,
        }
    }

    fn of_index(index: usize) -> Hexagon {
        let kind = match index % 3 {
            0 => Kind::Plaza,
            1 => Kind::Palace,
            _ => Kind::Tower,
        };
        match Suit::ALL.get(index / 3) {
            Some(suit) => Hexagon::House(House { suit: *suit, kind }),
            None => Hexagon::Citadel,
        }
    }

    pub const fn house(self) -> Option<House> {
        match self {
            Hexagon::House(house) => Some(house),
            Hexagon::Citadel => None,
        }
    }

    /// “Q♥”, where a drawing beside it shows what house it is.
    pub fn sign(self) -> String {
        match self {
            Hexagon::House(house) => house.royal().with_sign(),
            Hexagon::Citadel => "Citadel".to_owned(),
        }
    }

    pub fn in_words(self) -> String {
        match self {
            Hexagon::House(house) => house.in_words(),
            Hexagon::Citadel => "the Citadel".to_owned(),
        }
    }
}

impl fmt::Display for Hexagon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hexagon::House(house) => house.fmt(f),
            Hexagon::Citadel => f.write_str("citadel"),
        }
    }
}

impl FromStr for Hexagon {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Hexagon, Refusal> {
        if text == "citadel" {
            return Ok(Hexagon::Citadel);
        }
        let house = text.parse().map(Hexagon::House);
        house.map_err(|_| Refusal::new(format!("“{text}” is no place: say a house, such as QH, or citadel.")))
    }
}

impl TryFrom<String> for Hexagon {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Hexagon, Refusal> {
        text.parse()
    }
}

impl From<Hexagon> for String {
    fn from(hexagon: Hexagon) -> String {
        hexagon.to_string()
    }
}

/// A set of hexagons, in the order of their numbers.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hexagons(u16);

impl Hexagons {
    pub const NONE: Hexagons = Hexagons(0);

    pub const fn one(hexagon: Hexagon) -> Hexagons {
        Hexagons(1 << hexagon.index())
    }

    pub const fn contains(self, hexagon: Hexagon) -> bool {
        self.0 & Hexagons::one(hexagon).0 != 0
    }

    pub fn insert(&mut self, hexagon: Hexagon) {
        self.0 |= Hexagons::one(hexagon).0;
    }

    pub const fn or(self, other: Hexagons) -> Hexagons {
        Hexagons(self.0 | other.0)
    }

    pub const fn and(self, other: Hexagons) -> Hexagons {
        Hexagons(self.0 & other.0)
    }

    pub const fn without(self, other: Hexagons) -> Hexagons {
        Hexagons(self.0 & !other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn iter(self) -> impl Iterator<Item = Hexagon> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| Hexagon::of_index(left.trailing_zeros() as usize));
            left &= left.wrapping_sub(1);
            next
        })
    }
}

impl FromIterator<Hexagon> for Hexagons {
    fn from_iter<I: IntoIterator<Item = Hexagon>>(hexagons: I) -> Hexagons {
        let mut set = Hexagons::NONE;
        hexagons.into_iter().for_each(|hexagon| set.insert(hexagon));
        set
    }
}

/// Where a rabbit is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Place {
    On(Hexagon),
    Underground,
    Off,
}

impl Place {
    pub const CITADEL: Place = Place::On(Hexagon::Citadel);

    /// The hexagon of the map, if it is on one.
    pub const fn hexagon(self) -> Option<Hexagon> {
        match self {
            Place::On(hexagon) => Some(hexagon),
            Place::Underground | Place::Off => None,
        }
    }

    pub fn in_words(self) -> String {
        match self {
            Place::On(hexagon) => hexagon.in_words(),
            Place::Underground => "the Underground".to_owned(),
            Place::Off => "off the board".to_owned(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::On(hexagon) => hexagon.fmt(f),
            Place::Underground => f.write_str("underground"),
            Place::Off => f.write_str("off"),
        }
    }
}

impl FromStr for Place {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Place, Refusal> {
        match text {
            "underground" => Ok(Place::Underground),
            "off" => Ok(Place::Off),
            _ => text.parse().map(Place::On),
        }
    }
}

impl TryFrom<String> for Place {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Place, Refusal> {
        text.parse()
    }
}

impl From<Place> for String {
    fn from(place: Place) -> String {
        place.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn houses_are_in_sorted_card_order_and_read_back() {
        let houses: Vec<House> = House::of_suits(Suits::ALL).collect();
        assert!(houses.is_sorted() && houses.iter().map(|house| house.royal()).is_sorted());
        for (number, house) in houses.iter().enumerate() {
            assert_eq!(Hexagon::House(*house).index(), number);
            assert_eq!(Hexagon::of_index(number), Hexagon::House(*house));
            assert_eq!(house.to_string().to_lowercase().parse(), Ok(*house));
        }
        assert_eq!(Hexagon::of_index(12), Hexagon::Citadel);
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for text in ["", "10S", "BJ", "moon"] {
            assert!(text.parse::<Place>().is_err(), "{text}");
        }
    }
}
