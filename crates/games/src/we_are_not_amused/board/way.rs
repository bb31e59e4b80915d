//! The nearest way to the Queen while none is open: where the fewest plays would clear one.

use super::super::card::GardenCard;
use super::super::cell::Cell;
use super::super::garden::Garden;
use super::super::view::PublicView;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// From the border to a neighbour of the Queen.
    pub cells: Vec<Cell>,
    /// How many cards have to be played to clear it, if nothing gets in between.
    pub plays: usize,
}

impl Way {
    /// None where one is open already, or brambles bar them all.
    pub fn nearest(table: &PublicView) -> Option<Way> {
        if table.path_open {
            return None;
        }
        let garden = &table.garden;
        // The plays up to and including each cell, and the cell before it. Cells are looked at until nothing gets nearer.
        let mut reached: [Option<(usize, Option<Cell>)>; Cell::COUNT] = [None; Cell::COUNT];
        let mut settled = false;
        while !settled {
            settled = true;
            for cell in Cell::all() {
                let Some(plays) = plays_to_clear(garden, cell) else { continue };
                let before = cell.neighbours().iter().filter_map(|from| Some((reached[from.index()]?.0, Some(from))));
                let outside = cell.on_border().then_some((0, None));
                let Some((so_far, from)) = outside.into_iter().chain(before).min_by_key(|(plays, _)| *plays) else {
                    continue;
                };
                if reached[cell.index()].is_none_or(|(known, _)| so_far + plays < known) {
                    reached[cell.index()] = Some((so_far + plays, from));
                    settled = false;
                }
            }
        }
        let goals = Cell::QUEEN.neighbours();
        let last = goals.iter().filter(|cell| reached[cell.index()].is_some());
        let last = last.min_by_key(|cell| reached[cell.index()].map(|(plays, _)| plays))?;
        let (plays, _) = reached[last.index()]?;
        let mut cells: Vec<Cell> =
            std::iter::successors(Some(last), |cell| reached[cell.index()].and_then(|(_, from)| from)).collect();
        cells.reverse();
        Some(Way { cells, plays })
    }

    pub fn words(&self) -> String {
        let cells: Vec<String> = self.cells.iter().map(ToString::to_string).collect();
        let plays = if self.plays == 1 { "1 play".to_owned() } else { format!("{} plays", self.plays) };
        format!("The nearest way leads over {}: {plays} at least.", cells.join(", "))
    }
}

/// `None` where nothing ever clears the cell.
fn plays_to_clear(garden: &Garden, cell: Cell) -> Option<usize> {
    match garden.card(cell) {
        None => Some(0),
        Some(GardenCard::Queen | GardenCard::Bramble) => None,
        Some(GardenCard::Cat | GardenCard::Red) => Some(1),
        // WNA-17: Cats beside it go first.
        Some(GardenCard::Soldier | GardenCard::Gardener) => Some(1 + garden.beside(cell, GardenCard::Cat).len()),
        // WNA-20: Gardeners beside it go first; then it is painted, then picked.
        Some(GardenCard::White) => Some(2 + garden.beside(cell, GardenCard::Gardener).len()),
    }
}
