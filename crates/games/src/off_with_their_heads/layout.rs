//! The sheet as it is printed: where its spaces lie, what they hold and what they are worth.
//!
//! `layout.json` is the one source of it, for the rules and for the drawing.

use std::sync::LazyLock;

use serde::Deserialize;

use super::space::{CELLS, COLUMNS, Colour, Colours, MUSHROOMS, Place, ROWS, Space, TREES};

/// The sheet, and the tables of points.
#[derive(Debug, Deserialize)]
pub struct Layout {
    pub meadow: Meadow,
    pub woods: Woods,
    pub keep: Keep,
    pub teacups: Teacups,
    /// OWH-39: by the number of guests.
    pub tea_party_vp: [u8; 8],
    pub poker: [PokerHand; 9],
    /// OWH-35: for the best hand.
    pub poker_best_bonus: u8,
}

#[derive(Debug, Deserialize)]
pub struct Meadow {
    /// Width and height of the drawing.
    #[serde(rename = "box")]
    pub size: [i32; 2],
    pub mushrooms: [Mushroom; MUSHROOMS],
}

#[derive(Debug, Deserialize)]
pub struct Mushroom {
    pub name: String,
    #[serde(rename = "colors")]
    pub colours: Colours,
    pub vp: u8,
    pub x: i32,
    pub y: i32,
    pub spaces: Vec<Spot>,
}

/// One of the spaces of a mushroom.
#[derive(Debug, Deserialize)]
pub struct Spot {
    pub x: i32,
    pub y: i32,
    biscuit: bool,
    teacup: bool,
}

#[derive(Debug, Deserialize)]
pub struct Woods {
    #[serde(rename = "box")]
    pub size: [i32; 2],
    pub trees: [Tree; TREES],
    pub paths: Vec<[Space; 2]>,
    pub circles: Vec<Circle>,
    /// OWH-37: for all trees.
    pub full_bonus: u8,
}

#[derive(Debug, Deserialize)]
pub struct Tree {
    #[serde(rename = "colors")]
    pub colours: Colours,
    pub x: i32,
    pub y: i32,
    biscuit: bool,
    teacup: bool,
}

#[derive(Debug, Deserialize)]
pub struct Circle {
    pub vp: u8,
    /// Whether the March Hare sits in it.
    pub hare: bool,
    pub trees: Vec<Space>,
    pub x: i32,
    pub y: i32,
}

#[derive(Debug, Deserialize)]
pub struct Keep {
    #[serde(rename = "box")]
    pub size: [i32; 2],
    /// The side of a cell.
    pub cell: i32,
    pub cells: Vec<Cell>,
    pub walls: Vec<[Space; 2]>,
    pub red_keep_vp: u8,
}

#[derive(Debug, Deserialize)]
pub struct Cell {
    #[serde(rename = "colors")]
    pub colours: Colours,
    pub x: i32,
    pub y: i32,
    pub star: bool,
    biscuit: bool,
    teacup: bool,
    pub entrance: Option<Colour>,
    pub guest: Option<String>,
    pub red_keep: bool,
}

#[derive(Debug, Deserialize)]
pub struct Teacups {
    /// Tags of the stack.
    pub stack: u8,
    /// The Mad Hatter comes with so many.
    pub hatter: u8,
    /// Available at the start.
    pub start: u8,
}

#[derive(Debug, Deserialize)]
pub struct PokerHand {
    pub hand: String,
    pub vp: u8,
}

/// What a mark in a space brings.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Icon {
    Biscuit,
    Teacup,
}

fn icon(biscuit: bool, teacup: bool) -> Option<Icon> {
    match (biscuit, teacup) {
        (true, _) => Some(Icon::Biscuit),
        (false, true) => Some(Icon::Teacup),
        (false, false) => None,
    }
}

impl Spot {
    pub fn icon(&self) -> Option<Icon> {
        icon(self.biscuit, self.teacup)
    }
}

impl Tree {
    pub fn icon(&self) -> Option<Icon> {
        icon(self.biscuit, self.teacup)
    }
}

impl Cell {
    pub fn icon(&self) -> Option<Icon> {
        icon(self.biscuit, self.teacup)
    }
}

/// What the rules ask of the sheet at every mark, worked out once. Sets of trees and cells are bits, the first the lowest.
#[derive(Debug)]
pub struct Ground {
    pub colours: [Colours; Space::COUNT],
    /// The trees joined to each tree by a path.
    pub joined: [u32; TREES],
    /// Trees and worth of each circle.
    pub circles: Vec<(u32, u8)>,
    /// The trees of the March Hare's circle, and the trees of both colours.
    pub hare: u32,
    pub two_coloured: u32,
    /// OWH-22: the cells beside each cell, with no wall between.
    pub beside: [u64; CELLS],
    /// The red and the black entrance.
    pub entrances: [usize; 2],
    pub red_keep: usize,
    pub stars: u64,
    /// The cells of Humpty Dumpty and the White Rabbit.
    pub humpty: usize,
    pub rabbit: usize,
    /// The trees and cells with a teacup.
    pub tree_teacups: u32,
    pub cell_teacups: u64,
    pub tree_icons: [Option<Icon>; TREES],
    pub cell_icons: [Option<Icon>; CELLS],
    /// Spaces, icons and worth of each mushroom.
    pub sizes: [usize; MUSHROOMS],
    pub spot_icons: [[Option<Icon>; 5]; MUSHROOMS],
    pub worth: [u8; MUSHROOMS],
}

impl Ground {
    pub fn entrance(&self, colour: Colour) -> usize {
        match colour {
            Colour::Red => self.entrances[0],
            Colour::Black => self.entrances[1],
        }
    }

    fn of(layout: &Layout) -> Ground {
        let Layout { meadow, woods, keep, .. } = layout;
        let mushrooms = &meadow.mushrooms;
        let cell = |wanted: &dyn Fn(&Cell) -> bool| keep.cells.iter().position(wanted).unwrap_or_default();
        let cells = |wanted: &dyn Fn(&Cell) -> bool| bits(keep.cells.iter().map(wanted));
        let trees = |wanted: &dyn Fn(&Tree) -> bool| bits(woods.trees.iter().map(wanted)) as u32;
        let tree_set = |spaces: &[Space]| spaces.iter().fold(0, |set, space| set | 1 << tree(*space));
        let mut joined = [0; TREES];
        for [one, other] in woods.paths.iter().map(|path| path.map(tree)) {
            joined[one] |= 1 << other;
            joined[other] |= 1 << one;
        }
        Ground {
            colours: std::array::from_fn(|index| {
                let (cells, trees) = (index.checked_sub(MUSHROOMS + TREES), index.checked_sub(MUSHROOMS));
                match (cells, trees) {
                    (Some(cell), _) => keep.cells[cell].colours,
                    (None, Some(tree)) => woods.trees[tree].colours,
                    (None, None) => mushrooms[index].colours,
                }
            }),
            joined,
            circles: woods.circles.iter().map(|circle| (tree_set(&circle.trees), circle.vp)).collect(),
            hare: woods.circles.iter().find(|circle| circle.hare).map_or(0, |circle| tree_set(&circle.trees)),
            two_coloured: trees(&|tree| tree.colours == Colours::Both),
            beside: beside(&keep.walls),
            entrances: [Colour::Red, Colour::Black].map(|colour| cell(&|cell| cell.entrance == Some(colour))),
            red_keep: cell(&|cell| cell.red_keep),
            stars: cells(&|cell| cell.star),
            humpty: cell(&|cell| cell.guest.as_deref() == Some("humpty-dumpty")),
            rabbit: cell(&|cell| cell.guest.as_deref() == Some("white-rabbit")),
            tree_teacups: trees(&|tree| tree.teacup),
            cell_teacups: cells(&|cell| cell.teacup),
            tree_icons: std::array::from_fn(|index| woods.trees[index].icon()),
            cell_icons: std::array::from_fn(|index| keep.cells[index].icon()),
            sizes: std::array::from_fn(|index| mushrooms[index].spaces.len()),
            spot_icons: std::array::from_fn(|index| {
                std::array::from_fn(|spot| mushrooms[index].spaces.get(spot).and_then(Spot::icon))
            }),
            worth: std::array::from_fn(|index| mushrooms[index].vp),
        }
    }
}

fn bits(wanted: impl Iterator<Item = bool>) -> u64 {
    wanted.enumerate().fold(0, |set, (index, wanted)| set | u64::from(wanted) << index)
}

fn tree(space: Space) -> usize {
    match space.place() {
        Place::Tree(index) => index,
        Place::Mushroom(_) | Place::Cell(_) => 0,
    }
}

fn beside(walls: &[[Space; 2]]) -> [u64; CELLS] {
    let walled = |one: usize, other: usize| {
        let [one, other] = [one, other].map(|index| Space::at(Place::Cell(index)));
        walls
            .iter()
            .any(|[from, to]| (Some(*from), Some(*to)) == (one, other) || (Some(*from), Some(*to)) == (other, one))
    };
    let mut beside = [0; CELLS];
    let mut join = |one: usize, other: usize| {
        if !walled(one, other) {
            beside[one] |= 1 << other;
            beside[other] |= 1 << one;
        }
    };
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let index = row * COLUMNS + column;
            if column + 1 < COLUMNS {
                join(index, index + 1);
            }
            if row + 1 < ROWS {
                join(index, index + COLUMNS);
            }
        }
    }
    beside
}

static LAYOUT: LazyLock<Layout> =
    LazyLock::new(|| serde_json::from_str(include_str!("layout.json")).expect("the layout is part of the program"));
static GROUND: LazyLock<Ground> = LazyLock::new(|| Ground::of(&LAYOUT));

/// The sheet as it is printed.
pub fn layout() -> &'static Layout {
    &LAYOUT
}

/// The sheet as the rules ask of it.
pub fn ground() -> &'static Ground {
    &GROUND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_has_what_the_printed_rules_give() {
        let layout = layout();
        assert_eq!(ground().two_coloured.count_ones(), 4);
        assert_eq!(layout.woods.circles.iter().map(|circle| circle.vp).sum::<u8>(), 36);
        assert_eq!(layout.woods.paths.len(), 28);
        assert_eq!(ground().hare.count_ones(), 3);
        assert_eq!(layout.keep.walls.len(), 18);
        assert_eq!(layout.keep.cells.len(), CELLS);
        assert!(layout.keep.cells[17].red_keep);
    }

    #[test]
    fn no_two_coloured_space_has_a_biscuit_and_teacups_never_overflow_the_stack() {
        let both = |colours| colours == Colours::Both;
        let layout = layout();
        assert!(layout.woods.trees.iter().all(|tree| !(both(tree.colours) && tree.biscuit)));
        assert!(layout.keep.cells.iter().all(|cell| !(both(cell.colours) && cell.biscuit)));
        for mushroom in &layout.meadow.mushrooms {
            assert!(mushroom.spaces.iter().all(|spot| !(both(mushroom.colours) && spot.biscuit)));
        }
        let spots = layout.meadow.mushrooms.iter().flat_map(|mushroom| &mushroom.spaces);
        let icons = spots.filter(|spot| spot.teacup).count() as u32
            + ground().tree_teacups.count_ones()
            + ground().cell_teacups.count_ones();
        assert_eq!(icons + u32::from(layout.teacups.start), u32::from(layout.teacups.stack));
    }

    #[test]
    fn the_keep_is_unchanged_by_a_half_turn_with_the_colours_swapped() {
        let ground = ground();
        for index in 0..CELLS {
            let turned = |set: u64| {
                (0..CELLS).filter(|cell| set >> cell & 1 == 1).fold(0, |set, cell| set | 1u64 << (CELLS - 1 - cell))
            };
            assert_eq!(turned(ground.beside[index]), ground.beside[CELLS - 1 - index]);
            let first = MUSHROOMS + TREES;
            match (ground.colours[first + index], ground.colours[first + CELLS - 1 - index]) {
                (Colours::One(one), Colours::One(other)) => assert_eq!(one, other.other()),
                (one, other) => assert_eq!(one, other),
            }
        }
    }
}
