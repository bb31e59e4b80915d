//! Ways on the map, as lines: along the roads, and through the air.

use std::collections::VecDeque;

use super::super::hexagon::{Hexagon, Hexagons};
use super::super::land::Side;
use super::super::roads::Land;
use super::super::site::SquareSlot;
use super::drawing::{Chart, Point, path};

/// A stretch of road: a hexagon, a road of a square, a triangle.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Hexagon(Hexagon),
    Piece { square: usize, road: usize },
    Triangle(usize),
}

/// The shortest way by road between two hexagons, passing through no other hexagons but those of the trail.
pub fn by_road(land: &Land, chart: &Chart, from: Hexagon, to: Hexagon, trail: Hexagons) -> Option<String> {
    let nodes = walk(land, &[Node::Hexagon(from)], trail, |node| node == Node::Hexagon(to))?;
    Some(path(&points(land, chart, &nodes)))
}

/// The shortest way by road from any of these to what is looked for. Roads stop at hexagons, but for those of the trail.
pub fn walk(land: &Land, from: &[Node], trail: Hexagons, is_goal: impl Fn(Node) -> bool) -> Option<Vec<Node>> {
    let mut reached: Vec<(Node, Option<usize>)> = from.iter().map(|node| (*node, None)).collect();
    let mut waiting: VecDeque<usize> = (0..reached.len()).collect();
    while let Some(place) = waiting.pop_front() {
        let (node, before) = reached[place];
        if is_goal(node) {
            return Some(back_to_start(&reached, place));
        }
        if let Node::Hexagon(hexagon) = node
            && before.is_some()
            && !trail.contains(hexagon)
        {
            continue;
        }
        for next in beside(land, node) {
            if reached.iter().all(|(known, _)| *known != next) {
                waiting.push_back(reached.len());
                reached.push((next, Some(place)));
            }
        }
    }
    None
}

fn back_to_start(reached: &[(Node, Option<usize>)], last: usize) -> Vec<Node> {
    let mut nodes = vec![];
    let mut place = Some(last);
    while let Some(there) = place {
        nodes.push(reached[there].0);
        place = reached[there].1;
    }
    nodes.reverse();
    nodes
}

/// A line through the air.
pub fn by_air(from: Point, to: Point) -> String {
    let middle = Point { x: (from.x + to.x) / 2.0, y: (from.y + to.y) / 2.0 };
    let (x, y) = (to.x - from.x, to.y - from.y);
    format!("M{from}Q{} {to}", middle.offset(y * 0.18, -x.abs() * 0.18 - 20.0))
}

fn square_place(land: &Land, slot: SquareSlot) -> Option<usize> {
    land.layout.squares.iter().position(|square| square.at == slot)
}

fn beside(land: &Land, node: Node) -> Vec<Node> {
    let layout = &land.layout;
    let roads = layout.squares.iter().enumerate().flat_map(|(square, placed)| {
        placed.roads().iter().enumerate().map(move |(road, sides)| (square, placed, road, *sides))
    });
    match node {
        Node::Hexagon(hexagon) => roads
            .filter(|(_, placed, _, sides)| {
                let meets = |side: Side, site| sides.contains(&side) && layout.hexagon_at(site) == Some(hexagon);
                meets(Side::A, placed.at.a) || meets(Side::B, placed.at.b)
            })
            .map(|(square, _, road, _)| Node::Piece { square, road })
            .collect(),
        Node::Piece { square, road } => {
            let placed = &layout.squares[square];
            let [t, u] = placed.at.triangles();
            let triangle = |slot| layout.triangles.iter().position(|triangle| Some(triangle.at) == slot);
            let sides = placed.roads()[road].iter();
            sides
                .filter_map(|side| match side {
                    Side::A => layout.hexagon_at(placed.at.a).map(Node::Hexagon),
                    Side::B => layout.hexagon_at(placed.at.b).map(Node::Hexagon),
                    Side::T => triangle(t).map(Node::Triangle),
                    Side::U => triangle(u).map(Node::Triangle),
                })
                .collect()
        }
        Node::Triangle(triangle) => {
            let slot = layout.triangles[triangle].at;
            let pieces = slot.squares().into_iter().filter_map(|square_slot| {
                let square = square_place(land, square_slot)?;
                let placed = &layout.squares[square];
                let side = if square_slot.triangles()[0] == Some(slot) { Side::T } else { Side::U };
                let road = placed.roads().iter().position(|sides| sides.contains(&side))?;
                Some(Node::Piece { square, road })
            });
            pieces.collect()
        }
    }
}

/// The middle of a tile.
pub fn centre(land: &Land, chart: &Chart, node: Node) -> Option<Point> {
    match node {
        Node::Hexagon(hexagon) => land.layout.site_of(hexagon).map(|site| chart.site_centre(site)),
        Node::Triangle(triangle) => Some(chart.triangle_centre(land.layout.triangles[triangle].at)),
        Node::Piece { square, .. } => Some(chart.square_centre(land.layout.squares[square].at)),
    }
}

/// Along these nodes: the middles of tiles and of the sides between them.
pub fn points(land: &Land, chart: &Chart, nodes: &[Node]) -> Vec<Point> {
    let mut points = vec![];
    for (number, node) in nodes.iter().enumerate() {
        if let Some(before) = number.checked_sub(1).map(|before| nodes[before]) {
            points.extend(crossing(land, chart, before, *node).or_else(|| crossing(land, chart, *node, before)));
        }
        let is_end = number == 0 || number + 1 == nodes.len();
        // Bends pass by the middle of their tile.
        let bends = matches!(node, Node::Piece { square, .. } if land.layout.squares[*square].has_bends());
        if is_end || !bends {
            points.extend(centre(land, chart, *node));
        }
    }
    points
}

/// The middle of the side between a road of a square and what is beside it.
fn crossing(land: &Land, chart: &Chart, piece: Node, other: Node) -> Option<Point> {
    let Node::Piece { square, .. } = piece else { return None };
    let placed = &land.layout.squares[square];
    let which = match other {
        Node::Hexagon(hexagon) if land.layout.hexagon_at(placed.at.a) == Some(hexagon) => Side::A,
        Node::Hexagon(_) => Side::B,
        Node::Triangle(triangle) if placed.at.triangles()[0] == Some(land.layout.triangles[triangle].at) => Side::T,
        Node::Triangle(_) => Side::U,
        Node::Piece { .. } => return None,
    };
    Some(chart.side(placed, which))
}
