//! MR-4: what lies where on the map. The roads that follow are in `roads`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::hexagon::{Hexagon, Hexagons};
use super::site::{Site, SquareSlot, TriangleSlot};
use super::suits::Suits;
use super::tile::{Face, SampleBoard, SquareTile, Tables, TriangleTile};
use wonderpost_rules::Suit;

/// All that lies on the map, each kind in order of its places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    #[serde(with = "by_site")]
    pub hexes: Vec<(Site, Hexagon)>,
    pub squares: Vec<PlacedSquare>,
    pub triangles: Vec<PlacedTriangle>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedSquare {
    pub at: SquareSlot,
    pub tile: SquareTile,
    /// MR-8: 0 or 1; always 0 unless the tile shows bends.
    #[serde(default)]
    pub turn: u8,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedTriangle {
    pub at: TriangleSlot,
    pub tile: TriangleTile,
}

/// A side of a square: its two sites and its two triangle slots.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Side {
    A,
    B,
    T,
    U,
}

impl PlacedSquare {
    /// MR-5: the roads, by the sides that they join.
    pub fn roads(&self) -> &'static [&'static [Side]] {
        match (self.tile.shows().face, self.turn) {
            (Face::Cross, _) => &[&[Side::A, Side::T, Side::B, Side::U]],
            (Face::Bridge, _) => &[&[Side::A, Side::B], &[Side::T, Side::U]],
            (Face::Bends, 0) => &[&[Side::A, Side::T], &[Side::B, Side::U]],
            (Face::Bends, _) => &[&[Side::A, Side::U], &[Side::B, Side::T]],
        }
    }

    pub fn has_bends(&self) -> bool {
        self.tile.shows().face == Face::Bends
    }
}

impl Layout {
    /// The Citadel alone.
    pub fn new() -> Layout {
        Layout { hexes: vec![(Site::CITADEL, Hexagon::Citadel)], squares: vec![], triangles: vec![] }
    }

    /// MR-7: the sample board for these suits.
    pub fn sample(suits: Suits) -> Layout {
        let boards = Tables::read().boards;
        let board = match suits.len() {
            2 => boards.two,
            3 => boards.three,
            _ => boards.four,
        };
        let letters: BTreeMap<char, char> = "WXYZ".chars().zip(suits.iter().map(Suit::letter)).collect();
        let lay = |name: &str| name.chars().map(|letter| *letters.get(&letter).unwrap_or(&letter)).collect::<String>();
        // The sample boards have the same shape as those that are written down with a game.
        let SampleBoard { hexes, squares, triangles } = board;
        let hexes: BTreeMap<String, String> = hexes.into_iter().map(|(at, name)| (at, lay(&name))).collect();
        let tiles = |tiles: BTreeMap<String, String>| -> Vec<serde_json::Value> {
            tiles.into_iter().map(|(at, tile)| serde_json::json!({"at": at, "tile": lay(&tile)})).collect()
        };
        let written = serde_json::json!({"hexes": hexes, "squares": tiles(squares), "triangles": tiles(triangles)});
        serde_json::from_value(written).expect("the sample boards are part of the program")
    }

    pub fn hexagon_at(&self, site: Site) -> Option<Hexagon> {
        self.hexes.binary_search_by_key(&site, |(at, _)| *at).ok().map(|place| self.hexes[place].1)
    }

    pub fn site_of(&self, hexagon: Hexagon) -> Option<Site> {
        self.hexes.iter().find(|(_, there)| *there == hexagon).map(|(site, _)| *site)
    }

    pub fn square_at(&self, slot: SquareSlot) -> Option<&PlacedSquare> {
        self.squares.binary_search_by_key(&slot, |square| square.at).ok().map(|place| &self.squares[place])
    }

    pub fn triangle_at(&self, slot: TriangleSlot) -> Option<&PlacedTriangle> {
        self.triangles.binary_search_by_key(&slot, |triangle| triangle.at).ok().map(|place| &self.triangles[place])
    }

    pub fn hexagons(&self) -> Hexagons {
        self.hexes.iter().map(|(_, hexagon)| *hexagon).collect()
    }

    /// How many placed squares a triangle slot touches.
    pub fn squares_around(&self, slot: TriangleSlot) -> usize {
        slot.squares().into_iter().filter(|slot| self.square_at(*slot).is_some()).count()
    }

    pub fn put_hexagon(&mut self, site: Site, hexagon: Hexagon) {
        let place = self.hexes.partition_point(|(at, _)| *at < site);
        self.hexes.insert(place, (site, hexagon));
    }

    pub fn put_square(&mut self, at: SquareSlot, tile: SquareTile) {
        let place = self.squares.partition_point(|square| square.at < at);
        self.squares.insert(place, PlacedSquare { at, tile, turn: 0 });
    }

    pub fn put_triangle(&mut self, at: TriangleSlot, tile: TriangleTile) {
        let place = self.triangles.partition_point(|triangle| triangle.at < at);
        self.triangles.insert(place, PlacedTriangle { at, tile });
    }
}

/// Hexagons written as an object of sites.
mod by_site {
    use super::{BTreeMap, Hexagon, Site};
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(hexes: &[(Site, Hexagon)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(hexes.iter().map(|(site, hexagon)| (site, hexagon)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(Site, Hexagon)>, D::Error> {
        Ok(BTreeMap::<Site, Hexagon>::deserialize(deserializer)?.into_iter().collect())
    }
}
