//! What the viewer can do: controls over the cells of the garden, and buttons beside it.

use super::super::card::GardenCard;
use super::super::cell::{Cell, CellSet};
use super::super::moves::Move;
use super::super::view::PublicView;
use super::super::words::{name_at, offer};
use crate::board_action::BoardAction;
use wonderpost_rules::fold_line;

/// A control over a cell of the garden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub cell: Cell,
    pub way: BoardAction<Move>,
    pub label: String,
    /// Who would go instead of the target: one of them.
    pub guards: CellSet,
}

impl Target {
    pub fn classes(&self) -> String {
        classes(self.cell)
    }

    pub fn guard_classes(&self) -> Vec<String> {
        self.guards.iter().map(classes).collect()
    }
}

/// Where a cell is in the grid that lies over the picture.
fn classes(cell: Cell) -> String {
    format!("column-{} line-{}", (b'a' + cell.column()) as char, cell.row() + 1)
}

/// A button beside the garden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    pub say: Move,
    pub words: String,
    pub look: &'static str,
}

/// All that the viewer can do now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    pub targets: Vec<Target>,
    pub buttons: Vec<Button>,
    /// The target whose guards are to be picked from.
    pub chosen: Option<Cell>,
}

impl Choices {
    /// `begun` is what the viewer has begun, from the page's address: anything may stand there.
    pub fn new(table: &PublicView, moves: &[Move], begun: Option<&str>) -> Choices {
        let begun = begun.map(fold_line);
        let begun = begun.as_deref();
        if let Some(picking) = begun.and_then(|begun| guards_to_pick(table, moves, begun)) {
            return picking;
        }
        Choices {
            targets: targets(table, moves),
            // What plays first, what ends the game last.
            buttons: [Move::Swap, Move::Pass, Move::PassAll, Move::Shuffle, Move::End]
                .iter()
                .filter(|mv| moves.contains(mv))
                .filter_map(|mv| button(table, mv))
                .collect(),
            ..Choices::default()
        }
    }
}

/// The cell that a move is aimed at.
fn cell_of(mv: &Move) -> Option<Cell> {
    match mv {
        Move::Attack { at, .. }
        | Move::Paint { at, .. }
        | Move::Vanish { at }
        | Move::Collect { at }
        | Move::Plant { at } => Some(*at),
        Move::Swap | Move::Pass | Move::PassAll | Move::Shuffle | Move::End => None,
    }
}

/// WNA-18, WNA-21: the guards to choose from once a target with several has been picked.
fn guards_to_pick(table: &PublicView, moves: &[Move], begun: &str) -> Option<Choices> {
    let picked: Move = begun.parse().ok()?;
    let mut targets = vec![];
    for mv in moves {
        let guard = match (picked, *mv) {
            (Move::Attack { at: begun, cat: None }, Move::Attack { at, cat: Some(cat) }) if at == begun => cat,
            (Move::Paint { at: begun, gardener: None }, Move::Paint { at, gardener: Some(gardener) })
                if at == begun =>
            {
                gardener
            }
            _ => continue,
        };
        targets.push(Target {
            cell: guard,
            way: BoardAction::Submit(*mv),
            label: offer(table, mv),
            guards: [guard].into_iter().collect(),
        });
    }
    let chosen = cell_of(&picked);
    (!targets.is_empty()).then(|| Choices { targets, chosen, ..Choices::default() })
}

/// One control a cell, in reading order.
fn targets(table: &PublicView, moves: &[Move]) -> Vec<Target> {
    let mut targets: Vec<Target> = vec![];
    for mv in moves {
        let Some(target) = target(table, mv) else { continue };
        if !targets.iter().any(|other| other.cell == target.cell) {
            targets.push(target);
        }
    }
    targets.sort_by_key(|target| target.cell);
    targets
}

fn target(table: &PublicView, mv: &Move) -> Option<Target> {
    let cell = cell_of(mv)?;
    let name = name_at(table, cell);
    let beside = |card| table.garden.beside(cell, card);
    // Where several could go instead, the target is picked first and the guard then.
    let (guards, label, begins) = match mv {
        Move::Attack { cat: Some(_), .. } => (
            beside(GardenCard::Cat),
            format!("Attack {name}; then choose which Cheshire Cat vanishes in its stead"),
            Some(format!("attack {cell}")),
        ),
        Move::Paint { gardener: Some(_), .. } => (
            beside(GardenCard::Gardener),
            format!("Go for {name}; then choose which of the Queen's Gardeners is sent away"),
            Some(format!("paint {cell}")),
        ),
        Move::Attack { cat: None, .. } => (beside(GardenCard::Cat), offer(table, mv), None),
        Move::Paint { gardener: None, .. } => (beside(GardenCard::Gardener), offer(table, mv), None),
        Move::Vanish { .. } | Move::Collect { .. } | Move::Plant { .. } => (CellSet::EMPTY, offer(table, mv), None),
        Move::Swap | Move::Pass | Move::PassAll | Move::Shuffle | Move::End => return None,
    };
    Some(Target { cell, way: begins.map_or(BoardAction::Submit(*mv), BoardAction::Begin), label, guards })
}

fn button(table: &PublicView, mv: &Move) -> Option<Button> {
    let (words, look) = match mv {
        Move::Swap => (offer(table, mv), "primary"),
        Move::Pass => ("Leave it".to_owned(), ""),
        Move::PassAll => ("Leave the rest".to_owned(), ""),
        // Stuck, it is the one thing to do.
        Move::Shuffle => ("Shuffle".to_owned(), if table.revealed.is_none() { "primary" } else { "plain" }),
        Move::End => ("Stop here".to_owned(), "plain"),
        Move::Attack { .. } | Move::Paint { .. } | Move::Vanish { .. } | Move::Collect { .. } | Move::Plant { .. } => {
            return None;
        }
    };
    Some(Button { say: *mv, words, look })
}
