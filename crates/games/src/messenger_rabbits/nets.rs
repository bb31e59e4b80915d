//! MR-6: the nets of roads on a map. Roads that meet at a triangle belong together.

use super::hexagon::Hexagons;
use super::land::{Layout, PlacedSquare, PlacedTriangle, Side};
use super::site::SquareSlot;

/// A net of roads, by its number.
pub type Net = usize;

/// A set of nets.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Nets(u64);

impl Nets {
    pub const NONE: Nets = Nets(0);

    pub const fn one(net: Net) -> Nets {
        Nets(1 << net)
    }

    pub const fn contains(self, net: Net) -> bool {
        self.0 & Nets::one(net).0 != 0
    }

    pub const fn or(self, other: Nets) -> Nets {
        Nets(self.0 | other.0)
    }

    pub const fn and(self, other: Nets) -> Nets {
        Nets(self.0 & other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Net> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            next
        })
    }
}

/// The nets of a map.
pub struct Netted {
    /// The net of each road of each square.
    pub pieces: Vec<Vec<Net>>,
    /// The net of each triangle.
    pub triangles: Vec<Net>,
    /// What each net touches.
    pub touched: Vec<Hexagons>,
    /// The nets that lead off the board.
    pub open: Nets,
}

/// Numbers the nets of a map.
pub fn nets(layout: &Layout) -> Netted {
    let pieces = Pieces::of(layout);
    let meetings: Vec<Vec<usize>> = layout.triangles.iter().map(|triangle| pieces.meeting_at(triangle)).collect();
    let mut joined = Joined((0..pieces.count).collect());
    for met in &meetings {
        met.windows(2).for_each(|pair| joined.join(pair[0], pair[1]));
    }
    let (net_of, count) = joined.numbered();
    let mut open = Nets::NONE;
    pieces.each_open(&meetings, |piece| open = open.or(Nets::one(net_of[piece])));
    Netted {
        pieces: pieces.of_squares().map(|(square, first)| net_of[first..][..square.roads().len()].to_vec()).collect(),
        // A triangle always touches a placed square.
        triangles: meetings.iter().map(|met| met.first().map_or(0, |piece| net_of[*piece])).collect(),
        touched: pieces.touched(&net_of, count),
        open,
    }
}

/// The pieces of road of a map: the roads of its squares, numbered one square after the other.
struct Pieces<'a> {
    layout: &'a Layout,
    /// The number of each square's first piece.
    firsts: Vec<usize>,
    count: usize,
}

impl Pieces<'_> {
    fn of(layout: &Layout) -> Pieces<'_> {
        let mut count = 0;
        let firsts = layout.squares.iter().map(|square| {
            let first = count;
            count += square.roads().len();
            first
        });
        Pieces { firsts: firsts.collect(), layout, count }
    }

    /// Each square, and the number of its first piece.
    fn of_squares(&self) -> impl Iterator<Item = (&PlacedSquare, usize)> {
        self.layout.squares.iter().zip(self.firsts.iter().copied())
    }

    fn at(&self, slot: SquareSlot, side: Side) -> Option<usize> {
        let squares = &self.layout.squares;
        let place = squares.binary_search_by_key(&slot, |square| square.at).ok()?;
        let road = squares[place].roads().iter().position(|road| road.contains(&side))?;
        Some(self.firsts[place] + road)
    }

    /// The pieces that a triangle joins.
    fn meeting_at(&self, triangle: &PlacedTriangle) -> Vec<usize> {
        let side = |slot: &SquareSlot| if slot.triangles()[0] == Some(triangle.at) { Side::T } else { Side::U };
        triangle.at.squares().into_iter().filter_map(|slot| self.at(slot, side(&slot))).collect()
    }

    /// MR-6: a side of a triangle without a tile beside it leads off the board, and so does a road that ends blind.
    fn each_open(&self, meetings: &[Vec<usize>], mut open: impl FnMut(usize)) {
        for met in meetings.iter().filter(|met| met.len() < 3) {
            met.first().copied().into_iter().for_each(&mut open);
        }
        for (square, first) in self.of_squares() {
            let [t, u] =
                square.at.triangles().map(|slot| slot.is_none_or(|slot| self.layout.triangle_at(slot).is_none()));
            let blind = |side: &Side| match side {
                Side::A | Side::B => false,
                Side::T => t,
                Side::U => u,
            };
            for (road, sides) in square.roads().iter().enumerate() {
                if sides.iter().any(blind) {
                    open(first + road);
                }
            }
        }
    }

    fn touched(&self, net_of: &[Net], count: usize) -> Vec<Hexagons> {
        let mut touched = vec![Hexagons::NONE; count];
        for (square, first) in self.of_squares() {
            for (sides, net) in square.roads().iter().zip(&net_of[first..]) {
                for (side, site) in [(Side::A, square.at.a), (Side::B, square.at.b)] {
                    if let (true, Some(hexagon)) = (sides.contains(&side), self.layout.hexagon_at(site)) {
                        touched[*net].insert(hexagon);
                    }
                }
            }
        }
        touched
    }
}

/// Which roads belong together: a forest of road pieces.
struct Joined(Vec<usize>);

impl Joined {
    fn root(&self, mut piece: usize) -> usize {
        while self.0[piece] != piece {
            piece = self.0[piece];
        }
        piece
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }

    /// The net of each piece, and how many nets there are. They are numbered in the order of their first pieces.
    fn numbered(&self) -> (Vec<Net>, usize) {
        let mut net_of_root = vec![None; self.0.len()];
        let mut count = 0;
        let mut net = |piece| {
            *net_of_root[self.root(piece)].get_or_insert_with(|| {
                count += 1;
                count - 1
            })
        };
        ((0..self.0.len()).map(&mut net).collect(), count)
    }
}
