//! MR-9: how a new map is surveyed, house by house. Chance picks (`random`), or the players do (`built`).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::hexagon::{Hexagon, House};
use super::land::Layout;
use super::site::{Site, SquareSlot, TriangleSlot};
use super::suits::Suits;
use super::tile::{SquareTile, TriangleTile};

/// An unfinished map and the orders in which its tiles come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survey {
    pub layout: Layout,
    /// What is still to be placed, the next first.
    pub houses: Vec<House>,
    pub squares: Vec<SquareTile>,
    pub triangles: Vec<TriangleTile>,
    mainland: u8,
    /// The sites of the island.
    island: Vec<Site>,
    /// How many houses are placed.
    placed: u8,
    /// Whether the mainland has got its closing square.
    closed: bool,
}

/// Where a house may go: a site, and the neighbour that its square joins it to; the first house of the island lies alone at sea.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ground {
    pub site: Site,
    pub by: Option<Site>,
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.by {
            Some(by) => write!(f, "{} by {by}", self.site),
            None => write!(f, "{} by sea", self.site),
        }
    }
}

/// How many houses the mainland and the island have.
const fn shares(suits: Suits) -> (u8, u8) {
    match suits.len() {
        2 => (6, 0),
        3 => (7, 2),
        _ => (9, 3),
    }
}

/// How far from the Citadel the mainland reaches.
const REACH: u8 = 2;
/// The most squares at a site that another house may join.
const MOST_SQUARES: usize = 3;
/// How many houses lie next to the Citadel.
const NEXT_TO_CITADEL: u8 = 3;

impl Survey {
    /// MR-9.1: the orders are shuffled already; the first cave is put by for the island.
    pub fn new(suits: Suits, houses: Vec<House>, mut squares: Vec<SquareTile>, triangles: Vec<TriangleTile>) -> Survey {
        let (mainland, island) = shares(suits);
        if let (true, Some(place)) = (island > 0, squares.iter().position(|tile| tile.is_cave())) {
            let cave = squares.remove(place);
            squares.insert(usize::from(mainland) + 1, cave);
        }
        Survey::resumed(suits, houses, squares, triangles)
    }

    /// The same, with the cave in its place.
    pub fn resumed(suits: Suits, houses: Vec<House>, squares: Vec<SquareTile>, triangles: Vec<TriangleTile>) -> Survey {
        let (mainland, island) = shares(suits);
        Survey {
            layout: Layout::new(),
            houses,
            squares,
            triangles,
            mainland,
            island: vec![],
            placed: 0,
            closed: island == 0,
        }
    }

    /// How many houses have been placed.
    pub fn placed(&self) -> usize {
        usize::from(self.placed)
    }

    /// Whether the mainland is complete but for its closing square (MR-9.3).
    pub fn wants_closing(&self) -> bool {
        !self.closed && self.placed >= self.mainland
    }

    /// MR-9.2 and MR-9.4: where the next house may go, in order.
    pub fn grounds(&self) -> Vec<Ground> {
        if self.houses.is_empty() {
            return vec![];
        }
        let mut grounds = match (self.placed < self.mainland, self.island[..].len()) {
            (true, _) => self.mainland_grounds(),
            (false, 0) => self.sea_grounds(),
            (false, 1) => self.second_grounds(),
            (false, _) => self.third_grounds(),
        };
        grounds.sort_unstable();
        grounds
    }

    fn is_empty(&self, site: Site) -> bool {
        self.layout.hexagon_at(site).is_none()
    }

    fn degree(&self, site: Site) -> usize {
        self.layout.squares.iter().filter(|square| square.at.a == site || square.at.b == site).count()
    }

    /// The first hexagon beside both that is joined to `by`.
    fn corner(&self, ground: Ground) -> Option<Site> {
        let by = ground.by?;
        by.neighbours().find(|site| {
            site.is_beside(ground.site)
                && !self.is_empty(*site)
                && self.layout.square_at(SquareSlot::between(by, *site)).is_some()
        })
    }

    fn mainland_grounds(&self) -> Vec<Ground> {
        let mut grounds = vec![];
        for (by, _) in &self.layout.hexes {
            let joins =
                if self.placed < NEXT_TO_CITADEL { *by == Site::CITADEL } else { self.degree(*by) <= MOST_SQUARES };
            if joins {
                let sites =
                    by.neighbours().filter(|site| self.is_empty(*site) && site.distance(Site::CITADEL) <= REACH);
                grounds.extend(sites.map(|site| Ground { site, by: Some(*by) }));
            }
        }
        if grounds.iter().any(|ground| self.corner(*ground).is_some()) {
            grounds.retain(|ground| self.corner(*ground).is_some());
        }
        grounds
    }

    fn on_mainland(&self) -> impl Iterator<Item = Site> + Clone {
        self.layout.hexes.iter().map(|(site, _)| *site).filter(|site| !self.island.contains(site))
    }

    /// Neither a hexagon nor next to the mainland.
    fn is_open_sea(&self, site: Site) -> bool {
        self.is_empty(site) && self.on_mainland().all(|land| land.distance(site) > 1)
    }

    fn sea_grounds(&self) -> Vec<Ground> {
        let roomy = |site: Site| {
            let sea: Vec<Site> = site.neighbours().filter(|next| self.is_open_sea(*next)).collect();
            sea.iter().any(|one| sea.iter().any(|other| one.is_beside(*other)))
        };
        Site::all()
            .filter(|site| self.is_open_sea(*site) && self.on_mainland().any(|land| land.distance(*site) == 2))
            .filter(|site| roomy(*site))
            .map(|site| Ground { site, by: None })
            .collect()
    }

    fn second_grounds(&self) -> Vec<Ground> {
        let Some(by) = self.island.first().copied() else { return vec![] };
        let leaves_room = |site: Site| by.neighbours().any(|third| third.is_beside(site) && self.is_open_sea(third));
        by.neighbours()
            .filter(|site| self.is_open_sea(*site) && leaves_room(*site))
            .map(|site| Ground { site, by: Some(by) })
            .collect()
    }

    fn third_grounds(&self) -> Vec<Ground> {
        let mut grounds = vec![];
        for by in &self.island {
            let sites = by.neighbours().filter(|site| self.is_open_sea(*site));
            grounds.extend(sites.map(|site| Ground { site, by: Some(*by) }));
        }
        grounds.retain(|ground| self.corner(*ground).is_some());
        grounds
    }

    /// Places the next house, with its square and triangle.
    pub fn place(&mut self, ground: Ground) {
        if self.houses.is_empty() {
            return;
        }
        let corner = self.corner(ground);
        let house = self.houses.remove(0);
        self.layout.put_hexagon(ground.site, Hexagon::House(house));
        if self.placed >= self.mainland {
            self.island.push(ground.site);
        }
        self.placed += 1;
        let Some(by) = ground.by else { return };
        if !self.squares.is_empty() {
            self.layout.put_square(SquareSlot::between(ground.site, by), self.squares.remove(0));
        }
        if let (Some(corner), false) = (corner, self.triangles.is_empty()) {
            self.layout.put_triangle(TriangleSlot::of(ground.site, by, corner), self.triangles.remove(0));
        }
    }

    /// MR-9.3: the triangles with two squares, one of which gets its third.
    pub fn closings(&self) -> Vec<TriangleSlot> {
        let slots = self.layout.triangles.iter().map(|triangle| triangle.at);
        slots.filter(|slot| self.layout.squares_around(*slot) == 2).collect()
    }

    pub fn close(&mut self, triangle: TriangleSlot) {
        let third = triangle.squares().into_iter().find(|slot| self.layout.square_at(*slot).is_none());
        if let (Some(slot), false) = (third, self.squares.is_empty()) {
            self.layout.put_square(slot, self.squares.remove(0));
        }
        self.closed = true;
    }

    /// MR-9.5: where the next of the triangles left over may go, once all houses are placed.
    pub fn fillings(&self) -> Vec<TriangleSlot> {
        if !self.houses.is_empty() || self.triangles.is_empty() {
            return vec![];
        }
        let on_island = |slot: TriangleSlot| self.island.iter().any(|site| slot.contains(*site));
        let island_first =
            !self.island.is_empty() && !self.layout.triangles.iter().any(|triangle| on_island(triangle.at));
        let mut slots: Vec<(usize, TriangleSlot)> = TriangleSlot::all()
            .into_iter()
            .filter(|slot| self.layout.triangle_at(*slot).is_none() && (!island_first || on_island(*slot)))
            .map(|slot| (self.layout.squares_around(slot), slot))
            .filter(|(squares, _)| *squares > 0)
            .collect();
        let most = slots.iter().map(|(squares, _)| *squares).max();
        slots.retain(|(squares, _)| Some(*squares) == most);
        slots.into_iter().map(|(_, slot)| slot).collect()
    }

    pub fn fill(&mut self, slot: TriangleSlot) {
        if !self.triangles.is_empty() {
            self.layout.put_triangle(slot, self.triangles.remove(0));
        }
    }
}
