//! Where tiles lie in the picture, and the shapes they have.

use super::super::land::{PlacedSquare, PlacedTriangle, Side};
use super::super::site::{Site, SquareSlot, TriangleSlot};

/// The length of an edge in the picture.
pub const EDGE: f64 = 64.0;

/// A point of the picture.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    fn of((x, y): (f64, f64)) -> Point {
        Point { x: x * EDGE, y: y * EDGE }
    }

    pub fn offset(self, x: f64, y: f64) -> Point {
        Point { x: self.x + x, y: self.y + y }
    }

    /// The point so far from here in the direction of another.
    pub fn towards(self, other: Point, distance: f64) -> Point {
        let (x, y) = (other.x - self.x, other.y - self.y);
        let length = x.hypot(y).max(f64::EPSILON);
        self.offset(x / length * distance, y / length * distance)
    }

    pub fn opposite(self, centre: Point) -> Point {
        Point { x: 2.0 * centre.x - self.x, y: 2.0 * centre.y - self.y }
    }

    /// Turned around a centre.
    fn turned(self, centre: Point, degrees: f64) -> Point {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let (x, y) = (self.x - centre.x, self.y - centre.y);
        centre.offset(x * cosine - y * sine, x * sine + y * cosine)
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", short(self.x), short(self.y))
    }
}

/// A number with one decimal at most.
pub fn short(number: f64) -> f64 {
    let rounded = (number * 10.0).round() / 10.0;
    // Minus nothing is nothing.
    if rounded == 0.0 { 0.0 } else { rounded }
}

pub fn path(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(Point::to_string).collect();
    format!("M{}", points.join("L"))
}

pub fn site_centre(site: Site) -> Point {
    Point::of(site.centre())
}

/// The corners of a hexagon that stands on a corner.
pub fn hexagon(centre: Point, edge: f64) -> String {
    let first = centre.offset(0.0, -edge);
    let corners: Vec<Point> = (0..6).map(|number| first.turned(centre, 60.0 * f64::from(number))).collect();
    path(&corners) + "Z"
}

pub fn square_centre(slot: SquareSlot) -> Point {
    Point::of(slot.centre())
}

pub fn square(slot: SquareSlot) -> String {
    let centre = square_centre(slot);
    // Half the diagonal, an eighth of a turn from the middle of a side.
    let reach = EDGE / 2f64.sqrt();
    let first = centre.towards(site_centre(slot.a), reach).turned(centre, 45.0);
    let corners: Vec<Point> = (0..4).map(|number| first.turned(centre, 90.0 * f64::from(number))).collect();
    path(&corners) + "Z"
}

pub fn triangle_centre(slot: TriangleSlot) -> Point {
    Point::of(slot.centre())
}

pub fn triangle(slot: TriangleSlot) -> String {
    let centre = triangle_centre(slot);
    let reach = EDGE / 3f64.sqrt();
    // Corners point at the sites.
    let corners: Vec<Point> = slot.0.iter().map(|site| centre.towards(site_centre(*site), reach)).collect();
    path(&corners) + "Z"
}

/// The middle of a side of a square.
pub fn side(square: &PlacedSquare, side: Side) -> Point {
    let centre = square_centre(square.at);
    let half = EDGE / 2.0;
    let [t, u] = square.at.triangles();
    match (side, t, u) {
        (Side::A, ..) => centre.towards(site_centre(square.at.a), half),
        (Side::B, ..) => centre.towards(site_centre(square.at.b), half),
        (Side::T, Some(slot), _) => centre.towards(triangle_centre(slot), half),
        (Side::U, _, Some(slot)) => centre.towards(triangle_centre(slot), half),
        // At the rim U is opposite T.
        (Side::U, Some(slot), None) => centre.towards(triangle_centre(slot), half).opposite(centre),
        (Side::T | Side::U, ..) => centre,
    }
}

/// The middles of a triangle's sides, with the slots beyond them.
pub fn triangle_sides(triangle: &PlacedTriangle) -> [(SquareSlot, Point); 3] {
    let centre = triangle_centre(triangle.at);
    let reach = EDGE / (2.0 * 3f64.sqrt());
    triangle.at.squares().map(|slot| (slot, centre.towards(square_centre(slot), reach)))
}
