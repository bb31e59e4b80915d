//! The small tiles: squares with roads, caves and taverns, triangles with merchants. What they offer is in `tables.json`.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::suits::Suits;
use wonderpost_rules::{Refusal, Suit};

/// A small tile, named by its suit and a number, such as `S1`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile<Shape> {
    pub suit: Suit,
    number: u8,
    shape: PhantomData<Shape>,
}

/// A square has a number from 1 to 3.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Four;
/// A triangle has a number from 4 to 6.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Three;

pub type SquareTile = Tile<Four>;
pub type TriangleTile = Tile<Three>;

/// What tells squares from triangles.
pub trait Shape: Copy + Ord {
    const NUMBERS: std::ops::RangeInclusive<u8>;
    const NAME: &'static str;
}

impl Shape for Four {
    const NUMBERS: std::ops::RangeInclusive<u8> = 1..=3;
    const NAME: &'static str = "square";
}

impl Shape for Three {
    const NUMBERS: std::ops::RangeInclusive<u8> = 4..=6;
    const NAME: &'static str = "triangle";
}

impl<S: Shape> Tile<S> {
    /// The tiles of these suits, in order.
    pub fn of_suits(suits: Suits) -> Vec<Tile<S>> {
        let tiles =
            suits.iter().flat_map(|suit| S::NUMBERS.map(move |number| Tile { suit, number, shape: PhantomData }));
        tiles.collect()
    }

    fn index(self) -> usize {
        self.suit as usize * 3 + usize::from(self.number - S::NUMBERS.start())
    }
}

impl<S> fmt::Display for Tile<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.suit.letter(), self.number)
    }
}

impl<S> Serialize for Tile<S> {
    fn serialize<T: serde::Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, S: Shape> Deserialize<'de> for Tile<S> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Tile<S>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let tile = Tile::of_suits(Suits::ALL).into_iter().find(|tile| tile.to_string() == text);
        tile.ok_or_else(|| serde::de::Error::custom(Refusal::new(format!("“{text}” is no {}", S::NAME))))
    }
}

/// MR-5: which sides the roads of a square join.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Face {
    Cross,
    Bridge,
    Bends,
}

/// What a square shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Square {
    pub name: String,
    pub face: Face,
    /// Suits that pay for crossing from one road to the other.
    pub hike: Suits,
    pub tavern: Suits,
    pub cave: Suits,
}

/// What a triangle shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triangle {
    pub name: String,
    pub horse: Suits,
    pub boat: Suits,
}

impl SquareTile {
    pub fn shows(self) -> &'static Square {
        &SHOWN.squares[self.index()]
    }

    pub fn is_cave(self) -> bool {
        !self.shows().cave.is_empty()
    }
}

impl TriangleTile {
    pub fn shows(self) -> &'static Triangle {
        &SHOWN.triangles[self.index()]
    }

    /// MR-62: a boat that would take a suit left out takes its tile's own suit instead.
    pub fn boat(self, in_play: Suits) -> Suits {
        let boat = self.shows().boat.and(in_play);
        if boat.is_empty() { Suits::one(self.suit) } else { boat }
    }
}

struct Shown {
    squares: Vec<Square>,
    triangles: Vec<Triangle>,
}

static SHOWN: LazyLock<Shown> = LazyLock::new(|| {
    let tables = Tables::read();
    let squares = Tile::<Four>::of_suits(Suits::ALL).into_iter().map(|tile| {
        let written = &tables.squares[&tile.to_string()];
        Square {
            name: written.name.clone(),
            face: written.face,
            hike: written.hike.unwrap_or_default(),
            tavern: written.tavern.unwrap_or_default(),
            cave: written.cave.unwrap_or_default(),
        }
    });
    let triangles = Tile::<Three>::of_suits(Suits::ALL).into_iter().map(|tile| {
        let written = &tables.triangles[&tile.to_string()];
        Triangle { name: written.name.clone(), horse: written.horse, boat: written.boat }
    });
    Shown { squares: squares.collect(), triangles: triangles.collect() }
});

/// The tables of the game as they are written down.
#[derive(Deserialize)]
pub struct Tables {
    squares: BTreeMap<String, WrittenSquare>,
    triangles: BTreeMap<String, WrittenTriangle>,
    /// The sample boards, by the number of suits.
    pub boards: Boards,
}

#[derive(Deserialize)]
pub struct Boards {
    #[serde(rename = "2")]
    pub two: SampleBoard,
    #[serde(rename = "3")]
    pub three: SampleBoard,
    #[serde(rename = "4")]
    pub four: SampleBoard,
}

/// A sample board; W, X, Y, Z stand for the suits in play.
#[derive(Deserialize)]
pub struct SampleBoard {
    pub hexes: BTreeMap<String, String>,
    pub squares: BTreeMap<String, String>,
    pub triangles: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct WrittenSquare {
    name: String,
    face: Face,
    hike: Option<Suits>,
    tavern: Option<Suits>,
    cave: Option<Suits>,
}

#[derive(Deserialize)]
struct WrittenTriangle {
    name: String,
    horse: Suits,
    boat: Suits,
}

impl Tables {
    pub fn read() -> Tables {
        serde_json::from_str(include_str!("tables.json")).expect("the tables are part of the program")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_three_squares_and_three_triangles_a_suit() {
        let names = |tiles: Vec<String>| tiles.join(" ");
        let squares: Vec<String> = SquareTile::of_suits(Suits::ALL).iter().map(|tile| tile.to_string()).collect();
        assert_eq!(names(squares), "S1 S2 S3 H1 H2 H3 D1 D2 D3 C1 C2 C3");
        let triangles: Vec<String> = TriangleTile::of_suits(Suits::ALL).iter().map(|tile| tile.to_string()).collect();
        assert_eq!(names(triangles), "S4 S5 S6 H4 H5 H6 D4 D5 D6 C4 C5 C6");
    }

    #[test]
    fn every_tavern_and_cave_takes_its_own_suit() {
        for tile in SquareTile::of_suits(Suits::ALL) {
            let shows = tile.shows();
            for takes in [shows.hike, shows.tavern, shows.cave] {
                assert!(takes.is_empty() || takes.contains(tile.suit), "{tile}");
            }
            assert_eq!(tile.is_cave(), tile.number == 3);
        }
    }
}
