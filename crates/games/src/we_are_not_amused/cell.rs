//! The cells of the garden, and sets of them.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use wonderpost_rules::Refusal;

/// A cell of the garden, `a1` to `g7`: columns from left to right, rows from top to bottom. The order is reading order.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// Rows and columns of the garden.
    pub const SIDE: u8 = 7;
    pub const COUNT: usize = 49;
    /// Where the Queen sits: `d4`.
    pub const QUEEN: Cell = Cell(24);

    /// The cell in this column and row, both from 0.
    pub const fn new(column: u8, row: u8) -> Option<Cell> {
        if column < Cell::SIDE && row < Cell::SIDE { Some(Cell(row * Cell::SIDE + column)) } else { None }
    }

    /// All cells in reading order.
    pub fn all() -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        (0..Cell::COUNT as u8).map(Cell)
    }

    /// The column, from 0.
    pub const fn column(self) -> u8 {
        self.0 % Cell::SIDE
    }

    /// The row, from 0.
    pub const fn row(self) -> u8 {
        self.0 / Cell::SIDE
    }

    /// The place in reading order, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// WNA-1: whether what lies here lies upright; else it lies lengthwise.
    pub const fn vertical(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// WNA-6: the cells that share a side with this one.
    pub const fn neighbours(self) -> CellSet {
        self.set().grown()
    }

    /// The cell one step away, if it is in the garden.
    pub const fn step(self, columns: i8, rows: i8) -> Option<Cell> {
        match (self.column().checked_add_signed(columns), self.row().checked_add_signed(rows)) {
            (Some(column), Some(row)) => Cell::new(column, row),
            _ => None,
        }
    }

    /// WNA-1: what lies beyond the two short edges: top and bottom of an upright cell, left and right of a lengthwise one.
    /// `None` is outside the garden.
    pub const fn beyond_short_edges(self) -> [Option<Cell>; 2] {
        if self.vertical() { [self.step(0, -1), self.step(0, 1)] } else { [self.step(-1, 0), self.step(1, 0)] }
    }

    /// Whether the cell is on the rim of the garden.
    pub const fn on_border(self) -> bool {
        CellSet::BORDER.contains(self)
    }

    /// Columns apart plus rows apart.
    pub const fn distance(self, other: Cell) -> u8 {
        self.column().abs_diff(other.column()) + self.row().abs_diff(other.row())
    }

    const fn set(self) -> CellSet {
        CellSet(1 << self.0)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column()) as char, self.row() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Cell {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Cell, Refusal> {
        let found = match *text.as_bytes() {
            [column, row] if column >= b'a' && row >= b'1' => Cell::new(column - b'a', row - b'1'),
            _ => None,
        };
        found.ok_or_else(|| Refusal::new(format!("“{text}” is no cell: the garden goes from a1 to g7.")))
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = [b'a' + self.column(), b'1' + self.row()];
        serializer.serialize_str(std::str::from_utf8(&bytes).unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
        struct Named;

        impl Visitor<'_> for Named {
            type Value = Cell;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a cell from a1 to g7")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Cell, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Named)
    }
}

/// A set of cells, one bit each.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash)]
pub struct CellSet(u64);

impl CellSet {
    pub const EMPTY: CellSet = CellSet(0);
    pub const ALL: CellSet = CellSet((1 << Cell::COUNT) - 1);
    const LEFT: CellSet = CellSet(0x0000_0408_1020_4081);
    const RIGHT: CellSet = CellSet(CellSet::LEFT.0 << 6);
    const TOP: CellSet = CellSet(0x7f);
    const BOTTOM: CellSet = CellSet(0x7f << 42);
    const BORDER: CellSet = CellSet(CellSet::LEFT.0 | CellSet::RIGHT.0 | CellSet::TOP.0 | CellSet::BOTTOM.0);
    /// WNA-1: the upright cells, every other one from `a1` on.
    const VERTICAL: CellSet = CellSet(0x5555_5555_5555_5555 & CellSet::ALL.0);

    pub const fn contains(self, cell: Cell) -> bool {
        self.0 & cell.set().0 != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The first cell in reading order.
    pub const fn first(self) -> Option<Cell> {
        if self.0 == 0 { None } else { Some(Cell(self.0.trailing_zeros() as u8)) }
    }

    pub const fn insert(&mut self, cell: Cell) {
        self.0 |= cell.set().0;
    }

    pub const fn remove(&mut self, cell: Cell) {
        self.0 &= !cell.set().0;
    }

    pub const fn and(self, other: CellSet) -> CellSet {
        CellSet(self.0 & other.0)
    }

    pub const fn or(self, other: CellSet) -> CellSet {
        CellSet(self.0 | other.0)
    }

    pub const fn without(self, other: CellSet) -> CellSet {
        CellSet(self.0 & !other.0)
    }

    const fn above(self) -> CellSet {
        CellSet(self.0 >> 7)
    }

    const fn below(self) -> CellSet {
        CellSet((self.0 << 7) & CellSet::ALL.0)
    }

    const fn left(self) -> CellSet {
        CellSet((self.0 & !CellSet::LEFT.0) >> 1)
    }

    const fn right(self) -> CellSet {
        CellSet((self.0 & !CellSet::RIGHT.0) << 1)
    }

    /// The cells that are a neighbour of one of these.
    pub const fn grown(self) -> CellSet {
        self.above().or(self.below()).or(self.left()).or(self.right())
    }

    /// WNA-7: the cells with one of these, or the outside of the garden, beyond a short edge.
    pub const fn open_at_short_edges(self) -> CellSet {
        let upright = self.above().or(self.below()).or(CellSet::TOP).or(CellSet::BOTTOM).and(CellSet::VERTICAL);
        let lengthwise = self.left().or(self.right()).or(CellSet::LEFT).or(CellSet::RIGHT).without(CellSet::VERTICAL);
        upright.or(lengthwise)
    }

    /// Those of these cells that can be walked to from outside the garden over these cells alone.
    pub const fn entered(self) -> CellSet {
        let mut reached = self.and(CellSet::BORDER);
        loop {
            let further = reached.or(reached.grown().and(self));
            if further.0 == reached.0 {
                return reached;
            }
            reached = further;
        }
    }

    /// The cells in reading order.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let mut left = self;
        std::iter::from_fn(move || {
            let first = left.first()?;
            left.remove(first);
            Some(first)
        })
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        let mut set = CellSet::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

/// Written as the list of its cells in reading order.
impl Serialize for CellSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for CellSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CellSet, D::Error> {
        Ok(Vec::<Cell>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> CellSet {
        text.split_whitespace().map(|cell| cell.parse::<Cell>().unwrap()).collect()
    }

    #[test]
    fn every_cell_reads_back_as_it_is_written() {
        for cell in Cell::all() {
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(serde_json::from_str::<Cell>(&serde_json::to_string(&cell).unwrap()).unwrap(), cell);
        }
        assert_eq!(Cell::QUEEN.to_string(), "d4");
        for text in ["", "a", "a0", "a8", "h1", "A1", "a1 ", "11", "é"] {
            assert!(text.parse::<Cell>().is_err(), "{text}");
        }
    }

    #[test]
    fn neighbours_share_a_side_and_corners_do_not_count() {
        let neighbours = |text: &str| text.parse::<Cell>().unwrap().neighbours();
        assert_eq!(neighbours("d4"), cells("d3 c4 e4 d5"));
        assert_eq!(neighbours("a1"), cells("b1 a2"));
        assert_eq!(neighbours("g3"), cells("g2 f3 g4"));
        assert_eq!(neighbours("g7"), cells("g6 f7"));
        for cell in Cell::all() {
            let near: CellSet = Cell::all().filter(|other| other.distance(cell) == 1).collect();
            assert_eq!(cell.neighbours(), near, "{cell}");
        }
    }

    #[test]
    fn fourteen_cells_of_a_full_garden_are_open_at_a_short_edge() {
        let open = cells("a1 c1 e1 g1 a2 a4 a6 g2 g4 g6 a7 c7 e7 g7");
        assert_eq!(CellSet::EMPTY.open_at_short_edges(), open);
    }

    #[test]
    fn short_edges_of_sets_and_of_cells_agree() {
        for gap in Cell::all() {
            let gaps = CellSet::from_iter([gap]);
            let open: CellSet = Cell::all()
                .filter(|cell| cell.beyond_short_edges().iter().any(|beyond| beyond.is_none_or(|b| gaps.contains(b))))
                .collect();
            assert_eq!(gaps.open_at_short_edges(), open, "{gap}");
        }
    }

    #[test]
    fn one_walks_in_over_the_border_and_never_across_corners() {
        assert_eq!(cells("b2 c3 d3").entered(), CellSet::EMPTY);
        assert_eq!(cells("d1 d2 d3 f5 f6 e7").entered(), cells("d1 d2 d3 e7"));
        assert_eq!(cells("g3 a4").entered(), cells("g3 a4"));
    }
}
