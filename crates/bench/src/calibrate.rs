//! Whether the curves of games are right: of the positions that are given 70 %, about 70 % should be won.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use wonderpost::tables::analysis::finished_game::GameStep;
use wonderpost::tables::analysis::{Effort, FinishedGame, analyse};
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Game, Level, Position, Seat, SeatSet};

/// A game that has not ended by then is left out.
const MOST_MOVES: usize = 5_000;

/// How many points of a game are compared with how it ended: neighbours tell nearly the same.
const POINTS_A_GAME: usize = 5;

/// Which games are played and analysed.
#[derive(Args)]
pub struct Settings {
    /// The game's name, such as red-queen.
    game: String,
    /// How many seats; the fewest by default.
    #[arg(long)]
    seats: Option<u8>,
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// The bots that play the games; each game has one level, in turn.
    #[arg(long, value_delimiter = ',', default_value = "decent")]
    bots: Vec<Level>,
    /// The processor time for each analysis, in seconds.
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Positions that were given about the same chance.
#[derive(Copy, Clone, Debug, Default)]
pub struct Bucket {
    pub points: u32,
    pub predicted: f64,
    pub won: u32,
}

/// How predictions compare with what came true.
#[derive(Clone, Debug, Default)]
pub struct Reliability {
    /// By tenths.
    pub buckets: [Bucket; 10],
    /// The sum of the squares of errors.
    squares: f64,
    pub games: u32,
    pub moves: usize,
    pub used: Duration,
    pub longest: Duration,
    pub levels: Vec<Level>,
}

impl Reliability {
    fn note(&mut self, chance: f64, won: bool) {
        let bucket = &mut self.buckets[((chance * 10.0) as usize).min(9)];
        bucket.points += 1;
        bucket.predicted += chance;
        bucket.won += u32::from(won);
        self.squares += (chance - f64::from(u8::from(won))).powi(2);
    }

    fn merge(mut self, other: Reliability) -> Reliability {
        for (bucket, more) in self.buckets.iter_mut().zip(other.buckets) {
            bucket.points += more.points;
            bucket.predicted += more.predicted;
            bucket.won += more.won;
        }
        self.squares += other.squares;
        self.games += other.games;
        self.moves += other.moves;
        self.used += other.used;
        self.longest = self.longest.max(other.longest);
        self.levels.extend(other.levels);
        self
    }

    fn points(&self) -> u32 {
        self.buckets.iter().map(|bucket| bucket.points).sum()
    }

    /// By how much predictions and outcomes differ, over all buckets: 0 is perfect.
    pub fn error(&self) -> f64 {
        let apart = |bucket: &Bucket| (bucket.predicted - f64::from(bucket.won)).abs();
        self.buckets.iter().map(apart).sum::<f64>() / f64::from(self.points().max(1))
    }
}

/// Plays the games, analyses them and prints the table.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let catalogue = wonderpost_games::catalogue();
    let game = catalogue.find(&settings.game).with_context(|| format!("there is no game “{}”", settings.game))?;
    let seats = settings.seats.unwrap_or(game.info().seats.0);
    let processor_time = Duration::try_from_secs_f64(settings.seconds).context("say how many seconds to spend")?;
    let effort = Effort { processor_time, ..Effort::BACKGROUND };
    let reliability = measure(game, seats, settings.games, &settings.bots, settings.seed, &effort);
    print!("{reliability}");
    Ok(())
}

/// Plays games among bots and compares their curves with their ends.
pub fn measure(
    game: &'static dyn Game,
    seats: u8,
    games: usize,
    levels: &[Level],
    first_seed: u64,
    effort: &Effort,
) -> Reliability {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).clamp(1, games.max(1));
    std::thread::scope(|scope| {
        let work = || {
            let mut found = Reliability::default();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games {
                    return found;
                }
                let level = levels[number % levels.len()];
                found = found.merge(one(game, seats, level, first_seed + number as u64, effort).unwrap_or_default());
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let found = workers.into_iter().map(|worker| worker.join().expect("an analysis broke down"));
        found.fold(Reliability::default(), Reliability::merge)
    })
}

fn one(game: &'static dyn Game, seats: u8, level: Level, seed: u64, effort: &Effort) -> Option<Reliability> {
    let steps = play(game, seats, level, seed)?;
    let (winners, moves) = (steps.last()?.position.result()?.winners, steps.len());
    let finished = FinishedGame::of_steps(game, seats, SeatSet::EMPTY, steps, seed).ok()?;
    let curve = analyse(&finished, effort, &mut |_| ControlFlow::Continue(())).ok()?;
    let used = Duration::from_millis(curve.milliseconds.into());
    let mut found =
        Reliability { games: 1, moves, used, longest: used, levels: vec![curve.level], ..Reliability::default() };
    let mut rng = SmallRng::seed_from_u64(seed);
    let (_, before_the_end) = curve.points.split_last()?;
    for point in before_the_end.iter().sample(&mut rng, POINTS_A_GAME) {
        // Chances of all seats sum up to one: one of them is enough.
        let seat = Seat::all(seats).nth(rng.random_range(0..usize::from(seats)))?;
        found.note(f64::from(point.chances.get(seat.index())?.chance), winners.contains(seat));
    }
    Some(found)
}

/// A whole game among bots, step by step.
fn play(game: &'static dyn Game, seats: u8, level: Level, number: u64) -> Option<Vec<GameStep>> {
    let seed = Seed::of_number(number);
    let mut rng = SmallRng::seed_from_u64(number);
    let begun = game.begin(&Value::Object(Default::default()), seats).ok()?;
    let dealt = begun.set_up(&mut seed.chance(0)).ok()?;
    let mut drawn = dealt.draws.len() as u64;
    let step = |move_no: usize, said: Option<(Seat, String)>, position: Box<dyn Position>| GameStep {
        move_no: move_no as u32,
        seat: said.as_ref().map(|(seat, _)| *seat),
        said: said.map(|(_, line)| line),
        log: Vec::new(),
        position,
    };
    let mut steps = vec![step(0, None, dealt.position)];
    while steps.len() < MOST_MOVES {
        let now = steps.last()?.position.boxed_clone();
        let Some(seat) = now.awaiting().iter().next() else { return Some(steps) };
        let chosen = now.bot(level, seat, &mut rng).into_iter().next();
        let mv = chosen.or_else(|| now.default_move(seat))?;
        let decided = now.decide_move(seat, &mv, &mut seed.chance(drawn)).ok()?;
        drawn += decided.draws.len() as u64;
        steps.push(step(steps.len(), Some((seat, mv.to_string())), decided.position));
    }
    None
}

impl fmt::Display for Reliability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| given | positions | mean given | won |")?;
        writeln!(f, "| --- | ---: | ---: | ---: |")?;
        for (place, bucket) in self.buckets.iter().enumerate().filter(|(_, bucket)| bucket.points > 0) {
            let points = f64::from(bucket.points);
            let (given, won) = (100.0 * bucket.predicted / points, 100.0 * f64::from(bucket.won) / points);
            let (from, to) = (10 * place, 10 * place + 10);
            writeln!(f, "| {from}-{to} % | {} | {given:.0} % | {won:.0} % |", bucket.points)?;
        }
        let points = f64::from(self.points().max(1));
        let games = self.games.max(1);
        writeln!(f)?;
        writeln!(f, "mean distance {:.1} %, Brier score {:.3}", 100.0 * self.error(), self.squares / points)?;
        for level in Level::ALL {
            let count = self.levels.iter().filter(|played| **played == level).count();
            if count > 0 {
                writeln!(f, "{count} games played on by {} bots", level.title())?;
            }
        }
        writeln!(
            f,
            "{} games of {} moves on average; processor time {:.1} s a game on average, {:.1} s at most",
            self.games,
            self.moves / games as usize,
            self.used.as_secs_f64() / f64::from(games),
            self.longest.as_secs_f64()
        )
    }
}
