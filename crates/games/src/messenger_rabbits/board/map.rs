//! The map as a picture: tiles, roads, rabbits, carrots, and the controls over them.

use super::super::MessengerRabbits;
use super::super::hexagon::{Hexagon, Hexagons, House, Kind, Place};
use super::super::land::{PlacedSquare, PlacedTriangle, Side};
use super::super::roads::{Land, Net, Nets};
use super::super::suits::Suits;
use super::super::tile::Face;
use super::super::transfer::{Start, trail};
use super::super::view::PublicView;
use super::choice::{Choices, Spot, Target};
use super::drawing::{
    EDGE, Point, hexagon, path, short, side, site_centre, square, square_centre, triangle, triangle_centre,
    triangle_sides,
};
use super::route;
use crate::playing_cards::{self, suit_name};
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

fn rabbit(seat: Seat, at: Point, size: f64) -> Icon {
    Icon {
        href: format!("#rabbit-{seat}"),
        class: "rabbit",
        x: short(at.x - size / 2.0),
        y: short(at.y - size / 2.0),
        size,
    }
}

fn icon(name: &str, at: Point, size: f64) -> Icon {
    Icon { href: format!("#{name}"), class: "icon", x: short(at.x - size / 2.0), y: short(at.y - size / 2.0), size }
}

fn sign(suit: Suit, at: Point, scale: f64) -> Sign {
    Sign { letter: suit.letter().to_ascii_lowercase(), suit: suit_name(suit), at, scale }
}

fn tiles(land: &Land) -> Vec<Ground> {
    let ground = |path: String, suit: Suit| {
        let land = suit_name(suit);
        Ground { path, class: format!("tile {land}"), land }
    };
    let squares = land.layout.squares.iter().map(|placed| ground(square(placed.at), placed.tile.suit));
    let triangles = land.layout.triangles.iter().map(|placed| ground(triangle(placed.at), placed.tile.suit));
    squares.chain(triangles).collect()
}

fn road_class(net: Net, lit: Nets) -> String {
    let mine = if lit.contains(net) { " mine" } else { "" };
    format!("road net-{}{mine}", net % 8)
}

/// How far a road that leads off the board shows beyond its tile.
const OFF: f64 = 17.0;

/// An arrow from the middle of a side outwards.
fn arrow(centre: Point, side: Point) -> String {
    let tip = side.opposite(centre).opposite(side).towards(centre, -OFF);
    let tip = side.towards(tip, OFF);
    let back = side.towards(tip, OFF - 8.0);
    let (x, y) = ((tip.x - back.x) * 0.8, (tip.y - back.y) * 0.8);
    format!("M{side}L{tip}M{}L{tip}L{}", back.offset(-y, x), back.offset(y, -x))
}

fn draw_square(land: &Land, placed: &PlacedSquare, nets: &[Net], lit: Nets, roads: &mut Vec<Shape>) {
    let centre = square_centre(placed.at);
    let face = placed.tile.shows().face;
    let beyond = placed.at.triangles();
    let is_open = |side: &Side| match side {
        Side::A | Side::B => false,
        Side::T => beyond[0].is_none_or(|slot| land.layout.triangle_at(slot).is_none()),
        Side::U => beyond[1].is_none_or(|slot| land.layout.triangle_at(slot).is_none()),
    };
    // The road from triangle to triangle passes under the other.
    for (sides, net) in placed.roads().iter().zip(nets).rev() {
        let ends: Vec<Point> = sides.iter().map(|which| side(placed, *which)).collect();
        let line = match face {
            Face::Bends => format!("M{}Q{centre} {}", ends[0], ends[1]),
            Face::Bridge => path(&ends),
            Face::Cross => ends.iter().map(|end| path(&[*end, centre])).collect(),
        };
        // A little way into the hexagons.
        let stubs = sides.iter().zip(&ends).filter(|(which, _)| matches!(which, Side::A | Side::B));
        let stubs: String = stubs.map(|(_, end)| path(&[*end, end.towards(centre, -7.0)])).collect();
        let arrows: String =
            sides.iter().zip(&ends).filter(|(which, _)| is_open(which)).map(|(_, end)| arrow(centre, *end)).collect();
        roads.push(Shape { path: line + &stubs + &arrows, class: road_class(*net, lit) });
    }
}

fn draw_triangle(land: &Land, placed: &PlacedTriangle, net: Net, lit: Nets, roads: &mut Vec<Shape>) {
    let centre = triangle_centre(placed.at);
    let sides = triangle_sides(placed);
    let lines: String = sides.iter().map(|(_, side)| path(&[*side, centre])).collect();
    let open = sides.iter().filter(|(slot, _)| land.layout.square_at(*slot).is_none());
    let arrows: String = open.map(|(_, side)| arrow(centre, *side)).collect();
    roads.push(Shape { path: lines + &arrows, class: road_class(net, lit) });
}

/// Signs side by side around a point.
fn row(suits: Suits, at: Point, scale: f64) -> Vec<Sign> {
    let step = 22.0 * scale;
    let first = -(suits.len() as f64 - 1.0) / 2.0 * step;
    suits
        .iter()
        .enumerate()
        .map(|(place, suit)| sign(suit, at.offset(first + step * place as f64, 0.0), scale))
        .collect()
}

fn named(suits: Suits) -> String {
    if suits.len() == 4 {
        return "any suit".to_owned();
    }
    suits.iter().map(suit_name).collect::<Vec<_>>().join(" or ")
}

/// What stands on the small tiles.
fn discs(table: &PublicView) -> Vec<Disc> {
    let land = &table.board;
    let mut discs = vec![];
    for placed in &land.layout.squares {
        let shows = placed.tile.shows();
        let at = square_centre(placed.at);
        let (hike, tavern, cave) =
            (shows.hike.and(table.suits), shows.tavern.and(table.suits), shows.cave.and(table.suits));
        let (mut icons, mut signs, mut title) = (vec![], vec![], shows.name.clone());
        if !cave.is_empty() {
            icons.push(icon("icon-cave", at.offset(0.0, -6.0), 22.0));
            signs.extend(row(cave, at.offset(0.0, 11.0), 0.45));
            title += &format!(": a rabbit hole that takes {}", named(cave));
        }
        if !tavern.is_empty() {
            icons.push(icon("icon-tavern", at.offset(0.0, -6.0), 20.0));
            signs.extend(row(tavern, at.offset(0.0, 11.0), 0.42));
            title += &format!(": a tavern that takes {}", named(tavern));
        }
        if !hike.is_empty() {
            title += &format!("; hiking across takes {}", named(hike));
            if icons.is_empty() {
                icons.push(icon("icon-hike", at.offset(-6.0, 0.0), 15.0));
                signs.extend(row(hike, at.offset(8.0, 0.0), 0.45));
            }
        }
        if !icons.is_empty() {
            discs.push(Disc {
                at,
                radius: if tavern.len() + cave.len() > 0 { 19.5 } else { 15.0 },
                title,
                icons,
                signs,
            });
        }
    }
    for (placed, merchant) in land.layout.triangles.iter().zip(&land.merchants) {
        let at = triangle_centre(placed.at);
        let mut title = format!("{}: a horse for {}", placed.tile.shows().name, named(merchant.horse));
        let (mut icons, mut signs) = (vec![], vec![]);
        let horse = if merchant.boat.is_some() { at.offset(0.0, -7.0) } else { at };
        icons.push(icon("icon-horse", horse.offset(-6.0, 0.0), 14.0));
        signs.extend(row(merchant.horse, horse.offset(7.0, 0.0), 0.42));
        if let Some(boat) = merchant.boat {
            icons.push(icon("icon-boat", at.offset(-6.0, 7.5), 14.0));
            signs.extend(row(boat, at.offset(7.0, 7.5), 0.42));
            title += &format!(", a boat for {}", named(boat));
        }
        discs.push(Disc { at, radius: 16.5, title, icons, signs });
    }
    discs
}

fn home(table: &PublicView, hexagon_here: Hexagon, at: Point, rich: Suits) -> Home {
    let riders = riders(table, Place::On(hexagon_here));
    let mut title = hexagon_here.in_words();
    let mut class = "home".to_owned();
    let mut pieces = vec![];
    let (emblem, rank, royal_sign) = match hexagon_here {
        Hexagon::Citadel => {
            class += " citadel";
            ("home-citadel", None, None)
        }
        Hexagon::House(house) => {
            class += &format!(" {}", suit_name(house.suit));
            match table.holder(house.royal()) {
                Some(seat) => {
                    title += &format!(", won by {}", seat.mark());
                    let carrot = at.offset(33.0, -21.0);
                    pieces.push(Icon {
                        href: format!("#carrot-{seat}"),
                        class: "carrot",
                        x: short(carrot.x - 15.0),
                        y: short(carrot.y - 15.0),
                        size: 30.0,
                    });
                }
                None if rich.contains(house.suit) => {
                    title += ", which you could win over";
                    class += " rich";
                }
                None => {}
            }
            let shift = if house.rank().name().len() > 1 { 14.0 } else { 11.0 };
            (emblem(house), Some(house.rank().name()), Some(sign(house.suit, at.offset(shift, 13.0), 0.95)))
        }
    };
    if !riders.is_empty() {
        let names: Vec<String> = riders.iter().map(|seat| seat.mark().to_string()).collect();
        title += &format!("; here: {}", names.join(", "));
    }
    let size = if riders.len() > 2 { 25.0 } else { 30.0 };
    let step = size * 0.92;
    let first = -(riders.len() as f64 - 1.0) / 2.0 * step;
    // The Citadel has no rank written on it, and more room.
    let line = if hexagon_here == Hexagon::Citadel { 22.0 } else { 41.0 };
    pieces.extend(
        riders
            .iter()
            .enumerate()
            .map(|(place, seat)| rabbit(*seat, at.offset(first + step * place as f64, line), size)),
    );
    Home { path: hexagon(at, EDGE), class, title, at, emblem, rank, sign: royal_sign, pieces }
}

fn emblem(house: House) -> &'static str {
    match house.kind {
        Kind::Tower => "home-tower",
        Kind::Palace => "home-palace",
        Kind::Plaza => "home-plaza",
    }
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
