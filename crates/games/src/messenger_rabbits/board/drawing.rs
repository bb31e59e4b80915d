//! Where tiles lie in the picture, and the shapes they have.

use super::super::land::{Layout, PlacedSquare, PlacedTriangle, Side};
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

    /// As it is written.
    pub fn rounded(self) -> Point {
        Point { x: short(self.x), y: short(self.y) }
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

/// A line through points. After the first each is told from the one before: that takes fewer letters, and shapes that are the same are
/// the same letters, wherever they lie.
pub fn path(points: &[Point]) -> String {
    let Some(first) = points.first() else { return String::new() };
    let steps = points.windows(2).map(|two| {
        let (from, to) = (two[0].rounded(), two[1].rounded());
        Point { x: to.x - from.x, y: to.y - from.y }.to_string()
    });
    format!("M{first}l{}", steps.collect::<Vec<_>>().join(" "))
}

/// The corners of a hexagon that stands on a corner.
pub fn hexagon(centre: Point, edge: f64) -> String {
    let first = centre.offset(0.0, -edge);
    let corners: Vec<Point> = (0..6).map(|number| first.turned(centre, 60.0 * f64::from(number))).collect();
    path(&corners) + "Z"
}

/// Where everything lies in the picture: broad stripes of sea in which nothing lies are cut out of the plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    across: Vec<Cut>,
    down: Vec<Cut>,
}

/// What lies beyond this line moves nearer by so much.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Cut {
    from: f64,
    by: f64,
}

/// How far tiles reach around their centres, with roads that lead off the board.
pub const TILE_REACH: f64 = 56.0;
/// How wide a stripe of sea may be.
const SEA: f64 = 44.0;

fn cuts(mut reaches: Vec<(f64, f64)>) -> Vec<Cut> {
    reaches.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut cuts = vec![];
    let mut end = f64::INFINITY;
    for (from, to) in reaches {
        if from - end > SEA {
            cuts.push(Cut { from: end + SEA / 2.0, by: from - end - SEA });
        }
        end = if end.is_finite() { end.max(to) } else { to };
    }
    cuts
}

fn shift(cuts: &[Cut], at: f64) -> f64 {
    cuts.iter().filter(|cut| at > cut.from).map(|cut| cut.by).sum()
}

fn site_centre(site: Site) -> Point {
    Point::of(site.centre())
}

fn square_centre(slot: SquareSlot) -> Point {
    Point::of(slot.centre())
}

fn triangle_centre(slot: TriangleSlot) -> Point {
    Point::of(slot.centre())
}

impl Chart {
    /// For a finished map.
    pub fn of(layout: &Layout) -> Chart {
        let homes = layout.hexes.iter().map(|(site, _)| (site_centre(*site), EDGE));
        let squares = layout.squares.iter().map(|placed| (square_centre(placed.at), EDGE / 2f64.sqrt()));
        let triangles = layout.triangles.iter().map(|placed| (triangle_centre(placed.at), TILE_REACH));
        let all: Vec<(Point, f64)> = homes.chain(squares).chain(triangles).collect();
        let along = |of: fn(&Point) -> f64| all.iter().map(|(at, reach)| (of(at) - reach, of(at) + reach)).collect();
        Chart { across: cuts(along(|point| point.x)), down: cuts(along(|point| point.y)) }
    }

    /// Moves a point with the tile of this centre.
    fn moved(&self, centre: Point, point: Point) -> Point {
        point.offset(-shift(&self.across, centre.x), -shift(&self.down, centre.y))
    }

    pub fn site_centre(&self, site: Site) -> Point {
        let centre = site_centre(site);
        self.moved(centre, centre)
    }

    pub fn square_centre(&self, slot: SquareSlot) -> Point {
        let centre = square_centre(slot);
        self.moved(centre, centre)
    }

    pub fn triangle_centre(&self, slot: TriangleSlot) -> Point {
        let centre = triangle_centre(slot);
        self.moved(centre, centre)
    }

    pub fn square(&self, slot: SquareSlot) -> String {
        let centre = square_centre(slot);
        // Half the diagonal, an eighth of a turn from the middle of a side.
        let reach = EDGE / 2f64.sqrt();
        let first = centre.towards(site_centre(slot.a), reach).turned(centre, 45.0);
        let corner = |number| self.moved(centre, first.turned(centre, 90.0 * f64::from(number)));
        path(&(0..4).map(corner).collect::<Vec<Point>>()) + "Z"
    }

    pub fn triangle(&self, slot: TriangleSlot) -> String {
        let centre = triangle_centre(slot);
        let reach = EDGE / 3f64.sqrt();
        // Corners point at the sites.
        let corner = |site: &Site| self.moved(centre, centre.towards(site_centre(*site), reach));
        path(&slot.0.iter().map(corner).collect::<Vec<Point>>()) + "Z"
    }

    /// The middle of a side of a square.
    pub fn side(&self, square: &PlacedSquare, side: Side) -> Point {
        let centre = square_centre(square.at);
        let half = EDGE / 2.0;
        let [t, u] = square.at.triangles();
        let middle = match (side, t, u) {
            (Side::A, ..) => centre.towards(site_centre(square.at.a), half),
            (Side::B, ..) => centre.towards(site_centre(square.at.b), half),
            (Side::T, Some(slot), _) => centre.towards(triangle_centre(slot), half),
            (Side::U, _, Some(slot)) => centre.towards(triangle_centre(slot), half),
            // At the rim U is opposite T.
            (Side::U, Some(slot), None) => centre.towards(triangle_centre(slot), half).opposite(centre),
            (Side::T | Side::U, ..) => centre,
        };
        self.moved(centre, middle)
    }

    /// The middles of a triangle's sides, with the slots beyond them.
    pub fn triangle_sides(&self, triangle: &PlacedTriangle) -> [(SquareSlot, Point); 3] {
        let centre = triangle_centre(triangle.at);
        let reach = EDGE / (2.0 * 3f64.sqrt());
        triangle.at.squares().map(|slot| (slot, self.moved(centre, centre.towards(square_centre(slot), reach))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::suits::Suits;
    use super::*;

    #[test]
    fn an_island_comes_nearer_and_the_mainland_stays_where_it_is() {
        let layout = Layout::sample(Suits::ALL);
        let chart = Chart::of(&layout);
        let moved = |site: &str| {
            let site: Site = site.parse().unwrap();
            site_centre(site).y - chart.site_centre(site).y
        };
        assert_eq!(moved("e5"), 0.0);
        assert!(moved("h2") > 100.0 && moved("h2") == moved("i1"));
    }
}
