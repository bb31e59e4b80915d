//! The land on the map: tiles, roads, hexagons, and what stands on them.

use super::super::super::MessengerRabbits;
use super::super::super::hexagon::{Hexagon, Place};
use super::super::super::land::{PlacedSquare, PlacedTriangle, Side};
use super::super::super::nets::{Net, Nets};
use super::super::super::roads::Land;
use super::super::super::suits::Suits;
use super::super::super::text;
use super::super::super::tile::Face;
use super::super::super::view::PublicView;
use super::super::control::emblem;
use super::super::drawing::*;
use super::{Disc, Ground, Home, Icon, Shape, Sign, riders};
use crate::playing_cards::suit_name;
use wonderpost_rules::{Seat, Suit, View};

pub(super) fn rabbit(seat: Seat, at: Point, size: f64) -> Icon {
    Icon {
        href: format!("#rabbit-{seat}"),
        class: "rabbit",
        x: short(at.x - size / 2.0),
        y: short(at.y - size / 2.0),
        size,
    }
}

pub(super) fn icon(name: &str, at: Point, size: f64) -> Icon {
    Icon { href: format!("#{name}"), class: "icon", x: short(at.x - size / 2.0), y: short(at.y - size / 2.0), size }
}

pub(super) fn sign(suit: Suit, at: Point, scale: f64) -> Sign {
    Sign { letter: suit.letter().to_ascii_lowercase(), suit: suit_name(suit), at, scale }
}

/// The small tiles by their suits, those of a suit as one shape.
pub(super) fn tiles(land: &Land, chart: &Chart) -> Vec<Ground> {
    let squares = land.layout.squares.iter().map(|placed| (placed.tile.suit, chart.square(placed.at)));
    let triangles = land.layout.triangles.iter().map(|placed| (placed.tile.suit, chart.triangle(placed.at)));
    let tiles: Vec<(Suit, String)> = squares.chain(triangles).collect();
    let of_suit = |suit: Suit| {
        let path = tiles.iter().filter(|(other, _)| *other == suit).map(|(_, path)| path.as_str()).collect();
        let land = suit_name(suit);
        Ground { path, class: format!("tile {land}"), land }
    };
    Suit::ALL.into_iter().map(of_suit).filter(|ground| !ground.path.is_empty()).collect()
}

pub(super) fn road_class(net: Net, lit: Nets) -> String {
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

pub(super) fn square_roads(land: &Land, chart: &Chart, placed: &PlacedSquare, nets: &[Net], lit: Nets) -> Vec<Shape> {
    let mut roads = vec![];
    let centre = chart.square_centre(placed.at);
    let face = placed.tile.shows().face;
    let beyond = placed.at.triangles();
    let is_open = |side: &Side| match side {
        Side::A | Side::B => false,
        Side::T => beyond[0].is_none_or(|slot| land.layout.triangle_at(slot).is_none()),
        Side::U => beyond[1].is_none_or(|slot| land.layout.triangle_at(slot).is_none()),
    };
    // The road from triangle to triangle passes under the other.
    for (sides, net) in placed.roads().iter().zip(nets).rev() {
        let ends: Vec<Point> = sides.iter().map(|which| chart.side(placed, *which)).collect();
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
    roads
}

pub(super) fn triangle_roads(land: &Land, chart: &Chart, placed: &PlacedTriangle, net: Net, lit: Nets) -> Shape {
    let centre = chart.triangle_centre(placed.at);
    let sides = chart.triangle_sides(placed);
    let lines: String = sides.iter().map(|(_, side)| path(&[*side, centre])).collect();
    let open = sides.iter().filter(|(slot, _)| land.layout.square_at(*slot).is_none());
    let arrows: String = open.map(|(_, side)| arrow(centre, *side)).collect();
    Shape { path: lines + &arrows, class: road_class(net, lit) }
}

/// Signs side by side around a point.
pub(super) fn row(suits: Suits, at: Point, scale: f64) -> Vec<Sign> {
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
pub(super) fn discs(table: &PublicView, chart: &Chart) -> Vec<Disc> {
    let land = &table.board;
    let mut discs = vec![];
    for placed in &land.layout.squares {
        let shows = placed.tile.shows();
        let at = chart.square_centre(placed.at);
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
                at: at.rounded(),
                radius: if tavern.len() + cave.len() > 0 { 19.5 } else { 15.0 },
                title,
                icons,
                signs,
            });
        }
    }
    for (placed, merchant) in land.layout.triangles.iter().zip(&land.merchants) {
        let at = chart.triangle_centre(placed.at);
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
        discs.push(Disc { at: at.rounded(), radius: 16.5, title, icons, signs });
    }
    discs
}

pub(super) fn home(view: &View<MessengerRabbits>, hexagon_here: Hexagon, at: Point, rich: Suits) -> Home {
    let (table, reader) = (&view.table, text::reader(view));
    let riders = riders(table, Place::On(hexagon_here));
    let mut title = hexagon_here.in_words();
    let mut class = "home".to_owned();
    let mut pieces = vec![];
    let (emblem, rank, royal_sign) = match hexagon_here {
        Hexagon::Citadel => {
            class += " citadel";
            (emblem(hexagon_here), None, None)
        }
        Hexagon::House(house) => {
            class += &format!(" {}", suit_name(house.suit));
            match table.holder(house.royal()) {
                Some(seat) => {
                    title += &format!(", won by {}", reader.person(seat));
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
            (emblem(hexagon_here), Some(house.rank().name()), Some(sign(house.suit, at.offset(shift, 13.0), 0.95)))
        }
    };
    if !riders.is_empty() {
        let names: Vec<String> = riders.iter().map(|seat| reader.person(*seat).to_string()).collect();
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
