//! The map as a picture: tiles, roads, rabbits, carrots, and the controls over them.

mod land;

use self::land::{discs, draw_square, draw_triangle, home, rabbit, tiles};
use super::super::MessengerRabbits;
use super::super::hexagon::{Hexagons, Place};
use super::super::roads::{Land, Nets};
use super::super::suits::Suits;
use super::super::transfer::{Start, trail};
use super::super::view::PublicView;
use super::choice::Choices;
use super::control::{Spot, Target};
use super::drawing::{EDGE, Point, hexagon, short, site_centre, triangle_centre};
use super::route;
use crate::playing_cards;
use wonderpost_rules::{Seat, Suit, View};

/// A shape of the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub path: String,
    pub class: String,
}

/// A small tile: its outline, and the landscape of its suit.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    pub path: String,
    pub class: String,
    pub land: &'static str,
}

/// A drawing put somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Icon {
    pub href: String,
    pub class: &'static str,
    pub x: f64,
    pub y: f64,
    pub size: f64,
}

/// The sign of a suit, put somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Sign {
    pub letter: char,
    pub suit: &'static str,
    pub at: Point,
    pub scale: f64,
}

/// A disc on which icons stand, with words for those who point at it.
#[derive(Clone, Debug, PartialEq)]
pub struct Disc {
    pub at: Point,
    pub radius: f64,
    pub title: String,
    pub icons: Vec<Icon>,
    pub signs: Vec<Sign>,
}

/// A hexagon with all that is on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Home {
    pub path: String,
    pub class: String,
    pub title: String,
    pub at: Point,
    pub emblem: &'static str,
    /// Rank and suit; the Citadel has none.
    pub rank: Option<&'static str>,
    pub sign: Option<Sign>,
    pub pieces: Vec<Icon>,
}

impl Home {
    pub fn emblem_x(&self) -> f64 {
        short(self.at.x - 20.0)
    }

    pub fn emblem_y(&self) -> f64 {
        short(self.at.y - 46.0)
    }
}

/// A control, as a box over the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    pub target: Target,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    /// Where its word is written.
    pub tag_at: Point,
    pub outline: String,
}

/// A box below the map: the Underground, or the sea.
#[derive(Clone, Debug, PartialEq)]
pub struct Below {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub title: &'static str,
    pub class: &'static str,
    pub rabbits: Vec<Icon>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    pub view_box: String,
    /// How many times higher than wide it is.
    aspect: f64,
    pub label: String,
    pub tiles: Vec<Ground>,
    pub roads: Vec<Shape>,
    pub discs: Vec<Disc>,
    pub homes: Vec<Home>,
    /// Empty sites that could be built on.
    pub plots: Vec<Shape>,
    pub routes: Vec<Shape>,
    /// The Underground, and the sea for those off the board.
    pub below: [Below; 2],
    pub controls: Vec<Control>,
    /// The outline of the place that was chosen.
    pub chosen: Option<String>,
    /// For screen readers: who went where.
    pub changes: Vec<String>,
}

const BELOW: f64 = 92.0;
const MARGIN: f64 = 14.0;

impl Map {
    pub fn new(view: &View<MessengerRabbits>, before: Option<&View<MessengerRabbits>>, choices: &Choices) -> Map {
        let table = &view.table;
        let land = &table.board;
        let frame = Frame::of(land, choices);
        let rich = rich_suits(view);
        let lit = usable_nets(view);
        let mut roads = vec![];
        land.layout
            .squares
            .iter()
            .zip(&land.pieces)
            .for_each(|(square, nets)| draw_square(land, square, nets, lit, &mut roads));
        land.layout
            .triangles
            .iter()
            .zip(&land.triangles)
            .for_each(|(triangle, net)| draw_triangle(land, triangle, *net, lit, &mut roads));
        let below = [
            frame.below(0, "The Underground", riders(table, Place::Underground)),
            frame.below(1, "Off the board", riders(table, Place::Off)),
        ];
        let routes = before.map(|before| frame.routes(&before.table, table)).unwrap_or_default();
        Map {
            view_box: frame.view_box(),
            aspect: frame.height / frame.width,
            label: label(table),
            tiles: tiles(land),
            roads,
            discs: discs(table),
            homes: land
                .layout
                .hexes
                .iter()
                .map(|(site, hexagon)| home(table, *hexagon, site_centre(*site), rich))
                .collect(),
            plots: plots(choices),
            routes,
            controls: choices.targets.iter().filter_map(|target| frame.control(land, target)).collect(),
            chosen: choices.chosen.and_then(|spot| outline(land, spot)),
            changes: before.map(|before| changes(&before.table, table)).unwrap_or_default(),
            below,
        }
    }
}

impl Map {
    /// How high it is where it is so wide.
    pub fn height_at(&self, width: f64) -> f64 {
        width * self.aspect
    }
}

/// The part of the plane that is shown.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn of(land: &Land, choices: &Choices) -> Frame {
        let plots = choices.targets.iter().filter_map(|target| match target.spot {
            Spot::Site(site) => Some(site),
            Spot::Hexagon(_) | Spot::Underground | Spot::Off => None,
        });
        let centres: Vec<Point> =
            land.layout.hexes.iter().map(|(site, _)| *site).chain(plots).map(site_centre).collect();
        // Roads that lead off the board reach beyond the hexagons.
        let tiles = land.layout.triangles.iter().map(|triangle| triangle_centre(triangle.at));
        let least = |of: fn(&Point) -> f64, reach: f64| {
            let homes = centres.iter().map(|point| of(point) - EDGE);
            homes.chain(tiles.clone().map(|point| of(&point) - reach)).fold(f64::INFINITY, f64::min)
        };
        let most = |of: fn(&Point) -> f64, reach: f64| {
            let homes = centres.iter().map(|point| of(point) + EDGE);
            homes.chain(tiles.clone().map(|point| of(&point) + reach)).fold(f64::NEG_INFINITY, f64::max)
        };
        let (left, top) = (least(|point| point.x, 56.0) - MARGIN, least(|point| point.y, 56.0) - MARGIN);
        let (right, bottom) = (most(|point| point.x, 56.0) + MARGIN, most(|point| point.y, 56.0) + MARGIN);
        let width = (right - left).max(420.0);
        Frame { left: left - (width - (right - left)) / 2.0, top, width, height: bottom - top + BELOW }
    }

    fn view_box(&self) -> String {
        format!("{} {} {} {}", short(self.left), short(self.top), short(self.width), short(self.height))
    }

    fn below(&self, place: usize, title: &'static str, riders: Vec<Seat>) -> Below {
        let width = (self.width - 3.0 * MARGIN) / 2.0;
        let x = self.left + MARGIN + place as f64 * (width + MARGIN);
        let y = self.top + self.height - BELOW + 6.0;
        let height = BELOW - MARGIN - 6.0;
        let rabbits = riders.into_iter().enumerate().map(|(number, seat)| {
            let at = Point { x: x + 30.0 + 36.0 * number as f64, y: y + height - 24.0 };
            rabbit(seat, at, 34.0)
        });
        let class = if place == 0 { "below burrow" } else { "below" };
        Below {
            rabbits: rabbits.collect(),
            x: short(x),
            y: short(y),
            width: short(width),
            height: short(height),
            title,
            class,
        }
    }

    fn place_centre(&self, land: &Land, place: Place) -> Option<Point> {
        let middle = |below: Below| Point { x: below.x + below.width / 2.0, y: below.y + below.height / 2.0 };
        match place {
            Place::On(hexagon) => land.layout.site_of(hexagon).map(site_centre),
            Place::Underground => Some(middle(self.below(0, "", vec![]))),
            Place::Off => Some(middle(self.below(1, "", vec![]))),
        }
    }

    /// The ways that rabbits have just taken.
    fn routes(&self, before: &PublicView, now: &PublicView) -> Vec<Shape> {
        let mut routes = vec![];
        for seat in now.seats() {
            let (from, to) = (before.rabbits[seat.index()], now.rabbits[seat.index()]);
            if from == to {
                continue;
            }
            let passed = trail(&now.options, before.royals[seat.index()]);
            let road = match (from, to) {
                (Place::On(from), Place::On(to)) => route::by_road(&now.board, from, to, passed),
                _ => None,
            };
            let class = format!("route seat-{seat}");
            let air = || {
                let (from, to) = (self.place_centre(&now.board, from)?, self.place_centre(&now.board, to)?);
                Some(route::by_air(from, to))
            };
            let by_road = road.is_some();
            if let Some(path) = road.or_else(air) {
                let class = if by_road { class } else { format!("{class} air") };
                routes.push(Shape { path, class });
            }
        }
        routes
    }

    fn control(&self, land: &Land, target: &Target) -> Option<Control> {
        let outline = outline(land, target.spot);
        let boxed = |centre: Point, width: f64, height: f64| Control {
            target: target.clone(),
            x: short(centre.x - width / 2.0),
            y: short(centre.y - height / 2.0),
            width,
            height,
            tag_at: centre.offset(0.0, -0.9 * EDGE),
            outline: outline.clone().unwrap_or_default(),
        };
        let below = |below: Below| {
            let centre = Point { x: below.x + below.width / 2.0, y: below.y + below.height / 2.0 };
            Control {
                tag_at: Point { x: below.x + below.width - 26.0, y: below.y + 16.0 },
                outline: format!("M{} {}h{}v{}h-{}Z", below.x, below.y, below.width, below.height, below.width),
                ..boxed(centre, below.width, below.height)
            }
        };
        match target.spot {
            Spot::Hexagon(hexagon) => {
                let centre = site_centre(land.layout.site_of(hexagon)?);
                Some(boxed(centre, 1.62 * EDGE, 1.7 * EDGE))
            }
            Spot::Site(site) => Some(boxed(site_centre(site), 1.5 * EDGE, 1.5 * EDGE)),
            Spot::Underground => Some(below(self.below(0, "", vec![]))),
            Spot::Off => Some(below(self.below(1, "", vec![]))),
        }
    }
}

fn outline(land: &Land, spot: Spot) -> Option<String> {
    match spot {
        Spot::Hexagon(place) => Some(hexagon(site_centre(land.layout.site_of(place)?), EDGE)),
        Spot::Site(site) => Some(hexagon(site_centre(site), EDGE)),
        Spot::Underground | Spot::Off => None,
    }
}

fn plots(choices: &Choices) -> Vec<Shape> {
    let sites = choices.targets.iter().filter_map(|target| match target.spot {
        Spot::Site(site) => Some(site),
        Spot::Hexagon(_) | Spot::Underground | Spot::Off => None,
    });
    sites.map(|site| Shape { path: hexagon(site_centre(site), EDGE), class: "plot".to_owned() }).collect()
}

/// The nets that the viewer's rabbit can use from where it is.
fn usable_nets(view: &View<MessengerRabbits>) -> Nets {
    let Some(mine) = &view.mine else { return Nets::NONE };
    let place = mine.seat.index();
    let trail = trail(&view.table.options, view.table.royals[place]);
    Start::of(&view.table.board, view.table.rabbits[place], trail).nets
}

/// The suits in which the viewer could claim a royal.
fn rich_suits(view: &View<MessengerRabbits>) -> Suits {
    let Some(mine) = &view.mine else { return Suits::NONE };
    let worths = view.table.worths(mine.seat);
    let rich = |suit: &Suit| worths.of_all(mine.hand & Suits::one(*suit).cards()) >= super::super::claim::CLAIM;
    view.table.suits.iter().filter(rich).collect()
}

fn riders(table: &PublicView, place: Place) -> Vec<Seat> {
    table.seats().filter(|seat| table.rabbits[seat.index()] == place).collect()
}

fn label(table: &PublicView) -> String {
    let places: Vec<String> = table
        .seats()
        .map(|seat| format!("{} is {}", seat.mark(), super::super::text::whereabouts(table.rabbits[seat.index()])))
        .collect();
    format!("The map. {}.", places.join("; "))
}

/// What has changed, for those who listen.
fn changes(before: &PublicView, now: &PublicView) -> Vec<String> {
    let mut changes = vec![];
    for seat in now.seats() {
        let place = now.rabbits[seat.index()];
        if before.rabbits[seat.index()] != place {
            changes.push(format!("{} is now {}.", seat.mark(), super::super::text::whereabouts(place)));
        }
        let (had, has) = (before.royals[seat.index()], now.royals[seat.index()]);
        changes
            .extend((has - had).iter().map(|royal| format!("{} has the {}.", seat.mark(), playing_cards::name(royal))));
        changes.extend(
            (had - has)
                .iter()
                .map(|royal| format!("{} no longer has the {}.", seat.mark(), playing_cards::name(royal))),
        );
    }
    let placed: Hexagons = now.board.hexagons.without(before.board.hexagons);
    changes.extend(placed.iter().map(|hexagon| format!("{} is built.", hexagon.in_words())));
    changes
}
