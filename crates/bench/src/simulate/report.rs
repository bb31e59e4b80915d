//! What came of a simulation, in figures and as a table to print.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::games::{Played, Simulation};
use wonderpost_rules::{Level, Seat};

/// All that a simulation showed.
#[derive(Clone, Debug)]
pub struct Report {
    pub title: &'static str,
    pub seats: u8,
    pub threads: usize,
    pub played: Vec<Played>,
    pub elapsed: Duration,
}

/// The scores of one level or seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    pub scores: Vec<i64>,
    pub games: usize,
    pub wins: usize,
}

impl Tally {
    pub fn mean(&self) -> f64 {
        self.scores.iter().sum::<i64>() as f64 / self.scores.len().max(1) as f64
    }

    /// The standard deviation of a score.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares: f64 = self.scores.iter().map(|score| (*score as f64 - mean).powi(2)).sum();
        (squares / (self.scores.len().max(2) - 1) as f64).sqrt()
    }

    /// Half the width of the 95% interval of the mean.
    pub fn interval(&self) -> f64 {
        1.96 * self.deviation() / (self.scores.len().max(1) as f64).sqrt()
    }

    pub fn win_rate(&self) -> f64 {
        self.wins as f64 / self.games.max(1) as f64
    }

    /// The 95% interval of the win rate, after Wilson: it holds for rare wins, too.
    pub fn win_interval(&self) -> (f64, f64) {
        const Z: f64 = 1.96;
        let games = self.games.max(1) as f64;
        let rate = self.win_rate();
        let centre = rate + Z * Z / (2.0 * games);
        let half = Z * (rate * (1.0 - rate) / games + Z * Z / (4.0 * games * games)).sqrt();
        let share = |value: f64| (value / (1.0 + Z * Z / games)).clamp(0.0, 1.0);
        (share(centre - half), share(centre + half))
    }

    /// How often each score came up.
    pub fn distribution(&self) -> BTreeMap<i64, usize> {
        let mut counts = BTreeMap::new();
        self.scores.iter().for_each(|score| *counts.entry(*score).or_default() += 1);
        counts
    }

    fn add(&mut self, played: &Played, seat: Seat) {
        self.games += 1;
        self.wins += usize::from(played.winners.contains(seat));
        self.scores.extend(played.scores.get(seat.index()).copied().flatten());
    }
}

impl Report {
    pub(super) fn new(simulation: &Simulation, threads: usize, played: Vec<Played>, elapsed: Duration) -> Report {
        Report { title: simulation.game.info().title, seats: simulation.seats, threads, played, elapsed }
    }

    /// The scores of a level, at whatever seat.
    pub fn level(&self, level: Level) -> Tally {
        self.tally(|played, seat| played.levels.get(seat.index()) == Some(&level))
    }

    /// The scores at a seat, of whatever level.
    pub fn seat(&self, seat: Seat) -> Tally {
        self.tally(|_, other| other == seat)
    }

    fn tally(&self, counts: impl Fn(&Played, Seat) -> bool) -> Tally {
        let mut tally = Tally::default();
        for played in &self.played {
            Seat::all(self.seats).filter(|seat| counts(played, *seat)).for_each(|seat| tally.add(played, seat));
        }
        tally
    }

    pub fn moves(&self) -> u64 {
        self.played.iter().map(|played| u64::from(played.moves)).sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.played.len();
        writeln!(f, "{}: {games} games among bots, {} at a table", self.title, self.seats)?;
        writeln!(f)?;
        writeln!(
            f,
            "{:10} {:>6} {:>8} {:>7} {:>7} {:>5} {:>5} {:>6}  {:>14}",
            "", "games", "mean", "±95%", "spread", "min", "max", "won", "95%"
        )?;
        let levels = Level::ALL.map(|level| (level.name(), self.level(level)));
        let played = || levels.iter().filter(|(_, tally)| tally.games > 0);
        for (name, tally) in played() {
            line(f, name, tally)?;
        }
        if self.seats > 1 {
            for seat in Seat::all(self.seats) {
                line(f, &format!("seat {seat}"), &self.seat(seat))?;
            }
        }
        for (name, tally) in played() {
            writeln!(f, "\n{name}: how often each score came up")?;
            distribution(f, tally)?;
        }
        self.length(f)
    }
}

impl Report {
    fn length(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lengths: Vec<u32> = self.played.iter().map(|played| played.moves).collect();
        lengths.sort_unstable();
        let at = |share: usize| lengths.get((lengths.len().saturating_sub(1)) * share / 100).copied().unwrap_or(0);
        let mean = self.moves() as f64 / lengths.len().max(1) as f64;
        let seconds = self.elapsed.as_secs_f64();
        writeln!(
            f,
            "\nmoves a game: mean {mean:.1}, from {} to {}, nine in ten {} to {}",
            at(0),
            at(100),
            at(5),
            at(95)
        )?;
        let unfinished = self.played.iter().filter(|played| !played.over).count();
        let refused: u32 = self.played.iter().map(|played| played.refused).sum();
        if unfinished + refused as usize > 0 {
            writeln!(f, "games without an end: {unfinished}; moves of a bot that were refused: {refused}")?;
        }
        writeln!(
            f,
            "{seconds:.1} s on {} threads: {:.1} games/s, {:.0} moves/s",
            self.threads,
            self.played.len() as f64 / seconds,
            self.moves() as f64 / seconds
        )
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, tally: &Tally) -> fmt::Result {
    let (from, to) = tally.win_interval();
    writeln!(
        f,
        "{name:10} {:>6} {:>8.2} {:>7.2} {:>7.2} {:>5} {:>5} {:>5.1}%  {:>5.1}% - {:>4.1}%",
        tally.games,
        tally.mean(),
        tally.interval(),
        tally.deviation(),
        tally.scores.iter().min().copied().unwrap_or(0),
        tally.scores.iter().max().copied().unwrap_or(0),
        100.0 * tally.win_rate(),
        100.0 * from,
        100.0 * to
    )
}

/// A bar for each score, or for each of some twenty ranges of scores.
fn distribution(f: &mut fmt::Formatter<'_>, tally: &Tally) -> fmt::Result {
    let counts = tally.distribution();
    let (Some(least), Some(most)) = (counts.keys().next(), counts.keys().next_back()) else { return Ok(()) };
    let width = (most - least) / 20 + 1;
    let mut from = *least;
    while from <= *most {
        let to = from + width - 1;
        let count: usize = counts.range(from..=to).map(|(_, count)| *count).sum();
        let share = 100.0 * count as f64 / tally.scores.len().max(1) as f64;
        let name = if width == 1 { from.to_string() } else { format!("{from} to {to}") };
        writeln!(f, "{name:>14} {count:>6} {share:>5.1}%  {}", "#".repeat((share / 2.0).round() as usize))?;
        from += width;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn the_interval_of_a_win_rate_is_wilsons() {
        let near = |(wins, games): (usize, usize), expected: (f64, f64)| {
            let (from, to) = Tally { games, wins, scores: vec![] }.win_interval();
            assert!((from - expected.0).abs() < 0.0005 && (to - expected.1).abs() < 0.0005, "{from} to {to}");
        };
        near((0, 10), (0.0, 0.2775));
        near((50, 100), (0.4038, 0.5962));
        near((400, 400), (0.9905, 1.0));
    }
}
