//! A player's sheet: what is painted where, what may be painted, and what follows from it.

use serde::{Deserialize, Serialize};

use super::guest::{Guest, GuestSet};
use super::layout::{Icon, ground, layout};
use super::space::{CELLS, COLUMNS, Colour, MUSHROOMS, Place, ROWS, Space, TREES};

/// The numbers on a sheet, 0 where there is none, and the teacups spent. All else follows from these.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sheet {
    /// Each mushroom from left to right.
    meadow: [[u8; 5]; MUSHROOMS],
    woods: [u8; TREES],
    keep: [[u8; COLUMNS]; ROWS],
    spent: u8,
}

impl Sheet {
    /// The numbers in a mushroom, left to right.
    pub fn mushroom(&self, index: usize) -> &[u8] {
        let spots = &self.meadow[index];
        &spots[..spots.iter().position(|number| *number == 0).unwrap_or(spots.len())]
    }

    pub fn tree(&self, index: usize) -> Option<u8> {
        Some(self.woods[index]).filter(|number| *number != 0)
    }

    pub fn cell(&self, index: usize) -> Option<u8> {
        Some(self.keep[index / COLUMNS][index % COLUMNS]).filter(|number| *number != 0)
    }

    /// The marked trees, as bits.
    pub fn trees(&self) -> u32 {
        self.woods.iter().enumerate().fold(0, |set, (index, number)| set | u32::from(*number != 0) << index)
    }

    /// The marked cells, as bits.
    pub fn cells(&self) -> u64 {
        self.keep
            .as_flattened()
            .iter()
            .enumerate()
            .fold(0, |set, (index, number)| set | u64::from(*number != 0) << index)
    }

    /// Whether a mark of this number and colour may be made here (OWH-18 to OWH-22).
    pub fn fits(&self, space: Space, number: u8, colour: Colour) -> bool {
        ground().colours[space.index()].has(colour)
            && match space.place() {
                // OWH-18, OWH-19
                Place::Mushroom(index) => {
                    let numbers = self.mushroom(index);
                    numbers.len() < ground().sizes[index] && !numbers.contains(&number)
                }
                // OWH-20
                Place::Tree(index) => self.woods[index] == 0,
                Place::Cell(index) => self.opens(self.cells(), colour) >> index & 1 == 1,
            }
    }

    /// The empty cells that a mark of this colour may go to, if they have the colour.
    fn opens(&self, marked: u64, colour: Colour) -> u64 {
        let entrance = 1 << ground().entrance(colour);
        if marked & entrance == 0 {
            // OWH-21: until the colour has come in, only by its entrance.
            return entrance;
        }
        // OWH-22
        self.edge(marked)
    }

    /// The empty cells beside the marked ones.
    pub fn edge(&self, marked: u64) -> u64 {
        let beside = (0..CELLS).filter(|cell| marked >> cell & 1 == 1).fold(0, |set, cell| set | ground().beside[cell]);
        beside & !marked
    }

    /// All spaces that a mark of this number and colour may be made in, as bits in sheet order.
    pub fn spaces(&self, number: u8, colour: Colour) -> u64 {
        let marked = self.cells();
        let open = self.opens(marked, colour);
        let mut spaces = 0;
        for space in Space::all() {
            let fits = match space.place() {
                Place::Cell(index) => open >> index & 1 == 1 && ground().colours[space.index()].has(colour),
                Place::Mushroom(_) | Place::Tree(_) => self.fits(space, number, colour),
            };
            spaces |= u64::from(fits) << space.index();
        }
        spaces
    }

    /// What a mark here would bring.
    pub fn icon(&self, space: Space) -> Option<Icon> {
        match space.place() {
            Place::Mushroom(index) => *ground().spot_icons[index].get(self.mushroom(index).len())?,
            Place::Tree(index) => ground().tree_icons[index],
            Place::Cell(index) => ground().cell_icons[index],
        }
    }

    /// Paints a number. Where there is no room nothing happens.
    pub fn paint(&mut self, space: Space, number: u8) {
        let spot = match space.place() {
            Place::Mushroom(index) => {
                let filled = self.mushroom(index).len();
                if filled >= ground().sizes[index] {
                    return;
                }
                &mut self.meadow[index][filled]
            }
            Place::Tree(index) => &mut self.woods[index],
            Place::Cell(index) => &mut self.keep[index / COLUMNS][index % COLUMNS],
        };
        if *spot == 0 {
            *spot = number;
        }
    }

    pub fn spend(&mut self, teacups: u8) {
        self.spent = self.spent.saturating_add(teacups).min(self.gained());
    }

    /// OWH-2, OWH-23: teacups gained, spent or not.
    pub fn gained(&self) -> u8 {
        let spots = ground().spot_icons.iter().enumerate();
        let meadow = spots.map(|(index, icons)| {
            icons[..self.mushroom(index).len()].iter().filter(|icon| **icon == Some(Icon::Teacup)).count() as u32
        });
        let teacups = meadow.sum::<u32>()
            + (self.trees() & ground().tree_teacups).count_ones()
            + (self.cells() & ground().cell_teacups).count_ones();
        layout().teacups.start + teacups as u8
    }

    pub const fn spent(&self) -> u8 {
        self.spent
    }

    /// Teacups that can be spent.
    pub fn available(&self) -> u8 {
        self.gained().saturating_sub(self.spent)
    }

    /// OWH-37: whether no two adjacent trees bear the same number.
    pub fn keeps_jabberwock_asleep(&self) -> bool {
        (0..TREES).all(|tree| self.woods[tree] == 0 || !self.beside_equal(tree, self.woods[tree]))
    }

    /// Whether a tree beside this one bears this number.
    pub fn beside_equal(&self, tree: usize, number: u8) -> bool {
        let mut joined = ground().joined[tree];
        while joined != 0 {
            if self.woods[joined.trailing_zeros() as usize] == number {
                return true;
            }
            joined &= joined - 1;
        }
        false
    }

    /// Whether a mark here would break the Jabberwock's rule, which is kept so far.
    pub fn would_wake(&self, space: Space, number: u8) -> bool {
        matches!(space.place(), Place::Tree(tree) if self.beside_equal(tree, number)) && self.keeps_jabberwock_asleep()
    }

    pub fn full(&self, mushroom: usize) -> bool {
        self.mushroom(mushroom).len() >= ground().sizes[mushroom]
    }

    /// OWH-29: those whose condition holds. Nothing that brings a guest is ever undone, so they stay.
    pub fn guests(&self) -> GuestSet {
        let ground = ground();
        let (trees, cells) = (self.trees(), self.cells());
        let has = |guest: &Guest| match guest {
            Guest::Caterpillar => (0..MUSHROOMS).any(|index| self.full(index)),
            Guest::HumptyDumpty => cells >> ground.humpty & 1 == 1,
            Guest::CheshireCat => self.meadow.iter().filter(|spots| spots[0] != 0).count() >= 3,
            Guest::WhiteRabbit => cells >> ground.rabbit & 1 == 1,
            Guest::Dormouse => trees & ground.two_coloured == ground.two_coloured,
            Guest::MadHatter => self.gained() >= layout().teacups.hatter,
            Guest::MarchHare => trees & ground.hare == ground.hare,
        };
        Guest::ALL.into_iter().filter(has).collect()
    }

    /// The circles whose trees are all marked, by place in the layout.
    pub fn closed_circles(&self) -> impl Iterator<Item = usize> {
        let trees = self.trees();
        ground()
            .circles
            .iter()
            .enumerate()
            .filter(move |(_, (round, _))| trees & round == *round)
            .map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(marks: &[(&str, u8)]) -> Sheet {
        let mut sheet = Sheet::default();
        marks.iter().for_each(|(space, number)| sheet.paint(space.parse().unwrap(), *number));
        sheet
    }

    #[test]
    fn painting_where_there_is_no_room_does_nothing() {
        let mut sheet = painted(&[("meadow-1", 2), ("meadow-1", 3), ("meadow-1", 4), ("woods-1", 9), ("keep-a4", 7)]);
        let before = sheet;
        for space in ["meadow-1", "woods-1", "keep-a4"] {
            sheet.paint(space.parse().unwrap(), 5);
        }
        assert_eq!(sheet, before);
    }

    #[test]
    fn the_spaces_that_fit_are_those_that_fit_one_by_one() {
        let sheet = painted(&[("keep-a4", 3), ("keep-g2", 3), ("keep-b4", 9), ("meadow-3", 9), ("woods-6", 9)]);
        for colour in [Colour::Red, Colour::Black] {
            for number in 1..=11 {
                let spaces = sheet.spaces(number, colour);
                for space in Space::all() {
                    assert_eq!(spaces >> space.index() & 1 == 1, sheet.fits(space, number, colour), "{space}");
                }
            }
        }
    }

    #[test]
    fn teacups_spent_never_exceed_those_gained() {
        let mut sheet = Sheet::default();
        sheet.spend(3);
        assert_eq!((sheet.gained(), sheet.spent(), sheet.available()), (1, 1, 0));
    }
}
