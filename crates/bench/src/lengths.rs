//! Whether a long game costs more than a short one: the same at the begin and far into it, turn by turn in one run.

use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::ensure;

use super::house::House;
use super::http::Connection;
use super::load::quantile;
use super::processor_time;
use super::script::{Play, Script};
use super::service::Service;
use wonderpost::tables::state::table_state::TableState;

/// How many long games are played, and how many short ones.
const TABLES: usize = 12;
/// Where the first stretch begins: after the deal, with the table in the service's memory.
const NEAR: i64 = 12;
/// The event around which the second stretch lies, if the game gets that far.
const FAR: i64 = 2000;
/// How many events a stretch has: as many as lie between two snapshots, so that each stretch has its share of them.
const STRETCH: i64 = 64;
/// How many lines of a stretch are said at a time.
const PART: usize = 3;
/// How often each page is looked at.
const LOOKS: usize = 3;
/// How many games are tried for long ones.
const CANDIDATES: u64 = 24;
/// How many events are folded for the speed of replay.
const FOLDED_EVENTS: usize = 300_000;

/// What one thing cost at one place of a game.
#[derive(Default)]
pub struct Cost {
    latencies: Vec<Duration>,
    service: Duration,
    postgres: Duration,
}

impl Cost {
    /// Measures what is done so and so often.
    fn add(
        &mut self,
        house: &House,
        service: &Service,
        act: impl FnOnce(&mut Vec<Duration>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let (service_before, postgres_before) = (processor_time::of_process(service.pid())?, house.postgres_time()?);
        act(&mut self.latencies)?;
        self.service += processor_time::of_process(service.pid())?.saturating_sub(service_before);
        self.postgres += house.postgres_time()?.saturating_sub(postgres_before);
        Ok(())
    }

    pub fn count(&self) -> usize {
        self.latencies.len()
    }

    pub fn p50(&self) -> Duration {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        quantile(&sorted, 0.5)
    }

    /// Processor time of service and Postgres for one.
    pub fn time(&self) -> Duration {
        (self.service + self.postgres) / u32::try_from(self.count()).unwrap_or(u32::MAX).max(1)
    }
}

/// What was measured.
pub struct Lengths {
    pub title: &'static str,
    /// Around which events.
    pub near: i64,
    pub middle: i64,
    pub far: i64,
    pub near_move: Cost,
    pub far_move: Cost,
    pub near_page: Cost,
    pub middle_page: Cost,
    pub far_page: Cost,
    /// Events that are folded a second when a table is replayed from its records.
    pub replayed_a_second: f64,
}

impl Lengths {
    pub async fn measure(house: &House, service: &Service, play: &Play) -> anyhow::Result<Lengths> {
        let long = long_games(house, play).await?;
        let shortest = long.last().map_or(0, Script::events);
        ensure!(shortest > NEAR + 2 * STRETCH, "these games are too short: {shortest} events");
        let begin_far = (shortest - 2).min(FAR + STRETCH / 2) - STRETCH;
        let mut short = Vec::new();
        for number in 0..TABLES {
            short.push(Script::write(&house.tables, play, number as u64, NEAR + STRETCH).await?);
        }
        let mut lengths = Lengths {
            title: play.game.info().title,
            near: NEAR + STRETCH / 2,
            middle: begin_far / 2 + STRETCH / 2,
            far: begin_far + STRETCH / 2,
            near_move: Cost::default(),
            far_move: Cost::default(),
            near_page: Cost::default(),
            middle_page: Cost::default(),
            far_page: Cost::default(),
            replayed_a_second: 0.0,
        };
        let mut connection = Connection::open(service.address)?;
        // The way to the first measured line of each table.
        for (scripts, begin) in [(&long, begin_far), (&short, NEAR)] {
            for script in scripts.iter() {
                for place in 0..script.place_of_event(begin) {
                    say(&mut connection, script, place)?;
                }
            }
        }
        for (long, short) in long.iter().zip(&short) {
            lengths.measure_moves(house, service, &mut connection, [(long, begin_far), (short, NEAR)])?;
        }
        for script in &long {
            lengths.measure_pages(house, service, &mut connection, script, begin_far)?;
        }
        lengths.replayed_a_second = replay(house, &long).await?;
        Ok(lengths)
    }

    /// The moves of a stretch far into a long game, and of one at the begin of a short game.
    fn measure_moves(
        &mut self,
        house: &House,
        service: &Service,
        connection: &mut Connection,
        scripts: [(&Script, i64); 2],
    ) -> anyhow::Result<()> {
        for (which, places) in in_turn(scripts.map(|(script, begin)| script.stretch(begin))) {
            let cost = if which == 0 { &mut self.far_move } else { &mut self.near_move };
            cost.add(house, service, |latencies| {
                for place in places {
                    latencies.push(say(connection, scripts[which].0, place)?);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The pages of a long game as it was at its begin, in its middle and far into it.
    fn measure_pages(
        &mut self,
        house: &House,
        service: &Service,
        connection: &mut Connection,
        script: &Script,
        begin_far: i64,
    ) -> anyhow::Result<()> {
        let begins = [NEAR, self.middle - STRETCH / 2, begin_far];
        for (which, places) in in_turn(begins.map(|begin| script.stretch(begin))) {
            let costs = [&mut self.near_page, &mut self.middle_page, &mut self.far_page];
            costs.into_iter().nth(which).expect("one of the three").add(house, service, |latencies| {
                for place in places.flat_map(|place| [place; LOOKS]) {
                    let path = format!("/t/{}/at/{}", script.table, place + 1);
                    let asked = Instant::now();
                    let status = connection.get(&path, script.cookie(place))?.0;
                    latencies.push(asked.elapsed());
                    ensure!(status == 200, "{path} was answered with {status}");
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// The longest of several games, the longest first.
async fn long_games(house: &House, play: &Play) -> anyhow::Result<Vec<Script>> {
    let mut long = Vec::new();
    for number in 0..CANDIDATES {
        long.push(Script::write(&house.tables, play, number, FAR + STRETCH).await?);
        if long.iter().filter(|script| script.events() >= FAR + STRETCH).count() == TABLES {
            break;
        }
    }
    long.sort_by_key(|script| std::cmp::Reverse(script.events()));
    long.truncate(TABLES);
    Ok(long)
}

impl Script {
    /// The lines of a stretch.
    fn stretch(&self, begin: i64) -> Range<usize> {
        self.place_of_event(begin)..self.place_of_event(begin + STRETCH)
    }
}

/// Parts of several stretches in turn, so that whatever else the machine does hits all of them alike: which stretch, and the part.
fn in_turn<const N: usize>(stretches: [Range<usize>; N]) -> impl Iterator<Item = (usize, Range<usize>)> {
    let longest = stretches.iter().map(Range::len).max().unwrap_or(0);
    (0..longest).step_by(PART).flat_map(move |done| {
        let part = |stretch: &Range<usize>| {
            let begin = (stretch.start + done).min(stretch.end);
            begin..(begin + PART).min(stretch.end)
        };
        stretches.clone().map(|stretch| part(&stretch)).into_iter().enumerate().filter(|(_, part)| !part.is_empty())
    })
}

/// Says a line that must be made.
fn say(connection: &mut Connection, script: &Script, place: usize) -> anyhow::Result<Duration> {
    let asked = Instant::now();
    let status = connection.say(script, place)?;
    let took = asked.elapsed();
    ensure!(status == 303, "“{}” was answered with {status}", script.lines[place].line);
    Ok(took)
}

/// Folds whole tables from their records, on one core.
async fn replay(house: &House, scripts: &[Script]) -> anyhow::Result<f64> {
    let mut tables = Vec::new();
    for script in scripts {
        tables.push(house.tables.records(script.table).await?);
    }
    let (mut folded, begun) = (0, Instant::now());
    while folded < FOLDED_EVENTS {
        for records in &tables {
            std::hint::black_box(TableState::from_records(&house.tables.catalogue, records)?);
            folded += records.len();
        }
    }
    Ok(folded as f64 / begun.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_take_turns_until_all_are_done() {
        let parts: Vec<_> = in_turn([0..4, 10..18]).collect();
        assert_eq!(parts, [(0, 0..3), (1, 10..13), (0, 3..4), (1, 13..16), (1, 16..18)]);
    }
}
