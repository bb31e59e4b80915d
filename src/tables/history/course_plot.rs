//! The course of a game as a plot: everybody's points over the moves.

use std::fmt::Write;

use crate::tables::history::course::{Course, ScoringMove};
use wonderpost_rules::Picture;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 110.0;
const EDGE: f64 = 16.0;

/// The lines of the seats: told apart by colour and by dashes.
const LINES: [(&str, &str); 8] = [
    ("#9d1c1f", "none"),
    ("#1d5a8a", "8 4"),
    ("#2d6b34", "2 3"),
    ("#6b3a86", "10 3 2 3"),
    ("#a5660a", "none"),
    ("#3a3a3a", "8 4"),
    ("#0f7a78", "2 3"),
    ("#b13c7c", "10 3 2 3"),
];

/// The points as steps over the moves; nothing where there is too little to see.
pub fn plot(course: &Course, names: &[String]) -> Option<Picture> {
    let (last, most) = (course.moves.last()?, course.moves.iter().flat_map(|played| &played.scores).max()?);
    let least = course.moves.iter().flat_map(|played| &played.scores).min()?.min(&0);
    if course.moves.len() < 2 || most <= least {
        return None;
    }
    let across = |number: u32| LEFT + (WIDTH - LEFT - RIGHT) * f64::from(number) / f64::from(last.number.max(1));
    let up = |score: i64| HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * (score - least) as f64 / (most - least) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-size=\"13\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fffaf0\"/>"
    );
    for score in [*least, *most] {
        let (y, end) = (up(score), WIDTH - RIGHT);
        let _ = write!(svg, "<path d=\"M{LEFT} {y:.1}H{end}\" stroke=\"#c9b78f\"/>");
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#6a5a46\">{score}</text>",
            LEFT - 5.0,
            y + 4.0
        );
    }
    for (place, (name, label)) in names.iter().zip(label_heights(last, up)).enumerate() {
        let (colour, dashes) = LINES[place % LINES.len()];
        let mut path = format!("M{LEFT} {:.1}", up(0));
        for played in &course.moves {
            let score = played.scores.get(place).copied().unwrap_or(0);
            let _ = write!(path, "H{:.1}V{:.1}", across(played.number), up(score));
        }
        let _ = write!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-dasharray=\"{dashes}\"/>"
        );
        let score = last.scores.get(place).copied().unwrap_or(0);
        let x = WIDTH - RIGHT + 6.0;
        let _ = write!(
            svg,
            "<text x=\"{x}\" y=\"{label:.1}\" fill=\"{colour}\" font-weight=\"bold\">{} {score}</text>",
            escaped(name)
        );
    }
    let told: Vec<String> = names.iter().zip(&last.scores).map(|(name, score)| format!("{name} {score}")).collect();
    let alt = format!("The points over {} moves, at the end: {}.", last.number, told.join(", "));
    Some(Picture { svg: svg + "</svg>", alt, width: WIDTH as u32, height: HEIGHT as u32 })
}

/// Where the names stand at the end of their lines, without one upon another.
fn label_heights(last: &ScoringMove, up: impl Fn(i64) -> f64) -> Vec<f64> {
    const LINE: f64 = 15.0;
    let mut order: Vec<usize> = (0..last.scores.len()).collect();
    order.sort_by_key(|place| last.scores[*place]);
    let mut heights = vec![0.0; last.scores.len()];
    let mut lowest = HEIGHT - 4.0;
    for place in order {
        let height = (up(last.scores[place]) + 4.0).min(lowest);
        heights[place] = height;
        lowest = height - LINE;
    }
    heights
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::letters::picture::{draw, missing_letters, read};

    fn course(moves: u32) -> Course {
        let played = |number: u32| ScoringMove {
            number,
            seat: None,
            scores: vec![i64::from(number), i64::from(number / 2)],
            lines: Vec::new(),
        };
        Course { moves: (1..=moves).map(played).collect() }
    }

    #[test]
    fn the_points_are_drawn_with_their_names() {
        let picture = plot(&course(20), &["You".into(), "R & D".into()]).unwrap();
        assert_eq!(picture.alt, "The points over 20 moves, at the end: You 20, R & D 10.");
        assert_eq!(missing_letters(read(&picture.svg).unwrap().root()), "");
        assert!(draw(&picture).unwrap().png.len() < 12_000);
        assert_eq!(plot(&course(1), &["You".into()]), None);
    }
}
