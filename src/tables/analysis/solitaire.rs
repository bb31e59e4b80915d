//! The curve of a game for one: the best result that a search still finds after each move.

use std::collections::BTreeMap;

use crate::tables::analysis::analyst::{MOST_TURNING_POINTS, most_moves, spread};
use crate::tables::analysis::curve::{Curve, Measure, Point, TurningPoint};
use crate::tables::analysis::effort::{Budget, Effort, Stopped};
use crate::tables::analysis::finished_game::FinishedGame;
use wonderpost_rules::{Level, PlayoutPlan, Seat};

/// How many searches there are from one step at most.
const MOST_SEARCHES: u32 = 12;

/// The part of the time for steps all over the game; the rest is for those where the best result falls.
const COARSE: f64 = 0.7;

const FOR_SEARCHES: u64 = 4;

/// What was found from a step.
#[derive(Copy, Clone, Default)]
struct Found {
    best: Option<i64>,
    searches: u32,
}

struct Searcher<'a> {
    game: &'a FinishedGame,
    found: BTreeMap<usize, Found>,
    playouts: u32,
}

/// Analyses a game for one.
pub(super) fn analyse(game: &FinishedGame, effort: &Effort, budget: &mut Budget) -> Result<Curve, Stopped> {
    let mut searcher = Searcher { game, found: BTreeMap::new(), playouts: 0 };
    let steps = spread(game.steps.len(), effort.most_points);
    'coarse: for _ in 0..MOST_SEARCHES {
        for step in &steps {
            if !budget.lasts(COARSE)? {
                break 'coarse;
            }
            searcher.search(*step);
        }
    }
    while budget.lasts(1.0)? && searcher.look_closer() {}
    let points = searcher.points();
    Ok(Curve {
        measure: Measure::BestResult,
        level: Level::Decent,
        playouts: searcher.playouts,
        milliseconds: budget.used().as_millis() as u32,
        turning_points: turning_points(game, &points),
        points,
    })
}

impl Searcher<'_> {
    /// Lets the strongest bot play on once more; whether there was anything to search.
    fn search(&mut self, step: usize) -> bool {
        let position = &self.game.steps[step].position;
        let found = self.found.entry(step).or_default();
        if position.result().is_some() || found.searches >= MOST_SEARCHES {
            return false;
        }
        let seed = self.game.number(FOR_SEARCHES, step, u64::from(found.searches));
        let plan = PlayoutPlan { level: Level::Decent, seed, most_moves: most_moves(self.game) };
        let result = position.play_out(&plan).and_then(|played| played.ranking_key.first().copied());
        found.best = found.best.max(result);
        found.searches += 1;
        self.playouts += 1;
        true
    }

    /// Searches once more before and after each fall, and between its steps; whether there was anything left to search.
    fn look_closer(&mut self) -> bool {
        let falls: Vec<(usize, usize)> = {
            let best = self.best();
            best.windows(2).filter(|pair| pair[1].1 < pair[0].1).map(|pair| (pair[0].0, pair[1].0)).collect()
        };
        let mut went_on = false;
        for (from, to) in falls {
            for step in [to, from + (to - from) / 2] {
                went_on |= self.search(step);
            }
        }
        went_on
    }

    /// The best result from each step. What is found from a later step can be reached from every earlier one, and so can the end that
    /// the game came to.
    fn best(&self) -> Vec<(usize, i64)> {
        let end = self.game.steps.last().and_then(|step| step.position.ranking_key().first().copied()).unwrap_or(0);
        let mut best: Vec<(usize, i64)> = Vec::with_capacity(self.found.len());
        let mut least = end;
        for (step, found) in self.found.iter().rev() {
            least = least.max(found.best.unwrap_or(end));
            best.push((*step, least));
        }
        best.reverse();
        best
    }

    fn points(&self) -> Vec<Point> {
        let point = |(step, best): (usize, i64)| Point {
            move_no: self.game.steps[step].move_no,
            chances: Vec::new(),
            known: Vec::new(),
            best: Some(best),
        };
        self.best().into_iter().map(point).collect()
    }
}

/// The moves after which less was to be had, the greatest falls, in the order of moves.
fn turning_points(game: &FinishedGame, points: &[Point]) -> Vec<TurningPoint> {
    let mut falls: Vec<TurningPoint> = points
        .windows(2)
        .filter_map(|pair| {
            let (from, to) = (pair[0].best?, pair[1].best?);
            // Which of several moves it was is not known.
            let is_one_move = pair[1].move_no == pair[0].move_no + 1;
            (to < from && is_one_move).then_some(TurningPoint {
                move_no: pair[1].move_no,
                mover: game.steps.iter().find(|step| step.move_no == pair[1].move_no).and_then(|step| step.seat),
                seat: Seat::FIRST,
                from: from as f32,
                to: to as f32,
                better: None,
            })
        })
        .collect();
    falls.sort_by(|left, right| (right.from - right.to).total_cmp(&(left.from - left.to)));
    falls.truncate(MOST_TURNING_POINTS);
    falls.sort_by_key(|fall| fall.move_no);
    falls
}
