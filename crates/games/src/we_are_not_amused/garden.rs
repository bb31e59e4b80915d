//! The garden: what lies where, what is exposed, and whether the path to the Queen is open.

use std::fmt;

use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::card::GardenCard;
use super::cell::{Cell, CellSet};

/// The cards of the garden, as one set of cells a kind.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash)]
pub struct Garden {
    cells: [CellSet; 7],
}

impl Garden {
    /// The card at a cell; `None` if it is empty.
    pub fn card(&self, cell: Cell) -> Option<GardenCard> {
        GardenCard::ALL.into_iter().find(|card| self.of(*card).contains(cell))
    }

    /// Where the cards of this kind lie.
    pub const fn of(&self, card: GardenCard) -> CellSet {
        self.cells[card as usize]
    }

    pub const fn count(&self, card: GardenCard) -> usize {
        self.of(card).len()
    }

    /// The cells with a card.
    pub const fn taken(&self) -> CellSet {
        let [a, b, c, d, e, f, g] = self.cells;
        a.or(b).or(c).or(d).or(e).or(f).or(g)
    }

    /// The cells without one.
    pub const fn gaps(&self) -> CellSet {
        CellSet::ALL.without(self.taken())
    }

    /// Puts a card in a cell, in the place of what was there.
    pub fn put(&mut self, cell: Cell, card: GardenCard) {
        self.take(cell);
        self.cells[card as usize].insert(cell);
    }

    /// Takes away what lies in a cell.
    pub fn take(&mut self, cell: Cell) {
        self.cells.iter_mut().for_each(|cells| cells.remove(cell));
    }

    /// WNA-7: the cells of all cards with an exposed short edge.
    pub const fn exposed(&self) -> CellSet {
        let gaps = self.gaps();
        gaps.open_at_short_edges().without(gaps)
    }

    /// The neighbours of a cell that hold a card of this kind.
    pub const fn beside(&self, cell: Cell, card: GardenCard) -> CellSet {
        cell.neighbours().and(self.of(card))
    }

    /// WNA-31: whether one can walk to the Queen over empty cells.
    pub const fn path_open(&self) -> bool {
        !self.path().is_empty()
    }

    /// The empty cells that can be reached from outside, if one of them is beside the Queen; else none.
    pub const fn path(&self) -> CellSet {
        let entered = self.gaps().entered();
        if entered.and(Cell::QUEEN.neighbours()).is_empty() { CellSet::EMPTY } else { entered }
    }

    /// WNA-39: whether all four neighbours of the Queen are Brambles.
    pub const fn queen_walled_in(&self) -> bool {
        Cell::QUEEN.neighbours().without(self.of(GardenCard::Bramble)).is_empty()
    }

    /// The garden from one letter a cell in reading order, `.` for an empty one.
    fn from_letters(letters: &str) -> Option<Garden> {
        let mut garden = Garden::default();
        if letters.len() != Cell::COUNT {
            return None;
        }
        for (cell, letter) in Cell::all().zip(letters.chars()) {
            if letter != '.' {
                garden.cells[GardenCard::from_letter(letter)? as usize].insert(cell);
            }
        }
        Some(garden)
    }

    fn to_letters(self) -> String {
        Cell::all().map(|cell| self.card(cell).map_or('.', GardenCard::letter)).collect()
    }
}

impl fmt::Debug for Garden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Garden({})", self.to_letters())
    }
}

/// Written as an object with a key for each cell, as the view has it.
impl Serialize for Garden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Cell::COUNT))?;
        for cell in Cell::all() {
            map.serialize_entry(&cell, &self.card(cell))?;
        }
        map.end()
    }
}

/// The garden as 49 letters: how events and snapshots hold it.
pub mod letters {
    use super::*;

    pub fn serialize<S: Serializer>(garden: &Garden, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&garden.to_letters())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Garden, D::Error> {
        let letters = String::deserialize(deserializer)?;
        Garden::from_letters(&letters).ok_or_else(|| D::Error::custom("a garden is 49 letters of QWRBSGC."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn garden(letters: &str) -> Garden {
        Garden::from_letters(&letters.split_whitespace().collect::<String>()).unwrap()
    }

    const OPEN: &str = "WWW.WWW BBB.BBB SSS.SSS CCCQCCC GGGGGGG BBBBBBB RRRRRRR";

    #[test]
    fn a_garden_reads_back_as_it_is_written() {
        let laid = garden(OPEN);
        assert_eq!(Garden::from_letters(&laid.to_letters()), Some(laid));
        assert_eq!(laid.card(Cell::QUEEN), Some(GardenCard::Queen));
        assert_eq!(serde_json::to_value(laid).unwrap().as_object().unwrap().len(), 49);
        assert!(Garden::from_letters("Q").is_none());
    }

    #[test]
    fn the_path_runs_over_empty_cells_from_the_border_to_the_queen() {
        assert!(garden(OPEN).path_open());
        assert!(!garden("WWW.WWW BBBBBBB SSS.SSS CCCQCCC GGGGGGG BBBBBBB RRRRRRR").path_open());
    }

    #[test]
    fn four_brambles_wall_the_queen_in() {
        assert!(garden("....... ....... ...B... ..BQB.. ...B... ....... .......").queen_walled_in());
        assert!(!garden("....... ....... ...B... ..BQB.. ....... ....... .......").queen_walled_in());
    }
}
