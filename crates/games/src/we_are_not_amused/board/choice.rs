//! What the viewer can do: controls over the cells of the garden, buttons below it, and questions asked again.

use super::super::card::GardenCard;
use super::super::cell::{Cell, CellSet};
use super::super::garden::Garden;
use super::super::moves::Move;
use super::super::view::PublicView;
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

/// A button below the garden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    pub way: BoardAction<Move>,
    pub words: String,
    pub look: &'static str,
}

/// A move that is asked about once more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub words: &'static str,
    pub say: String,
    pub button: &'static str,
    pub danger: bool,
}

/// All that the viewer can do now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    pub targets: Vec<Target>,
    pub buttons: Vec<Button>,
    pub question: Option<Question>,
    /// The target whose guards are to be picked from.
    pub chosen: Option<Cell>,
}

impl Choices {
    /// `begun` is what the viewer has begun, from the page's address: anything may stand there.
    pub fn new(table: &PublicView, moves: &[Move], begun: Option<&str>) -> Choices {
        let begun = begun.map(fold_line);
        let begun = begun.as_deref();
        if let Some(question) = begun.and_then(|begun| Question::new(table, moves, begun)) {
            let chosen = begun.and_then(|begun| cell_of(&begun.parse().ok()?));
            return Choices { question: Some(question), chosen, ..Choices::default() };
        }
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

    /// Whether a choice is begun, so that there is a way back.
    pub fn begun(&self) -> bool {
        self.question.is_some() || self.chosen.is_some()
    }
}

/// Whether a move is asked about before it is made: it cannot be taken back, and may cost the game.
fn asks(table: &PublicView, mv: &Move) -> bool {
    match mv {
        Move::Shuffle | Move::End => true,
        Move::Pass | Move::PassAll => table.last_chance && table.shuffles_left == 0,
        Move::Plant { at } => walls_in_the_queen(table, *at),
        Move::Attack { .. } | Move::Paint { .. } | Move::Vanish { .. } | Move::Swap | Move::Collect { .. } => false,
    }
}

fn planted(table: &PublicView, at: Cell) -> Garden {
    let mut garden = table.garden;
    garden.put(at, GardenCard::Bramble);
    garden
}

fn walls_in_the_queen(table: &PublicView, at: Cell) -> bool {
    planted(table, at).queen_walled_in()
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

impl Question {
    fn new(table: &PublicView, moves: &[Move], begun: &str) -> Option<Question> {
        let mv = moves.iter().find(|mv| mv.to_string() == begun && asks(table, mv))?;
        let (words, button, danger) = match mv {
            Move::Shuffle => {
                let words = if table.shuffles_left > 1 {
                    "Shuffle the deck and the discards together? Nobody will know the new order."
                } else {
                    "Shuffle the deck and the discards together? Nobody will know the new order, and it is your last shuffle."
                };
                (words, "Yes, shuffle", false)
            }
            Move::End => {
                ("Stop here? The game is over then, and what you have delivered counts.", "Yes, stop here", true)
            }
            Move::Pass => (
                "Leave it? If nothing is played before the deck has come round, the game is over.",
                "Yes, leave it",
                true,
            ),
            Move::PassAll => (
                "Leave the rest of the deck? With nothing played in it, and no shuffle left, this ends the game.",
                "Yes, leave the rest",
                true,
            ),
            Move::Plant { .. } => {
                ("Plant the Bramble here? It walls in the Queen, and the game is lost.", "Yes, plant it here", true)
            }
            Move::Attack { .. } | Move::Paint { .. } | Move::Vanish { .. } | Move::Swap | Move::Collect { .. } => {
                return None;
            }
        };
        Some(Question { words, say: mv.to_string(), button, danger })
    }
}

/// WNA-18, WNA-21: the guards to choose from once a target with several has been picked.
fn guards_to_pick(table: &PublicView, moves: &[Move], begun: &str) -> Option<Choices> {
    let picked: Move = begun.parse().ok()?;
    let mut targets = vec![];
    for mv in moves {
        let (guard, label) = match (picked, *mv) {
            (Move::Attack { at: begun, cat: None }, Move::Attack { at, cat: Some(cat) }) if at == begun => {
                (cat, format!("Let the Cheshire Cat at {cat} vanish in the stead of {}", name_at(table, at)))
            }
            (Move::Paint { at: begun, gardener: None }, Move::Paint { at, gardener: Some(gardener) })
                if at == begun =>
            {
                (gardener, format!("Send away the Queen's Gardener at {gardener}, who guards {}", name_at(table, at)))
            }
            _ => continue,
        };
        targets.push(Target {
            cell: guard,
            way: BoardAction::Submit(*mv),
            label,
            guards: [guard].into_iter().collect(),
        });
    }
    let chosen = cell_of(&picked);
    (!targets.is_empty()).then(|| Choices { targets, chosen, ..Choices::default() })
}

/// “the Queen's Soldier at c3”.
fn name_at(table: &PublicView, at: Cell) -> String {
    match table.garden.card(at) {
        Some(GardenCard::Soldier) => format!("the Queen's Soldier at {at}"),
        Some(GardenCard::Gardener) => format!("the Queen's Gardener at {at}"),
        Some(card) => format!("the {} at {at}", card.name()),
        None => format!("the gap at {at}"),
    }
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
    let mut guards = CellSet::EMPTY;
    let mut way = way(mv, asks(table, mv));
    let label = match *mv {
        Move::Attack { at, cat } => {
            guards = table.garden.beside(at, GardenCard::Cat);
            if cat.is_some() {
                way = BoardAction::Begin(format!("attack {at}"));
            }
            match (cat, guards.first()) {
                (Some(_), _) => format!("Attack {name}; then choose which Cheshire Cat vanishes in its stead"),
                (None, Some(cat)) => format!("Attack {name}; the Cheshire Cat at {cat} would vanish in its stead"),
                (None, None) => format!("Attack {name}"),
            }
        }
        Move::Paint { at, gardener } => {
            guards = table.garden.beside(at, GardenCard::Gardener);
            if gardener.is_some() {
                way = BoardAction::Begin(format!("paint {at}"));
            }
            match (gardener, guards.first()) {
                (Some(_), _) => format!("Go for {name}; then choose which of the Queen's Gardeners is sent away"),
                (None, Some(gardener)) => {
                    format!(
                        "Go for {name}; the Queen's Gardener at {gardener} would be sent away and the rose stay white"
                    )
                }
                (None, None) => format!("Paint {name} red"),
            }
        }
        Move::Vanish { .. } => format!("Make {name} vanish"),
        Move::Collect { .. } => format!("Pick {name}"),
        Move::Plant { at } => {
            if walls_in_the_queen(table, at) {
                format!("Plant the Bramble at {at}; it would wall in the Queen, and the game be lost")
            } else if table.path_open && !planted(table, at).path_open() {
                format!("Plant the Bramble at {at}; it would close the way to the Queen")
            } else {
                format!("Plant the Bramble at {at}")
            }
        }
        Move::Swap | Move::Pass | Move::PassAll | Move::Shuffle | Move::End => return None,
    };
    Some(Target { cell, way, label, guards })
}

fn button(table: &PublicView, mv: &Move) -> Option<Button> {
    let (words, look) = match mv {
        Move::Swap => {
            let top = table.discard.last().map_or("top discard", |top| top.name());
            (format!("Swap the Cat for the {top}"), "primary")
        }
        Move::Pass => ("Leave it".to_owned(), ""),
        Move::PassAll => ("Leave the rest".to_owned(), ""),
        // Stuck, it is the one thing to do.
        Move::Shuffle => ("Shuffle".to_owned(), if table.revealed.is_none() { "primary" } else { "plain" }),
        Move::End => ("Stop here".to_owned(), "plain"),
        Move::Attack { .. } | Move::Paint { .. } | Move::Vanish { .. } | Move::Collect { .. } | Move::Plant { .. } => {
            return None;
        }
    };
    Some(Button { way: way(mv, asks(table, mv)), words, look })
}

/// What a control for a move does: what is grave is asked about first.
fn way(mv: &Move, asks: bool) -> BoardAction<Move> {
    if asks { BoardAction::Begin(mv.to_string()) } else { BoardAction::Submit(*mv) }
}
