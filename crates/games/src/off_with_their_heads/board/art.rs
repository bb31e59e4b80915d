//! The printed sheet as drawings: three zones without any marks, and the small emblems of the game.
//!
//! All of it is drawn from the layout's coordinates. Marks, and what glows, are laid over it by [`super::picture`].

use std::f64::consts::TAU;
use std::fmt::Write;
use std::sync::LazyLock;

use askama::Template;

use super::super::layout::{Cell, Circle, Icon, Layout, Mushroom, Spot, Tree, layout};
use super::super::space::{COLUMNS, Colour, Colours, Place, Space};

/// The drawings that all sheets refer to.
pub fn art() -> &'static str {
    static ART: LazyLock<String> = LazyLock::new(|| {
        // Writing into a string fails only if a value refuses to be written, and none of ours does.
        Art::new(layout()).render().unwrap_or_default()
    });
    &ART
}

/// Half the width of a mushroom's cap.
pub fn cap_reach(mushroom: &Mushroom) -> i32 {
    18 * mushroom.spaces.len() as i32 + 14
}

/// The cap of a mushroom: a dome over its spaces.
pub fn cap(mushroom: &Mushroom) -> String {
    let (x, y, reach) = (mushroom.x, mushroom.y, cap_reach(mushroom));
    let (left, right, foot) = (x - reach, x + reach, y + 21);
    format!(
        "M{left} {foot}C{} {} {} {} {x} {}S{} {} {right} {foot}Q{right} {} {} {}Q{x} {} {} {}Q{left} {} {left} {foot}Z",
        left - 4,
        y - 20,
        x - reach * 6 / 10,
        y - 52,
        y - 52,
        right + 4,
        y - 20,
        foot + 9,
        right - 12,
        foot + 9,
        foot + 3,
        left + 12,
        foot + 9,
        foot + 9,
    )
}

/// A tree's crown: a round of leaves about (0, 0).
pub fn crown(radius: f64, leaves: u32) -> String {
    let at = |leaf: u32| {
        let angle = TAU * f64::from(leaf) / f64::from(leaves) - TAU / 4.0;
        (radius * angle.cos(), radius * angle.sin())
    };
    let bow = radius * (TAU / f64::from(leaves)).sin() * 0.62;
    let (x, y) = at(0);
    let mut path = format!("M{x:.1} {y:.1}");
    for leaf in 1..=leaves {
        let (x, y) = at(leaf % leaves);
        // Writing to a text does not fail.
        let _ = write!(path, "A{bow:.1} {bow:.1} 0 0 1 {x:.1} {y:.1}");
    }
    path + "Z"
}

#[derive(Template)]
#[template(path = "off-with-their-heads/art.html")]
struct Art {
    mushrooms: Vec<MushroomArt>,
    crown: String,
    biscuit: String,
    paths: Vec<Line>,
    trees: Vec<TreeArt>,
    circles: Vec<CircleArt>,
    cells: Vec<CellArt>,
    walls: Vec<Line>,
    battlements: Vec<Line>,
}

struct MushroomArt {
    x: i32,
    y: i32,
    colours: Colours,
    cap: String,
    vp: u8,
    spots: Vec<SpotArt>,
}

struct SpotArt {
    x: i32,
    y: i32,
    icon: Option<&'static str>,
}

struct TreeArt {
    number: usize,
    x: i32,
    y: i32,
    colours: Colours,
    icon: Option<&'static str>,
}

struct CircleArt {
    x: i32,
    y: i32,
    vp: u8,
    hare: bool,
}

struct CellArt {
    x: i32,
    y: i32,
    colours: Colours,
    icon: Option<&'static str>,
    star: bool,
    red_keep: bool,
    gate: Option<Colour>,
    guest: Option<&'static str>,
}

impl CellArt {
    /// Whether the wall beside it is the western one.
    fn west(&self) -> bool {
        self.x < 300
    }
}

struct Line {
    path: String,
}

fn emblem(icon: Option<Icon>) -> Option<&'static str> {
    match icon? {
        Icon::Biscuit => Some("biscuit"),
        Icon::Teacup => Some("teacup"),
    }
}

impl Art {
    fn new(layout: &'static Layout) -> Art {
        let spot = |spot: &Spot| SpotArt { x: spot.x, y: spot.y, icon: emblem(spot.icon()) };
        let mushroom = |mushroom: &Mushroom| MushroomArt {
            x: mushroom.x,
            y: mushroom.y,
            colours: mushroom.colours,
            cap: cap(mushroom),
            vp: mushroom.vp,
            spots: mushroom.spaces.iter().map(spot).collect(),
        };
        let tree = |(index, tree): (usize, &Tree)| TreeArt {
            number: index + 1,
            x: tree.x,
            y: tree.y,
            colours: tree.colours,
            icon: emblem(tree.icon()),
        };
        let circle = |circle: &Circle| CircleArt { x: circle.x, y: circle.y, vp: circle.vp, hare: circle.hare };
        let cell = |cell: &'static Cell| CellArt {
            x: cell.x,
            y: cell.y,
            colours: cell.colours,
            icon: emblem(cell.icon()),
            star: cell.star,
            red_keep: cell.red_keep,
            gate: cell.entrance,
            guest: cell.guest.as_deref(),
        };
        let path = |[from, to]: &[Space; 2]| {
            let [from, to] = [from, to].map(|space| match space.place() {
                Place::Tree(index) => &layout.woods.trees[index],
                Place::Mushroom(_) | Place::Cell(_) => &layout.woods.trees[0],
            });
            Line { path: format!("M{} {}L{} {}", from.x, from.y, to.x, to.y) }
        };
        Art {
            mushrooms: layout.meadow.mushrooms.iter().map(mushroom).collect(),
            crown: crown(27.0, 10),
            biscuit: crown(18.5, 14),
            paths: layout.woods.paths.iter().map(path).collect(),
            trees: layout.woods.trees.iter().enumerate().map(tree).collect(),
            circles: layout.woods.circles.iter().map(circle).collect(),
            cells: layout.keep.cells.iter().map(cell).collect(),
            walls: layout.keep.walls.iter().map(|[one, other]| wall(&layout.keep.cells, *one, *other)).collect(),
            battlements: battlements(layout),
        }
    }
}

/// The wall between two neighbours.
fn wall(cells: &[Cell], one: Space, other: Space) -> Line {
    let [one, other] = [one, other].map(|space| match space.place() {
        Place::Cell(index) => &cells[index],
        Place::Mushroom(_) | Place::Tree(_) => &cells[0],
    });
    let (x, y) = ((one.x + other.x) / 2, (one.y + other.y) / 2);
    let path =
        if one.y == other.y { format!("M{x} {}V{}", y - 43, y + 43) } else { format!("M{} {y}H{}", x - 43, x + 43) };
    Line { path }
}

/// The outer walls, with a gap at each gate.
fn battlements(layout: &Layout) -> Vec<Line> {
    let cells = &layout.keep.cells;
    let (first, last) = (&cells[0], &cells[cells.len() - 1]);
    let (left, top, right, bottom) = (first.x - 45, first.y - 45, last.x + 45, last.y + 45);
    let gate = |colour| cells.iter().find(|cell| cell.entrance == Some(colour)).map_or(first.y, |cell| cell.y);
    let (west, east) = (gate(Colour::Red), gate(Colour::Black));
    debug_assert_eq!(cells.len() % COLUMNS, 0);
    vec![
        Line { path: format!("M{left} {}V{top}H{right}V{}", west - 32, east - 32) },
        Line { path: format!("M{right} {}V{bottom}H{left}V{}", east + 32, west + 32) },
    ]
}
