//! How fast the rules of a game run, on one core, with facts as they are stored.

use std::fmt;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde_json::value::RawValue;

use super::random_play;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Fact, Game, Position, Refusal};

/// How many games are recorded for folding.
const RECORDED: u64 = 50;

/// What was measured.
#[derive(Clone, Debug)]
pub struct EngineSpeed {
    pub title: &'static str,
    /// List the legal moves, choose one, decide it, fold the stored facts into a second table.
    pub moves: Rate,
    /// Fold stored facts, nothing else.
    pub events: Rate,
}

/// A number of things, and the time that they took.
#[derive(Copy, Clone, Debug)]
pub struct Rate {
    pub count: u64,
    pub elapsed: Duration,
}

impl Rate {
    pub fn per_second(&self) -> f64 {
        self.count as f64 / self.elapsed.as_secs_f64()
    }
}

impl fmt::Display for EngineSpeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, one core:", self.title)?;
        writeln!(
            f,
            "{:>12.0} moves/s  listed, decided, folded from JSON ({})",
            self.moves.per_second(),
            self.moves.count
        )?;
        writeln!(f, "{:>12.0} events/s folded from JSON ({})", self.events.per_second(), self.events.count)
    }
}

/// Measures a game with its most seats and default options, each part for so many seconds.
pub fn bench_engine(game: &'static dyn Game, seconds: f64) -> Result<EngineSpeed, Refusal> {
    let time = Duration::from_secs_f64(seconds);
    Ok(EngineSpeed { title: game.info().title, moves: bench_moves(game, time)?, events: bench_events(game, time)? })
}

fn bench_moves(game: &'static dyn Game, time: Duration) -> Result<Rate, Refusal> {
    let started = Instant::now();
    let mut count = 0;
    for number in 0.. {
        play(game, number, |facts, folded| {
            count += 1;
            facts.iter().for_each(|fact| fold(folded, fact));
        })?;
        if started.elapsed() >= time {
            break;
        }
    }
    Ok(Rate { count, elapsed: started.elapsed() })
}

fn bench_events(game: &'static dyn Game, time: Duration) -> Result<Rate, Refusal> {
    let mut games: Vec<Vec<Fact>> = Vec::new();
    for number in 0..RECORDED {
        let mut recorded = Vec::new();
        play(game, number, |facts, _| recorded.extend_from_slice(facts))?;
        games.push(recorded);
    }
    let begun = game.begin(&game.default_options(), game.info().seats.1)?;
    let started = Instant::now();
    let mut count = 0;
    while started.elapsed() < time {
        for facts in &games {
            let mut folded = begun.boxed_clone();
            facts.iter().for_each(|fact| fold(&mut *folded, fact));
            std::hint::black_box(&folded);
            count += facts.len() as u64;
        }
    }
    Ok(Rate { count, elapsed: started.elapsed() })
}

/// Plays one random game; the facts of the deal and of each move are handed over with a table to fold them into.
fn play(
    game: &'static dyn Game,
    number: u64,
    mut recorded: impl FnMut(&[Fact], &mut dyn Position),
) -> Result<(), Refusal> {
    let seed = Seed::of_number(number);
    let mut rng = SmallRng::seed_from_u64(number);
    let begun = game.begin(&game.default_options(), game.info().seats.1)?;
    let mut folded = begun.boxed_clone();
    let mut decided = begun.set_up(&mut seed.chance(0))?;
    let mut drawn = 0;
    loop {
        recorded(&decided.facts, &mut *folded);
        drawn += decided.draws.len() as u64;
        let Some((seat, line)) = random_play::choose(&*decided.position, &mut rng) else { return Ok(()) };
        decided = decided.position.decide_line(seat, &line, &mut seed.chance(drawn))?;
    }
}

fn fold(table: &mut dyn Position, fact: &Fact) {
    let body: &RawValue = serde_json::from_str(&fact.body).expect("a fact is JSON");
    table.fold(body).expect("a fact folds");
}
