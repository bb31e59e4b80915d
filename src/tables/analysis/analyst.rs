//! The analysis of a game: from which steps it is played on, how often, and what that says of its moves.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::tables::analysis::alternatives;
use crate::tables::analysis::curve::{Curve, Measure, Point, TurningPoint};
use crate::tables::analysis::effort::{Budget, Effort, Stopped, Watcher, thread_time};
use crate::tables::analysis::finished_game::FinishedGame;
use crate::tables::analysis::solitaire;
use crate::tables::analysis::tally::{Tally, rounded};
use wonderpost_rules::{Level, PlayoutPlan, Seat, Viewer};

/// How many games are played on before the next step has its turn.
const BATCH: u32 = 8;

/// A step is known well enough when no chance deviates by more than this: about five in a hundred either way.
const SMOOTH: f64 = 0.025;

/// The least number of games from each step for which stronger bots are worth their time.
const LEAST_PLAYOUTS: f64 = 24.0;

/// A change of a chance that is worth a word, and by how many standard deviations it must stand out.
const NOTABLE: f64 = 0.1;
const STANDS_OUT: f64 = 2.0;

/// The most turning points of a game.
pub(super) const MOST_TURNING_POINTS: usize = 6;

/// Parts of the processor time, one after the other: where the game stood, between which moves it turned, how sure that is, what
/// players could know of it, and what would have done better.
const COARSE: f64 = 0.5;
const FINE: f64 = 0.6;
const SURE: f64 = 0.7;
const KNOWN: f64 = 0.85;
const WHOLE: f64 = 1.0;

/// What random numbers are for, so that none are used twice.
const FOR_TRUTH: u64 = 1;
const FOR_KNOWN: u64 = 2;

/// Analyses a game, unless the watcher asks to stop.
pub fn analyse(game: &FinishedGame, effort: &Effort, watcher: Watcher) -> Result<Curve, Stopped> {
    let mut budget = Budget::new(effort.processor_time, watcher);
    if game.seats == 1 {
        return solitaire::analyse(game, effort, &mut budget);
    }
    let mut analyst = Analyst::new(game, effort);
    analyst.level = analyst.choose_level(&budget);
    analyst.sample_all(&mut budget)?;
    analyst.bisect_jumps(&mut budget)?;
    analyst.confirm_jumps(&mut budget)?;
    analyst.sample_known(&mut budget)?;
    let mut turning_points = analyst.turning_points();
    for (step, turning_point) in &mut turning_points {
        if budget.lasts(WHOLE)? {
            let plan = analyst.plan(0);
            let found = alternatives::find(game, *step, &plan, &mut budget, &mut analyst.playouts)?;
            turning_point.better = found;
        }
    }
    Ok(Curve {
        measure: Measure::Chances,
        level: analyst.level,
        playouts: analyst.playouts,
        milliseconds: budget.used().as_millis() as u32,
        points: analyst.points(),
        turning_points: turning_points.into_iter().map(|(_, turning_point)| turning_point).collect(),
    })
}

/// How many moves a game that is played on may take.
pub(super) fn most_moves(game: &FinishedGame) -> u32 {
    u32::try_from(4 * game.steps.len() + 600).unwrap_or(u32::MAX)
}

/// Steps spread evenly over a game, the first and the last among them; those that cut it in halves come first, so that whatever has
/// been done when time runs out covers all of it.
pub(super) fn spread(steps: usize, most: usize) -> Vec<usize> {
    let last = steps.saturating_sub(1);
    let parts = last.min(most.max(2) - 1).max(1);
    let mut places: Vec<usize> = (0..=parts).collect();
    // The more often a place can be halved, the coarser the grid it lies on.
    let is_end = |place: usize| place == 0 || place == parts;
    places.sort_by_key(|place| (!is_end(*place), Reverse(place.trailing_zeros())));
    places.iter().map(|place| place * last / parts).collect()
}

struct Analyst<'a> {
    game: &'a FinishedGame,
    effort: &'a Effort,
    level: Level,
    playouts: u32,
    /// By step.
    tallies: BTreeMap<usize, Tally>,
}

/// Two steps, one after the other among those that were looked at, and whose chance changed most between them.
struct Jump {
    from: usize,
    to: usize,
    seat: Seat,
    size: f64,
}

impl<'a> Analyst<'a> {
    fn new(game: &'a FinishedGame, effort: &'a Effort) -> Analyst<'a> {
        Analyst { game, effort, level: Level::Easy, playouts: 0, tallies: BTreeMap::new() }
    }

    fn plan(&self, seed: u64) -> PlayoutPlan {
        PlayoutPlan { level: self.level, seed, most_moves: most_moves(self.game) }
    }

    /// The strongest bots that can play from each step often enough in the time that there is.
    fn choose_level(&self, budget: &Budget) -> Level {
        let points = self.effort.most_points.min(self.game.steps.len()).max(1) as f64;
        let most = budget.part(COARSE).as_secs_f64() / points / LEAST_PLAYOUTS;
        let quick_enough = |level: &Level| self.time_a_playout(*level).as_secs_f64() <= most;
        Level::ALL.into_iter().rev().find(quick_enough).unwrap_or(Level::Easy)
    }

    fn time_a_playout(&self, level: Level) -> Duration {
        let begun = thread_time();
        let places = [0, self.game.steps.len() / 4, self.game.steps.len() / 2];
        for (count, place) in places.iter().enumerate() {
            let plan = PlayoutPlan { level, ..self.plan(count as u64) };
            self.game.steps[*place].position.play_out(&plan);
        }
        thread_time().saturating_sub(begun) / places.len() as u32
    }

    /// Plays on from steps all over the game, in turns, until each is known well or the time is up.
    fn sample_all(&mut self, budget: &mut Budget) -> Result<(), Stopped> {
        let steps = spread(self.game.steps.len(), self.effort.most_points);
        let mut is_first_round = true;
        loop {
            let mut went_on = false;
            for step in &steps {
                // However little time there is, the first and the last step are looked at.
                let is_end = *step == 0 || step + 1 == self.game.steps.len();
                let is_needed = is_first_round && is_end;
                if !budget.lasts(COARSE)? && !is_needed {
                    return Ok(());
                }
                went_on |= self.sample(*step, SMOOTH);
            }
            is_first_round = false;
            if !went_on {
                return Ok(());
            }
        }
    }

    /// Plays on some more from a step; whether that was needed.
    fn sample(&mut self, step: usize, smooth: f64) -> bool {
        let position = &self.game.steps[step].position;
        let fresh = || Tally::new(self.game.seats, position.result().map(|result| result.winners));
        let mut tally = self.tallies.remove(&step).unwrap_or_else(fresh);
        let is_enough = |tally: &Tally| tally.playouts() > 0 && tally.roughness() <= smooth;
        let needed = tally.over.is_none() && tally.playouts() < self.effort.most_playouts && !is_enough(&tally);
        if needed {
            for _ in 0..BATCH {
                let seed = self.game.number(FOR_TRUTH, step, u64::from(tally.playouts()));
                // Where there is no end in sight, nobody wins.
                let winners = position.play_out(&self.plan(seed)).map(|played| played.winners);
                tally.add(winners.unwrap_or_default());
                self.playouts += 1;
            }
        }
        self.tallies.insert(step, tally);
        needed
    }

    /// All changes between neighbours, the greatest first.
    fn jumps(&self) -> Vec<Jump> {
        let mut jumps: Vec<Jump> = self
            .tallies
            .iter()
            .zip(self.tallies.iter().skip(1))
            .filter_map(|((from, before), (to, after))| {
                let size = |seat: Seat| (after.share(seat) - before.share(seat)).abs();
                let seat = Seat::all(self.game.seats).max_by(|left, right| size(*left).total_cmp(&size(*right)))?;
                Some(Jump { from: *from, to: *to, seat, size: size(seat) })
            })
            .collect();
        jumps.sort_by(|left, right| right.size.total_cmp(&left.size));
        jumps
    }

    /// Looks between two steps between which much changed, until it is known which move it was.
    fn bisect_jumps(&mut self, budget: &mut Budget) -> Result<(), Stopped> {
        while budget.lasts(FINE)? {
            let jumps = self.jumps();
            let wide =
                jumps.iter().take(MOST_TURNING_POINTS).find(|jump| jump.size >= NOTABLE && jump.to > jump.from + 1);
            let Some(Jump { from, to, .. }) = wide else { return Ok(()) };
            let (middle, enough) = (from + (to - from) / 2, self.tallies[from].playouts().max(4 * BATCH));
            while self.tallies.get(&middle).is_none_or(|tally| tally.playouts() < enough) && self.sample(middle, SMOOTH)
            {
                if !budget.lasts(FINE)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Plays on more often from before and after the greatest changes: some of them are but chance.
    fn confirm_jumps(&mut self, budget: &mut Budget) -> Result<(), Stopped> {
        while budget.lasts(SURE)? {
            let mut went_on = false;
            for jump in self.jumps().iter().take(2 * MOST_TURNING_POINTS) {
                for step in [jump.from, jump.to] {
                    went_on |= budget.lasts(SURE)? && self.sample(step, SMOOTH / 2.0);
                }
            }
            if !went_on {
                break;
            }
        }
        Ok(())
    }

    /// Plays on with what each person could not know dealt anew.
    fn sample_known(&mut self, budget: &mut Budget) -> Result<(), Stopped> {
        let steps: Vec<usize> = spread(self.tallies.len(), self.tallies.len())
            .into_iter()
            .filter_map(|place| self.tallies.keys().nth(place).copied())
            .collect();
        for _ in 0..self.effort.most_playouts / BATCH {
            for step in &steps {
                for seat in self.game.people.iter() {
                    if !budget.lasts(KNOWN)? {
                        return Ok(());
                    }
                    self.sample_as(seat, *step);
                }
            }
        }
        Ok(())
    }

    fn sample_as(&mut self, seat: Seat, step: usize) {
        let plan = self.plan(0);
        let Some(tally) = self.tallies.get_mut(&step).filter(|tally| tally.over.is_none()) else { return };
        let Some(count) = tally.known.get_mut(seat.index()) else { return };
        for _ in 0..BATCH {
            let place = u64::from(count.of) << 8 | u64::from(seat.number());
            let seed = self.game.number(FOR_KNOWN, step, place);
            let mut rng = SmallRng::seed_from_u64(seed);
            let dealt = self.game.steps[step].position.resample_hidden(Viewer::Seat(seat), &mut rng);
            let played = dealt.play_out(&PlayoutPlan { seed, ..plan });
            count.add(played.is_some_and(|played| played.winners.contains(seat)));
            self.playouts += 1;
        }
    }

    /// The moves that changed most, in the order of moves, with their steps.
    fn turning_points(&self) -> Vec<(usize, TurningPoint)> {
        let stands_out = |jump: &Jump| {
            let deviation = |step: usize| self.tallies[&step].deviation(jump.seat);
            jump.size >= NOTABLE && jump.size >= STANDS_OUT * deviation(jump.from).hypot(deviation(jump.to))
        };
        let jumps = self.jumps().into_iter().filter(|jump| jump.to == jump.from + 1 && stands_out(jump));
        let mut found: Vec<(usize, TurningPoint)> = jumps
            .take(MOST_TURNING_POINTS)
            .map(|jump| {
                let mover = self.game.steps[jump.to].seat;
                let change = |seat: Seat| self.tallies[&jump.to].share(seat) - self.tallies[&jump.from].share(seat);
                // A move is best told as what it did for whoever made it, if it did anything for them.
                let own = mover.filter(|mover| change(*mover).abs() >= NOTABLE.max(jump.size / 2.0));
                let seat = own.unwrap_or(jump.seat);
                let turning_point = TurningPoint {
                    move_no: self.game.steps[jump.to].move_no,
                    mover,
                    seat,
                    from: rounded(self.tallies[&jump.from].share(seat)),
                    to: rounded(self.tallies[&jump.to].share(seat)),
                    better: None,
                };
                (jump.to, turning_point)
            })
            .collect();
        found.sort_by_key(|(step, _)| *step);
        found
    }

    fn points(&self) -> Vec<Point> {
        let seats = || Seat::all(self.game.seats);
        self.tallies
            .iter()
            .map(|(step, tally)| Point {
                move_no: self.game.steps[*step].move_no,
                chances: seats().map(|seat| tally.estimate(seat)).collect(),
                known: seats().map(|seat| tally.known(seat).filter(|_| self.game.people.contains(seat))).collect(),
                best: None,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn steps_are_spread_over_the_whole_game_and_its_ends_come_first() {
        assert_eq!(spread(9, 100), [0, 8, 4, 2, 6, 1, 3, 5, 7]);
        let few = spread(1_001, 11);
        assert_eq!(few[..2], [0, 1_000]);
        let mut sorted = few.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..=10).map(|part| part * 100).collect::<Vec<usize>>());
    }
}
