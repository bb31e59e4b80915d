//! The garden as a picture, and as words.

use super::super::card::{DeckCard, GardenCard};
use super::super::cell::{Cell, CellSet};
use super::super::garden::Garden;
use super::super::phase::Verdict;
use super::super::view::PublicView;
use super::choice::Choices;
use super::way::Way;

/// The picture is measured so that a cell is 100 by 100. The letters above and the numbers at the side take this much.
const MARGIN: i32 = 36;
const SIDE: i32 = 100;

/// All of the garden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What the picture shows, in a sentence.
    pub label: String,
    pub columns: Vec<Line>,
    pub rows: Vec<Row>,
    pub ticks: Vec<Tick>,
    pub guards: Vec<Guard>,
    /// The nearest way to the Queen while none is open: a line from outside, and what it takes.
    pub way: Option<(String, Way)>,
    /// What is new since the step before, in words.
    pub changes: Vec<String>,
}

/// A column's letter and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub name: String,
    pub at: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub line: Line,
    pub plots: Vec<Plot>,
}

/// A cell and what lies in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    pub cell: Cell,
    pub card: Option<GardenCard>,
    /// The viewer can choose it.
    pub lit: bool,
    /// The viewer has chosen it.
    pub chosen: bool,
    /// Part of the open walk to the Queen.
    pub walked: bool,
    pub changed: bool,
    /// Roses laid before the Queen, and her face; for her cell alone.
    pub queen: Option<(u8, &'static str)>,
}

impl Plot {
    pub fn x(&self) -> i32 {
        left(self.cell)
    }

    pub fn y(&self) -> i32 {
        top(self.cell)
    }

    /// Where its card lies: x, y, width, height. WNA-1: upright 5:7 or lengthwise 7:5.
    pub fn frame(&self) -> Frame {
        let (width, height) = if self.cell.vertical() { (68, 95) } else { (95, 68) };
        Frame { x: self.x() + (SIDE - width) / 2, y: self.y() + (SIDE - height) / 2, width, height }
    }

    pub fn word(&self) -> &'static str {
        match self.card {
            None => "gap",
            Some(GardenCard::Cat) => "Cat",
            Some(card) => card.name(),
        }
    }

    /// The classes that say how the cell is drawn.
    pub fn state(&self) -> &'static str {
        match (self.chosen, self.lit, self.walked) {
            (true, _, _) => " chosen",
            (false, true, true) => " lit walked",
            (false, true, false) => " lit",
            (false, false, true) => " walked",
            (false, false, false) => "",
        }
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

/// A mark on an exposed short edge of a card that the revealed one can affect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    pub cell: Cell,
    /// A small triangle that points in.
    pub path: String,
}

/// A small mark between a target and the guard who would go instead, on the guard's side.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    pub target: Cell,
    pub guard: Cell,
    pub x: i32,
    pub y: i32,
}

const fn left(cell: Cell) -> i32 {
    MARGIN + SIDE * cell.column() as i32
}

const fn top(cell: Cell) -> i32 {
    MARGIN + SIDE * cell.row() as i32
}

impl Picture {
    pub fn new(table: &PublicView, before: Option<&Garden>, choices: &Choices) -> Picture {
        let walk = walk(&table.garden);
        let lit: CellSet = choices.targets.iter().map(|target| target.cell).collect();
        let changed: CellSet = match before {
            Some(before) => Cell::all().filter(|cell| before.card(*cell) != table.garden.card(*cell)).collect(),
            None => CellSet::EMPTY,
        };
        let plot = |cell: Cell| Plot {
            cell,
            card: table.garden.card(cell),
            lit: lit.contains(cell),
            chosen: choices.chosen == Some(cell),
            walked: walk.contains(cell),
            changed: changed.contains(cell),
            queen: (cell == Cell::QUEEN).then(|| (table.delivered, queen_face(table))),
        };
        let centre = |place: u8| MARGIN + SIDE / 2 + SIDE * i32::from(place);
        Picture {
            label: label(table),
            columns: (0..Cell::SIDE)
                .map(|column| Line { name: char::from(b'a' + column).to_string(), at: centre(column) })
                .collect(),
            rows: (0..Cell::SIDE)
                .map(|row| Row {
                    line: Line { name: (row + 1).to_string(), at: centre(row) },
                    plots: (0..Cell::SIDE).filter_map(|column| Cell::new(column, row)).map(plot).collect(),
                })
                .collect(),
            ticks: if choices.chosen.is_some() { vec![] } else { ticks(table) },
            guards: if choices.chosen.is_some() { vec![] } else { guards(choices) },
            way: Way::nearest(table).map(|way| (line(&way), way)),
            changes: before.map(|before| changes(before, &table.garden, changed)).unwrap_or_default(),
        }
    }

    /// For pictures that show the garden alone.
    pub fn without_way(self) -> Picture {
        Picture { way: None, ..self }
    }

    /// Whether the nearest way leads over a cell.
    pub fn is_on_way(&self, plot: &Plot) -> bool {
        self.way.as_ref().is_some_and(|(_, way)| way.cells.contains(&plot.cell))
    }

    pub fn plots(&self) -> impl Iterator<Item = &Plot> {
        self.rows.iter().flat_map(|row| &row.plots)
    }
}

/// A line along a way, from outside the garden to the Queen.
fn line(way: &Way) -> String {
    let middle = |cell: Cell| (left(cell) + SIDE / 2, top(cell) + SIDE / 2);
    let entrance = way.cells.first().map(|cell| {
        let (x, y) = middle(*cell);
        match (cell.column(), cell.row()) {
            (_, 0) => (x, y - SIDE / 2),
            (0, _) => (x - SIDE / 2, y),
            (_, row) if row + 1 == Cell::SIDE => (x, y + SIDE / 2),
            _ => (x + SIDE / 2, y),
        }
    });
    let points = entrance.into_iter().chain(way.cells.iter().copied().map(middle)).chain([middle(Cell::QUEEN)]);
    let points: Vec<String> = points.map(|(x, y)| format!("{x} {y}")).collect();
    format!("M{}", points.join("L"))
}

/// The drawing of the Queen: how she takes the roses that she has.
pub fn queen_face(table: &PublicView) -> &'static str {
    let roses = if table.garden.queen_walled_in() { 0 } else { table.delivered };
    match Verdict::of(roses) {
        Verdict::Lost | Verdict::Scowl => "queen-cross",
        Verdict::Smirk => "queen-wry",
        Verdict::Smile | Verdict::Laugh | Verdict::Helpless => "queen-amused",
    }
}

fn label(table: &PublicView) -> String {
    let garden = &table.garden;
    let count = |card, one: &str, more: &str| match garden.count(card) {
        1 => format!("1 {one}"),
        number => format!("{number} {more}"),
    };
    format!(
        "The garden, with the Queen in the middle at d4. Around her {}, {}, {}, {}, {}, {} and {}. The way to her is {}.",
        count(GardenCard::White, "white rose", "white roses"),
        count(GardenCard::Red, "red rose", "red roses"),
        count(GardenCard::Soldier, "Soldier", "Soldiers"),
        count(GardenCard::Gardener, "Gardener", "Gardeners"),
        count(GardenCard::Cat, "Cheshire Cat", "Cheshire Cats"),
        count(GardenCard::Bramble, "bramble", "brambles"),
        match garden.gaps().len() {
            0 => "no gaps".to_owned(),
            1 => "1 gap".to_owned(),
            gaps => format!("{gaps} gaps"),
        },
        if table.path_open { "open" } else { "closed" },
    )
}

/// WNA-31: the empty cells by which one walks from outside to the Queen. Gaps that lead elsewhere are not part of it.
fn walk(garden: &Garden) -> CellSet {
    let open = garden.path();
    let mut walk = Cell::QUEEN.neighbours().and(open);
    loop {
        let further = walk.or(walk.grown().and(open));
        if further == walk {
            return walk;
        }
        walk = further;
    }
}

/// The kinds in the garden that the revealed card can affect (WNA-16, WNA-19, WNA-22, WNA-25).
fn affected(table: &PublicView) -> CellSet {
    let of = |card| table.garden.of(card);
    match table.revealed {
        Some(DeckCard::Soldier) => of(GardenCard::Soldier).or(of(GardenCard::Gardener)),
        Some(DeckCard::Gardener) => of(GardenCard::White),
        Some(DeckCard::Cat) => of(GardenCard::Cat),
        Some(DeckCard::Alice) => of(GardenCard::Red),
        Some(DeckCard::Bramble) | None => CellSet::EMPTY,
    }
}

fn ticks(table: &PublicView) -> Vec<Tick> {
    let gaps = table.garden.gaps();
    let mut ticks = vec![];
    for cell in affected(table).iter() {
        for (edge, beyond) in cell.beyond_short_edges().into_iter().enumerate() {
            if beyond.is_none_or(|beyond| gaps.contains(beyond)) {
                ticks.push(Tick { cell, path: triangle(cell, edge == 0) });
            }
        }
    }
    ticks
}

/// On the first short edge (top or left) or the second (bottom or right), pointing in.
fn triangle(cell: Cell, first: bool) -> String {
    let (x, y) = (left(cell), top(cell));
    match (cell.vertical(), first) {
        (true, true) => format!("M{} {}h24l-12 14z", x + 38, y - 5),
        (true, false) => format!("M{} {}h24l-12 -14z", x + 38, y + 105),
        (false, true) => format!("M{} {}v24l14 -12z", x - 5, y + 38),
        (false, false) => format!("M{} {}v24l-14 -12z", x + 105, y + 38),
    }
}

fn guards(choices: &Choices) -> Vec<Guard> {
    let mut marks = vec![];
    for target in &choices.targets {
        for guard in target.guards.iter() {
            // Three fifths of the way over: on the guard's side of the border.
            let between = |from: i32, to: i32| (from * 2 + to * 3) / 5 + SIDE / 2;
            let x = between(left(target.cell), left(guard));
            let y = between(top(target.cell), top(guard));
            marks.push(Guard { target: target.cell, guard, x, y });
        }
    }
    marks
}

fn changes(before: &Garden, now: &Garden, changed: CellSet) -> Vec<String> {
    let name = |garden: &Garden, cell| garden.card(cell).map_or("a gap", GardenCard::name);
    changed.iter().map(|cell| format!("{cell}: {}, before it was {}", name(now, cell), name(before, cell))).collect()
}
