//! What a letter at the end of a game keeps of it: how the points went, when it turned, and its greatest moves.

use std::fmt::Write;

use crate::mail::letters::picture::{Drawn, draw_aside, name_in_drawing};
use crate::mail::letters::story::Place;
use crate::tables::history::course::{Course, ScoringMove, told};
use crate::tables::history::course_plot::plot;
use wonderpost_rules::{Seat, Viewer};

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
        told(&played.lines, |line| self.with_names(line))
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

/// The points at some moves: at all of the course, or at as many as fit, always with the last.
fn rows(course: &Course) -> Vec<(u32, Vec<i64>)> {
    let count = course.moves.len();
    let is_kept = |place: usize| count <= MOST_ROWS || place * MOST_ROWS / count != (place + 1) * MOST_ROWS / count;
    let kept = course.moves.iter().enumerate().filter(|(place, _)| is_kept(*place));
    kept.map(|(_, played)| (played.number, played.scores.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
