//! Games among bots, on all cores. The same numbers give the same games on any number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde_json::Value;

use super::Report;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{AnyMove, Game, Level, Position, Refusal, Seat, SeatSet};

/// A game that has not ended by then never will.
const MOST_MOVES: u32 = 100_000;

/// What is to be played.
pub struct Simulation<'a> {
    pub game: &'static dyn Game,
    pub seats: u8,
    /// What differs from the default options.
    pub options: &'a Value,
    pub games: usize,
    /// Who plays: the levels go round the seats, and move on by one seat from game to game. With several levels the
    /// same deal is played once with each of them in each seat.
    pub levels: &'a [Level],
    pub first_seed: u64,
    /// As many as there are cores if none are named.
    pub threads: Option<usize>,
}

/// How one game among bots went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The level at each seat.
    pub levels: Vec<Level>,
    pub scores: Vec<Option<i64>>,
    pub winners: SeatSet,
    pub moves: u32,
    /// Moves of a bot that were refused; the default move was made instead.
    pub refused: u32,
    pub over: bool,
}

/// Plays all games and sums them up.
pub fn simulate(simulation: &Simulation) -> Result<Report, Refusal> {
    if simulation.levels.is_empty() {
        return Err(Refusal::new("A simulation needs at least one bot."));
    }
    // Refuses seats and options before any game is played.
    simulation.game.begin(simulation.options, simulation.seats)?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = simulation.threads.unwrap_or_else(cores).clamp(1, simulation.games.max(1));
    let started = Instant::now();
    let next = AtomicUsize::new(0);
    let mut played: Vec<(usize, Played)> = std::thread::scope(|scope| {
        let work = || {
            let mut played = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= simulation.games {
                    return played;
                }
                played.extend(play(simulation, number).map(|game| (number, game)));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a bot broke down")).collect()
    });
    // The order of the games, not that in which threads finished them.
    played.sort_by_key(|(number, _)| *number);
    let played = played.into_iter().map(|(_, game)| game).collect();
    Ok(Report::new(simulation, threads, played, started.elapsed()))
}

/// Plays the game with this number; `None` if it cannot be dealt, which `begin` has ruled out.
fn play(simulation: &Simulation, number: usize) -> Option<Played> {
    let seats = simulation.seats;
    let count = simulation.levels.len();
    let levels: Vec<Level> = Seat::all(seats).map(|seat| simulation.levels[(seat.index() + number) % count]).collect();
    let deal = simulation.first_seed.wrapping_add((number / count) as u64);
    let seed = Seed::of_number(deal);
    let mut rng = SmallRng::seed_from_u64(deal);
    let begun = simulation.game.begin(simulation.options, seats).ok()?;
    let dealt = begun.set_up(&mut seed.chance(0)).ok()?;
    let mut table = Table { position: dealt.position, seed, drawn: dealt.draws.len() as u64, moves: 0, refused: 0 };
    while table.moves < MOST_MOVES {
        let Some(seat) = table.position.awaiting().iter().next() else { break };
        let moves = table.position.bot(levels[seat.index()], seat, &mut rng);
        if !table.make_all(seat, &moves) {
            table.make_default(seat)?;
        }
    }
    let result = table.position.result();
    Some(Played {
        levels,
        scores: table.position.scores(),
        winners: result.map_or(SeatSet::EMPTY, |result| result.winners),
        moves: table.moves,
        refused: table.refused,
        over: result.is_some(),
    })
}

struct Table {
    position: Box<dyn Position>,
    seed: Seed,
    drawn: u64,
    moves: u32,
    refused: u32,
}

impl Table {
    /// Makes the moves as long as nothing new comes up and the seat is awaited. Whether at least one was made.
    fn make_all(&mut self, seat: Seat, moves: &[AnyMove]) -> bool {
        for (number, mv) in moves.iter().enumerate() {
            match self.make(seat, mv) {
                Some(revealing) if revealing || !self.position.awaiting().contains(seat) => return true,
                Some(_) => {}
                None => {
                    self.refused += 1;
                    return number > 0;
                }
            }
        }
        !moves.is_empty()
    }

    fn make_default(&mut self, seat: Seat) -> Option<bool> {
        let mv = self.position.default_move(seat)?;
        self.make(seat, &mv)
    }

    /// Makes one move. Whether something new came up; `None` if it was refused.
    fn make(&mut self, seat: Seat, mv: &AnyMove) -> Option<bool> {
        let decided = self.position.decide_move(seat, mv, &mut self.seed.chance(self.drawn)).ok()?;
        self.drawn += decided.draws.len() as u64;
        self.position = decided.position;
        self.moves += 1;
        Some(decided.revealing)
    }
}
