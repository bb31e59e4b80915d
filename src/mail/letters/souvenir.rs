//! What a letter at the end of a game keeps of it: how the points went, when it turned, and its greatest moves.

use std::fmt::Write;

use crate::mail::letters::picture::{Drawn, draw_aside, name_in_drawing};
use crate::mail::letters::story::Place;
use crate::tables::history::course::{Course, ScoringMove};
use wonderpost_rules::{Picture, Seat, Viewer};

/// How many moves it remembers.
const MOST_MOVES: usize = 3;

/// How many rows the table of points has.
const MOST_ROWS: usize = 8;

/// What the page calls the plot.
pub const PLOT_ID: &str = "points";

/// What is kept of a game.
#[derive(Default)]
pub struct Souvenir {
    /// The points at some moves: the names, and rows with the number of a move and everybody's points.
    pub names: Vec<String>,
    pub rows: Vec<(u32, Vec<i64>)>,
    pub plot: Option<Drawn>,
    /// “You took the lead for good with move 41: …”, and where to see it.
    pub turning_point: Option<Moment>,
    /// The greatest moves, the greatest first.
    pub moments: Vec<Moment>,
    /// What the others held at the end: names and hands.
    pub hands: Vec<(String, String)>,
}

/// A move to remember.
pub struct Moment {
    pub words: String,
    pub url: String,
}

impl Souvenir {
    /// The table of points as plain text.
    pub fn table(&self) -> String {
        let width = |name: &String| name.chars().count().max(4);
        let mut text = format!("  {:>10}", "after move");
        for name in &self.names {
            let _ = write!(text, "  {name:>width$}", width = width(name));
        }
        for (number, scores) in &self.rows {
            let _ = write!(text, "\n  {number:>10}");
            for (name, score) in self.names.iter().zip(scores) {
                let _ = write!(text, "  {score:>width$}", width = width(name));
            }
        }
        text
    }
}

impl Place<'_> {
    /// What is kept of a game that is over.
    pub async fn souvenir(&self, course: &Course) -> Souvenir {
        let now = &self.cached.now;
        let names: Vec<String> = Seat::all(now.opened.seats).map(|seat| self.you_or_name(seat)).collect();
        let turning_point = course.turning_point(now.winners());
        // Where points are counted at the end alone no move brought them.
        let greatest = if course.moves.len() > 1 { course.greatest(MOST_MOVES) } else { Vec::new() };
        Souvenir {
            rows: rows(course),
            plot: self.plot(course).await,
            turning_point: turning_point.map(|played| self.turn_of_the_game(played)),
            moments: greatest.into_iter().map(|(played, seat, gain)| self.moment(played, seat, gain)).collect(),
            hands: now.seated.iter().filter(|seat| *seat != self.seat).filter_map(|seat| self.hand_of(seat)).collect(),
            names,
        }
    }

    fn you_or_name(&self, seat: Seat) -> String {
        if seat == self.seat { "You".to_owned() } else { self.name(seat) }
    }

    fn at_move(&self, number: u32) -> String {
        format!("{}/at/{number}?as=all", self.url())
    }

    fn turn_of_the_game(&self, played: &ScoringMove) -> Moment {
        let won = self.cached.now.winners();
        let who = match won.contains(self.seat) {
            true => "You".to_owned(),
            false => crate::app::words::and(&self.names(won.iter())),
        };
        let words = format!("{who} took the lead for good with move {}. {}", played.number, self.told(played));
        Moment { words: words.trim_end().to_owned(), url: self.at_move(played.number) }
    }

    fn moment(&self, played: &ScoringMove, seat: Seat, gain: i64) -> Moment {
        let points = if gain == 1 { "1 point".to_owned() } else { format!("{gain} points") };
        let words = format!("Move {}, {points} for {}: {}", played.number, self.you_or_them(seat), self.told(played));
        Moment { words, url: self.at_move(played.number) }
    }

    fn you_or_them(&self, seat: Seat) -> String {
        if seat == self.seat { "you".to_owned() } else { self.name(seat) }
    }

    /// What the log says of a move, in a line.
    fn told(&self, played: &ScoringMove) -> String {
        let lines =
            played.lines.iter().map(|line| self.with_names(line).split_whitespace().collect::<Vec<_>>().join(" "));
        let mut told = String::new();
        for line in lines {
            if !told.is_empty() && told.chars().count() + line.chars().count() > LONGEST_TOLD {
                break;
            }
            told = format!("{told} {line}").trim_start().to_owned();
        }
        told
    }

    /// What somebody held at the end, as their own board says it, unless the reader's says it, too.
    fn hand_of(&self, seat: Seat) -> Option<(String, String)> {
        let board = self.cached.now.position.table_in_words(Viewer::Seat(seat));
        let mut lines = board.lines().skip_while(|line| !line.starts_with("Your hand"));
        let mut hand = lines.next()?.strip_prefix("Your hand")?.trim_start_matches([',', ':', ' ']).to_owned();
        for line in lines.take_while(|line| line.starts_with("  ")) {
            hand.push('\n');
            hand.push_str(line);
        }
        (!hand.starts_with("is empty")).then(|| (self.name(seat), self.with_names(&hand)))
    }

    async fn plot(&self, course: &Course) -> Option<Drawn> {
        let names: Vec<String> = Seat::all(self.cached.now.opened.seats)
            .map(|seat| name_in_drawing(seat, &self.you_or_name(seat)))
            .collect();
        draw_aside(plot(course, &names)?).await
    }
}

/// Of the log of a move so many signs are told, in whole lines, and at least the first.
const LONGEST_TOLD: usize = 120;

/// The points at some moves: at all of the course, or at as many as fit, always with the last.
fn rows(course: &Course) -> Vec<(u32, Vec<i64>)> {
    let count = course.moves.len();
    let is_kept = |place: usize| count <= MOST_ROWS || place * MOST_ROWS / count != (place + 1) * MOST_ROWS / count;
    let kept = course.moves.iter().enumerate().filter(|(place, _)| is_kept(*place));
    kept.map(|(_, played)| (played.number, played.scores.clone())).collect()
}

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
fn plot(course: &Course, names: &[String]) -> Option<Picture> {
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
    fn a_long_course_has_a_short_table_that_ends_with_the_end() {
        assert_eq!(rows(&course(5)).len(), 5);
        let long = rows(&course(100));
        assert_eq!((long.len(), long.last().map(|(number, _)| *number)), (MOST_ROWS, Some(100)));
        let souvenir =
            Souvenir { names: vec!["You".into(), "Hatter".into()], rows: rows(&course(2)), ..Souvenir::default() };
        assert_eq!(
            souvenir.table(),
            "  after move   You  Hatter\n           1     1       0\n           2     2       1"
        );
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
