//! The curve of a game as a drawing: a line and a band of uncertainty for each seat, and a strip to touch for each point.

use crate::tables::analysis::{Curve, Estimate, Measure, Point};
use wonderpost_rules::Seat;

/// The drawing's size, and the room for its labels.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 20.0;

/// A curve as its template draws it. Lengths are written out.
pub struct CurvePlot {
    pub grid: Vec<(String, String)>,
    pub bands: Vec<Shape>,
    pub lines: Vec<Shape>,
    /// What the viewer's own seat could have known.
    pub known: Option<Shape>,
    pub labels: Vec<(String, String)>,
    pub strips: Vec<Strip>,
    /// Where the game turned: how far to the right.
    pub marks: Vec<String>,
    /// Where the marks' lines begin and end.
    pub top: String,
    pub bottom: String,
}

/// The line or band of a seat.
pub struct Shape {
    pub seat: u8,
    pub path: String,
}

/// What leads to a step when it is touched.
pub struct Strip {
    pub move_no: u32,
    pub x: String,
    pub width: String,
}

/// Where things lie in the drawing.
struct Scale {
    last_move: f64,
    most: f64,
}

impl Scale {
    fn x(&self, move_no: u32) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * f64::from(move_no) / self.last_move
    }

    fn y(&self, value: f64) -> f64 {
        TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - value / self.most)
    }
}

impl CurvePlot {
    /// Draws a curve; `own` is the viewer's seat, `most` the best result that there can be in a game for one.
    pub fn draw(curve: &Curve, own: Option<Seat>, most: i64) -> CurvePlot {
        let last_move = f64::from(curve.points.last().map_or(1, |point| point.move_no.max(1)));
        let most = match curve.measure {
            Measure::Chances => 1.0,
            Measure::BestResult => most.max(1) as f64,
        };
        let scale = Scale { last_move, most };
        let grid = [0.0, 0.5, 1.0].map(|part| {
            let words = match curve.measure {
                Measure::Chances => format!("{:.0} %", part * 100.0),
                Measure::BestResult => format!("{:.0}", part * most),
            };
            (length(scale.y(part * most)), words)
        });
        let middle = (last_move / 2.0) as u32;
        let last = last_move as u32;
        let labelled: &[u32] = if last > 3 { &[0, middle, last] } else { &[0, last] };
        CurvePlot {
            grid: grid.into(),
            bands: bands(curve, &scale),
            lines: lines(curve, &scale),
            known: own.and_then(|own| known_line(curve, own, &scale)),
            labels: labelled.iter().map(|move_no| (length(scale.x(*move_no)), move_no.to_string())).collect(),
            strips: strips(&curve.points, &scale),
            marks: curve.turning_points.iter().map(|turn| length(scale.x(turn.move_no))).collect(),
            top: length(TOP),
            bottom: length(HEIGHT - BOTTOM),
        }
    }
}

fn seats(curve: &Curve) -> impl Iterator<Item = Seat> {
    let seats = curve.points.first().map_or(0, |point| point.chances.len());
    Seat::all(u8::try_from(seats).unwrap_or(0))
}

fn lines(curve: &Curve, scale: &Scale) -> Vec<Shape> {
    let line = |seat: Seat| {
        let chance = |point: &Point| point.chances.get(seat.index()).map(|estimate| f64::from(estimate.chance));
        Shape { seat: seat.number(), path: path(&curve.points, scale, chance) }
    };
    match curve.measure {
        Measure::Chances => seats(curve).map(line).collect(),
        Measure::BestResult => {
            let best = |point: &Point| point.best.map(|best| best as f64);
            vec![Shape { seat: 1, path: path(&curve.points, scale, best) }]
        }
    }
}

fn known_line(curve: &Curve, own: Seat, scale: &Scale) -> Option<Shape> {
    let known = |point: &Point| Some(f64::from(point.known.get(own.index()).copied().flatten()?.chance));
    let path = path(&curve.points, scale, known);
    (!path.is_empty()).then_some(Shape { seat: own.number(), path })
}

fn bands(curve: &Curve, scale: &Scale) -> Vec<Shape> {
    let band = |seat: Seat| {
        let estimates: Vec<(u32, Estimate)> =
            curve.points.iter().filter_map(|point| Some((point.move_no, *point.chances.get(seat.index())?))).collect();
        let corner = |move_no: u32, value: f32| {
            format!("{} {}", length(scale.x(move_no)), length(scale.y(f64::from(value.clamp(0.0, 1.0)))))
        };
        let above = estimates.iter().map(|(move_no, estimate)| corner(*move_no, estimate.chance + estimate.margin));
        let below = estimates.iter().rev();
        let below = below.map(|(move_no, estimate)| corner(*move_no, estimate.chance - estimate.margin));
        let corners: Vec<String> = above.chain(below).collect();
        Shape { seat: seat.number(), path: format!("M{}z", corners.join("L")) }
    };
    seats(curve).map(band).collect()
}

/// A line through the points that have a value.
fn path(points: &[Point], scale: &Scale, value: impl Fn(&Point) -> Option<f64>) -> String {
    let there = points.iter().filter_map(|point| Some((point.move_no, value(point)?)));
    let corners: Vec<String> =
        there.map(|(move_no, value)| format!("{} {}", length(scale.x(move_no)), length(scale.y(value)))).collect();
    if corners.is_empty() { String::new() } else { format!("M{}", corners.join("L")) }
}

/// Each point has the room up to the middle between it and its neighbours.
fn strips(points: &[Point], scale: &Scale) -> Vec<Strip> {
    let places: Vec<f64> = points.iter().map(|point| scale.x(point.move_no)).collect();
    let between = |left: usize, right: usize| Some((places.get(left)? + places.get(right)?) / 2.0);
    points
        .iter()
        .enumerate()
        .map(|(place, point)| {
            let from = place.checked_sub(1).and_then(|before| between(before, place)).unwrap_or(LEFT);
            let to = between(place, place + 1).unwrap_or(WIDTH - RIGHT);
            Strip { move_no: point.move_no, x: length(from), width: length((to - from).max(0.1)) }
        })
        .collect()
}

/// A length in the drawing.
fn length(value: f64) -> String {
    format!("{value:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use wonderpost_rules::Level;

    #[test]
    fn each_seat_has_a_line_and_a_band_and_each_point_a_strip() {
        let point = |move_no: u32, chance: f32| Point {
            move_no,
            chances: vec![Estimate { chance, margin: 0.1 }, Estimate { chance: 1.0 - chance, margin: 0.1 }],
            known: vec![Some(Estimate { chance: 0.5, margin: 0.1 }), None],
            best: None,
        };
        let curve = Curve {
            measure: Measure::Chances,
            level: Level::Easy,
            playouts: 3,
            milliseconds: 1,
            points: vec![point(0, 0.5), point(10, 0.75), point(20, 1.0)],
            turning_points: Vec::new(),
        };
        let plot = CurvePlot::draw(&curve, Some(Seat::FIRST), 0);
        assert_eq!((plot.lines.len(), plot.bands.len(), plot.strips.len()), (2, 2, 3));
        assert_eq!(plot.lines[0].path, "M34.0 89.0L193.0 48.5L352.0 8.0");
        assert!(plot.known.is_some_and(|known| known.path == "M34.0 89.0L193.0 89.0L352.0 89.0"));
        // A band ends where certainty does.
        assert!(plot.bands[0].path.contains("L352.0 8.0L352.0 24.2"), "{}", plot.bands[0].path);
        let bot = Seat::all(2).nth(1);
        assert!(CurvePlot::draw(&curve, bot, 0).known.is_none());
    }
}
