//! A sheet as three pictures: the marks, and what glows, laid over the printed sheet.

use super::super::layout::{ground, layout};
use super::super::names::{at, space_name};
use super::super::sheet::Sheet;
use super::super::space::{Place, Space, TREES, Zone};
use super::super::view::Made;
use super::art::cap;
use super::choice::{Choices, Target};
use super::party::emblem;

/// One zone of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub zone: Zone,
    pub view_box: &'static str,
    /// What it shows, in a sentence or two.
    pub label: String,
    pub lit: Vec<Lit>,
    pub numbers: Vec<Number>,
    /// Circles closed and mushrooms full: where a tick is drawn.
    pub done: Vec<Point>,
    /// Between trees with equal numbers.
    pub jabberwocks: Vec<Point>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

/// A painted number.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Number {
    pub x: i32,
    pub y: i32,
    pub radius: i32,
    pub number: u8,
    /// Painted in this bout or the last one.
    pub new: bool,
    /// In a starred cell.
    pub star: bool,
}

/// A space that can be marked, or the one that was picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lit {
    pub path: String,
    pub x: i32,
    pub y: i32,
    pub teacups: u8,
    pub wakes: bool,
    pub chosen: bool,
    /// What it would bring, as it is drawn over the space.
    pub gains: Gains,
}

/// What painting a space brings, and where that is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gains {
    pub ghost: String,
    /// “+6”, “−8”.
    pub points: Option<String>,
    pub guest: Option<&'static str>,
    /// Around the biscuit or teacup that is printed there.
    pub icon: Option<Point>,
    pub points_at: Point,
    pub guest_at: Point,
    pub cup_at: Point,
}

impl Gains {
    fn new(target: &Target, x: i32, y: i32) -> Gains {
        let at = |right: i32, down: i32| Point { x: x + right, y: y + down };
        let (icon_at, points_at, guest_at, cup_at) = match target.space.zone() {
            Zone::Meadow => (at(0, -28), at(0, 30), at(-24, 26), at(19, 22)),
            Zone::Woods => (at(27, -24), at(-27, -24), at(-28, 22), at(25, 24)),
            Zone::Keep => (at(24, -25), at(-23, -29), at(-25, 25), at(25, 25)),
        };
        let first = target.options.first();
        Gains {
            ghost: target.ghost(),
            points: target.points().map(|points| match points {
                0.. => format!("+{points}"),
                _ => format!("−{}", points.unsigned_abs()),
            }),
            guest: first.and_then(|choice| choice.guest).map(emblem),
            icon: first.and_then(|choice| choice.icon).map(|_| icon_at),
            points_at,
            guest_at,
            cup_at,
        }
    }

    /// Long texts are written smaller.
    pub fn is_long(&self) -> bool {
        self.ghost.len() > 2
    }
}

impl Lit {
    pub fn class(&self) -> &'static str {
        match (self.chosen, self.teacups) {
            (true, _) => "heads-lit chosen",
            (false, 0) => "heads-lit",
            (false, _) => "heads-lit cost",
        }
    }

    /// Where the cups are drawn that it costs.
    pub fn cups(&self) -> Vec<i32> {
        match self.teacups {
            0 => vec![],
            1 => vec![self.x - 13],
            _ => vec![self.x - 25, self.x - 1],
        }
    }
}

/// The three zones of a sheet. `new`: the marks to point at.
pub fn pictures(sheet: &Sheet, new: &[Made], choices: Option<&Choices>) -> [Picture; 3] {
    Zone::ALL.map(|zone| Picture {
        zone,
        view_box: match zone {
            Zone::Meadow => "0 0 600 260",
            Zone::Woods => "0 0 600 500",
            Zone::Keep => "-30 -18 660 468",
        },
        label: label(sheet, zone),
        lit: choices.map(|choices| lit(zone, sheet, choices)).unwrap_or_default(),
        numbers: numbers(sheet, zone, new),
        done: done(sheet, zone),
        jabberwocks: if zone == Zone::Woods { jabberwocks(sheet) } else { vec![] },
    })
}

fn numbers(sheet: &Sheet, zone: Zone, new: &[Made]) -> Vec<Number> {
    let layout = layout();
    let is_new = |space: Space| new.iter().any(|made| made.space == space);
    let mut numbers = vec![];
    for space in Space::of(zone) {
        match space.place() {
            Place::Mushroom(index) => {
                let filled = sheet.mushroom(index);
                // Of a mushroom the newest are the last.
                let new = new.iter().filter(|made| made.space == space).count();
                for (place, (spot, number)) in layout.meadow.mushrooms[index].spaces.iter().zip(filled).enumerate() {
                    let new = place + new >= filled.len();
                    numbers.push(Number { x: spot.x, y: spot.y, radius: 15, number: *number, new, star: false });
                }
            }
            Place::Tree(index) => {
                let tree = &layout.woods.trees[index];
                numbers.extend(sheet.tree(index).map(|number| Number {
                    x: tree.x,
                    y: tree.y,
                    radius: 18,
                    number,
                    new: is_new(space),
                    star: false,
                }));
            }
            Place::Cell(index) => {
                let cell = &layout.keep.cells[index];
                numbers.extend(sheet.cell(index).map(|number| Number {
                    x: cell.x,
                    y: cell.y,
                    radius: 23,
                    number,
                    new: is_new(space),
                    star: cell.star,
                }));
            }
        }
    }
    numbers
}

fn lit(zone: Zone, sheet: &Sheet, choices: &Choices) -> Vec<Lit> {
    let layout = layout();
    let picked = choices.question.as_ref().map(|question| question.space);
    let targets = choices.of(&zone).filter(|target| picked.is_none_or(|picked| picked == target.space));
    targets
        .map(|target| {
            let (path, x, y) = match target.space.place() {
                Place::Mushroom(index) => {
                    let mushroom = &layout.meadow.mushrooms[index];
                    let next = mushroom.spaces.get(sheet.mushroom(index).len());
                    let (x, y) = next.map_or((mushroom.x, mushroom.y), |spot| (spot.x, spot.y));
                    (cap(mushroom), x, y)
                }
                Place::Tree(index) => {
                    let tree = &layout.woods.trees[index];
                    (round(tree.x, tree.y, 34), tree.x, tree.y)
                }
                Place::Cell(index) => {
                    let cell = &layout.keep.cells[index];
                    let side = layout.keep.cell;
                    let path = format!("M{} {}h{side}v{side}h-{side}z", cell.x - side / 2, cell.y - side / 2);
                    (path, cell.x, cell.y)
                }
            };
            let chosen = picked == Some(target.space);
            Lit { path, x, y, teacups: target.teacups, wakes: target.wakes, chosen, gains: Gains::new(target, x, y) }
        })
        .collect()
}

fn round(x: i32, y: i32, radius: i32) -> String {
    format!("M{} {y}a{radius} {radius} 0 1 0 {} 0a{radius} {radius} 0 1 0 -{} 0z", x - radius, 2 * radius, 2 * radius)
}

fn done(sheet: &Sheet, zone: Zone) -> Vec<Point> {
    let layout = layout();
    match zone {
        Zone::Meadow => {
            let mushrooms = layout.meadow.mushrooms.iter().enumerate().filter(|(index, _)| sheet.full(*index));
            mushrooms.map(|(_, mushroom)| Point { x: mushroom.x + 24, y: mushroom.y + 44 }).collect()
        }
        Zone::Woods => {
            let circles = sheet.closed_circles().map(|index| &layout.woods.circles[index]);
            circles.map(|circle| Point { x: circle.x + 15, y: circle.y - 13 }).collect()
        }
        Zone::Keep => vec![],
    }
}

/// On the paths between equal numbers.
fn jabberwocks(sheet: &Sheet) -> Vec<Point> {
    let trees = &layout().woods.trees;
    let mut points = vec![];
    for one in 0..TREES {
        for other in one + 1..TREES {
            let joined = ground().joined[one] >> other & 1 == 1;
            if joined && sheet.tree(one).is_some() && sheet.tree(one) == sheet.tree(other) {
                let [one, other] = [&trees[one], &trees[other]];
                points.push(Point { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
            }
        }
    }
    points
}

/// A zone in words, for those who listen.
fn label(sheet: &Sheet, zone: Zone) -> String {
    let layout = layout();
    match zone {
        Zone::Meadow => {
            let mushrooms = layout.meadow.mushrooms.iter().enumerate().map(|(index, mushroom)| {
                let numbers: Vec<String> = sheet.mushroom(index).iter().map(u8::to_string).collect();
                let filled = if numbers.is_empty() { "empty".to_owned() } else { numbers.join(", ") };
                format!(
                    "{} ({}, {} spaces, {} VP): {filled}",
                    mushroom.name,
                    mushroom.colours.word(),
                    mushroom.spaces.len(),
                    mushroom.vp
                )
            });
            format!("The Meadow. {}.", mushrooms.collect::<Vec<_>>().join("; "))
        }
        Zone::Woods => {
            let painted: Vec<String> =
                (0..TREES).filter_map(|tree| Some(format!("tree {}: {}", tree + 1, sheet.tree(tree)?))).collect();
            let closed = sheet.closed_circles().count();
            let asleep = if sheet.keeps_jabberwock_asleep() { "sleeps" } else { "is awake" };
            let trees = if painted.is_empty() { "no tree is painted".to_owned() } else { painted.join(", ") };
            format!(
                "The Woods: {trees}. {closed} of {} circles are closed; the Jabberwock {asleep}.",
                layout.woods.circles.len()
            )
        }
        Zone::Keep => {
            let painted = Space::of(Zone::Keep).filter_map(|space| match space.place() {
                Place::Cell(index) => Some(format!("{}: {}", space_name(space), sheet.cell(index)?)),
                Place::Mushroom(_) | Place::Tree(_) => None,
            });
            let painted: Vec<String> = painted.collect();
            let cells = if painted.is_empty() { "no cell is painted".to_owned() } else { painted.join(", ") };
            format!("The Keep: {cells}.")
        }
    }
}

/// What is new on a sheet, in words.
pub fn changes(before: &Sheet, now: &Sheet) -> Vec<String> {
    let mut changes = vec![];
    for space in Space::all() {
        let painted = match space.place() {
            Place::Mushroom(index) => {
                now.mushroom(index).get(before.mushroom(index).len()..).unwrap_or_default().to_vec()
            }
            Place::Tree(index) => now.tree(index).filter(|_| before.tree(index).is_none()).into_iter().collect(),
            Place::Cell(index) => now.cell(index).filter(|_| before.cell(index).is_none()).into_iter().collect(),
        };
        changes.extend(painted.iter().map(|number| format!("{number} {}", at(space))));
    }
    let already = before.guests();
    changes.extend(
        now.guests()
            .iter()
            .filter(|guest| !already.contains(*guest))
            .map(|guest| format!("{} came to tea", guest.title())),
    );
    changes
}
