//! The course of a finished game: who had how many points when, and which moves changed that.

use std::sync::Arc;

use crate::tables::history::recent_events::RecentEvents;
use crate::tables::state::concealed::Numbering;
use crate::tables::state::table_state::Unfoldable;
use crate::tables::{CachedTable, ReadError, Tables};
use wonderpost_rules::{Seat, SeatSet, Viewer};

/// A move that changed the points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoringMove {
    /// As its viewer counts.
    pub number: u32,
    /// Whose move it was.
    pub seat: Option<Seat>,
    /// Everybody's points after it, in the order of seats.
    pub scores: Vec<i64>,
    /// The log of it.
    pub lines: Vec<String>,
}

/// All moves that changed the points, the first first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    pub moves: Vec<ScoringMove>,
}

/// The most of the log of a move that is told, in whole lines; the first is told in any case.
const LONGEST_TOLD: usize = 200;

/// What the log says of a move, in a line.
pub fn told(lines: &[String], with_names: impl Fn(&str) -> String) -> String {
    let mut told = String::new();
    for line in lines {
        let line = with_names(line).split_whitespace().collect::<Vec<_>>().join(" ");
        if !told.is_empty() && told.chars().count() + line.chars().count() > LONGEST_TOLD {
            break;
        }
        told = format!("{told} {line}").trim_start().to_owned();
    }
    told
}

impl Tables {
    /// The course of a finished game as everybody may know it. Folded once, and kept.
    pub async fn public_course(&self, cached: &CachedTable) -> Result<Arc<Course>, ReadError> {
        if let Some(course) = self.courses.get(&cached.now.head) {
            return Ok(course);
        }
        let course = Arc::new(self.course(cached, Viewer::Public).await?);
        self.courses.insert(cached.now.head, course.clone());
        Ok(course)
    }

    /// The course of a game, as a viewer may know it. Empty where points are not public until the end.
    pub async fn course(&self, cached: &CachedTable, viewer: Viewer) -> Result<Course, ReadError> {
        let window = self.load_window(&self.store, cached.id, 0, None).await?;
        Ok(Course::of(&window, &cached.now.numbering(viewer), viewer)?)
    }
}

impl Course {
    /// The course of a game from its events, as a viewer may know it who counts so.
    pub fn of(events: &RecentEvents, numbering: &Numbering, viewer: Viewer) -> Result<Course, Unfoldable> {
        let mut now = events.base().clone();
        let mut course = Course::default();
        let mut open: Option<ScoringMove> = None;
        for record in events.records() {
            if numbering.hides(record) {
                now.fold(record)?;
                continue;
            }
            let number = numbering.shown(record.move_no);
            if open.as_ref().is_none_or(|open| open.number != number) {
                course.note(open.take());
                open = Some(ScoringMove { number, seat: record.seat, scores: Vec::new(), lines: Vec::new() });
            }
            let line = now.describe_event(record, viewer)?;
            now.fold(record)?;
            if let Some(open) = &mut open {
                open.lines.extend(line);
                open.scores = now.position.scores().into_iter().collect::<Option<Vec<i64>>>().unwrap_or_default();
            }
        }
        course.note(open);
        Ok(course)
    }

    /// Adds a move if it changed the points.
    fn note(&mut self, played: Option<ScoringMove>) {
        let Some(played) = played.filter(|played| !played.scores.is_empty()) else { return };
        let changed = match self.moves.last() {
            Some(last) => last.scores != played.scores,
            None => played.scores.iter().any(|score| *score != 0),
        };
        if changed {
            self.moves.push(played);
        }
    }

    /// What a seat's points were before a move of the course.
    fn before(&self, place: usize, seat: Seat) -> i64 {
        let before = place.checked_sub(1).and_then(|place| self.moves.get(place));
        before.and_then(|before| before.scores.get(seat.index()).copied()).unwrap_or(0)
    }

    /// The move with which the winners took a lead that they never gave up again; nothing if they led from the first.
    pub fn turning_point(&self, winners: SeatSet) -> Option<&ScoringMove> {
        let leads = |played: &ScoringMove| {
            let best = played.scores.iter().max();
            let seats = Seat::all(u8::try_from(played.scores.len()).unwrap_or(0));
            let leaders: SeatSet = seats.filter(|seat| played.scores.get(seat.index()) == best).collect();
            winners.iter().any(|winner| leaders.contains(winner))
                && leaders.iter().all(|leader| winners.contains(leader))
        };
        let behind = self.moves.iter().rposition(|played| !leads(played))?;
        self.moves.get(behind + 1)
    }

    /// The moves that brought somebody the most points at once, the greatest first: whom, and how many.
    pub fn greatest(&self, most: usize) -> Vec<(&ScoringMove, Seat, i64)> {
        let mut gains = Vec::new();
        for (place, played) in self.moves.iter().enumerate() {
            let seats = Seat::all(u8::try_from(played.scores.len()).unwrap_or(0));
            let gain = |seat: Seat| played.scores.get(seat.index()).copied().unwrap_or(0) - self.before(place, seat);
            let best =
                seats.map(|seat| (seat, gain(seat))).max_by_key(|(seat, gain)| (*gain, std::cmp::Reverse(*seat)));
            gains.extend(best.filter(|(_, gain)| *gain > 0).map(|(seat, gain)| (played, seat, gain)));
        }
        gains.sort_by_key(|(played, _, gain)| (-gain, played.number));
        gains.truncate(most);
        gains
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(scores: &[[i64; 2]]) -> Course {
        let played = |(number, scores): (u32, &[i64; 2])| ScoringMove {
            number,
            seat: Some(Seat::FIRST),
            scores: scores.to_vec(),
            lines: vec![format!("Move {number}.")],
        };
        Course { moves: (1..).zip(scores).map(played).collect() }
    }

    #[test]
    fn the_turning_point_is_where_the_winner_took_the_lead_for_good() {
        let second = SeatSet::one(Seat::new(2).unwrap());
        let even = course(&[[10, 0], [10, 20], [30, 20], [30, 35], [30, 40]]);
        assert_eq!(even.turning_point(second).map(|played| played.number), Some(4));
        assert_eq!(course(&[[0, 5], [3, 9]]).turning_point(second), None);
        // Who is not ahead in points at the end won in another way.
        assert_eq!(course(&[[9, 5]]).turning_point(second), None);
    }

    #[test]
    fn the_greatest_moves_come_first_and_what_brought_nothing_is_none() {
        let course = course(&[[10, 0], [10, 20], [12, 20], [0, 20]]);
        let greatest: Vec<(u32, u8, i64)> =
            course.greatest(3).iter().map(|(played, seat, gain)| (played.number, seat.number(), *gain)).collect();
        assert_eq!(greatest, [(2, 2, 20), (1, 1, 10), (3, 1, 2)]);
    }
}
