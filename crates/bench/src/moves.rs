//! What a move costs: whole moves over HTTP on a real Postgres, beside pgbench on the same one in the same run.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;

use super::house::House;
use super::http::Connection;
use super::lengths::{Cost, Lengths};
use super::load::{quantile, say_all};
use super::pgbench::{self, TypicalEvent};
use super::processor_time;
use super::script::{Play, Script};
use super::service::Service;
use super::starts::Starts;

/// A game that is long enough to tell how a long game fares.
const LONG_GAME: &str = "red-queen";
const LONG_OPTIONS: &str = r#"{"target": 500}"#;

/// How many moves a second are prepared for at first.
const EXPECTED_RATE: f64 = 3_000.0;

/// So long the server is given to take note that pgbench's processes have ended: what they used is not seen in between, and would be charged to
/// the next round.
const REAPING: Duration = Duration::from_millis(500);

/// How and what to measure.
#[derive(Args)]
pub struct Settings {
    /// How many clients move at the same time, each at its own table.
    #[arg(long, default_value_t = 8)]
    clients: usize,
    /// How long each round takes.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// How many rounds of each kind.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// The game of the load.
    #[arg(long, default_value = "we-are-not-amused")]
    game: String,
    /// How many seats; the fewest by default.
    #[arg(long)]
    seats: Option<u8>,
    /// Options that differ from the defaults, as JSON.
    #[arg(long, default_value = "{}")]
    options: String,
    /// The game that is played far: red-queen, or without it the longest of the load's game.
    #[arg(long)]
    long_game: Option<String>,
    #[arg(long)]
    long_seats: Option<u8>,
    #[arg(long, default_value = LONG_OPTIONS)]
    long_options: String,
}

/// What one round came to.
struct Round {
    per_second: f64,
    p50: Duration,
    p99: Duration,
    /// Processor time for one move: of the program that the players (or pgbench) talk to Postgres with, and of Postgres.
    program: Duration,
    postgres: Duration,
    /// What the HTTP clients took besides.
    clients: Duration,
}

/// The middle of several rounds, figure by figure.
impl Round {
    fn middle(rounds: &[Round]) -> Round {
        fn middle<T: PartialOrd + Copy>(rounds: &[Round], figure: impl Fn(&Round) -> T) -> T {
            let mut figures: Vec<T> = rounds.iter().map(figure).collect();
            figures.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
            figures[figures.len() / 2]
        }
        Round {
            per_second: middle(rounds, |round| round.per_second),
            p50: middle(rounds, |round| round.p50),
            p99: middle(rounds, |round| round.p99),
            program: middle(rounds, |round| round.program),
            postgres: middle(rounds, |round| round.postgres),
            clients: middle(rounds, |round| round.clients),
        }
    }

    fn time(&self) -> Duration {
        self.program + self.postgres
    }
}

/// All that was measured.
struct Report {
    settings: Settings,
    title: &'static str,
    events_a_move: f64,
    moves: Round,
    appends: Round,
    overtaken: u64,
    starts: Starts,
    lengths: Lengths,
    lengths_fell_back: bool,
}

pub fn run(settings: Settings) -> anyhow::Result<()> {
    ensure!(settings.clients > 0 && settings.rounds > 0 && settings.seconds > 0, "nothing is to be measured");
    ensure!(settings.clients <= pgbench::MOST_CLIENTS, "at most {} clients", pgbench::MOST_CLIENTS);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let report = runtime.block_on(measure(settings))?;
    print!("{report}");
    Ok(())
}

async fn measure(settings: Settings) -> anyhow::Result<Report> {
    let house = House::open(settings.clients).await?;
    let play = Play::new(&house.tables, &settings.game, settings.seats, &settings.options)?;
    let catalogued = house.tables.catalogue.find(LONG_GAME).is_some();
    let (long_play, lengths_fell_back) = match &settings.long_game {
        Some(game) => (Play::new(&house.tables, game, settings.long_seats, &settings.long_options)?, false),
        None if catalogued => {
            (Play::new(&house.tables, LONG_GAME, settings.long_seats, &settings.long_options)?, false)
        }
        None => (play.clone(), true),
    };
    pgbench::prepare(&house).await?;

    eprintln!("starting the service several times");
    let starts = Starts::measure(&house)?;
    let service = house.start_service()?;

    let (mut moves, mut appends) = (Vec::new(), Vec::new());
    let mut typical = None;
    let mut expected = EXPECTED_RATE;
    for number in 1..=settings.rounds {
        eprintln!("round {number} of {}: preparing games", settings.rounds);
        let scripts = prepare(&house, &play, number, (expected * 1.3) as usize * settings.seconds as usize).await?;
        house.settle().await?;
        eprintln!("round {number} of {}: moves over HTTP", settings.rounds);
        let round = say_round(&house, &service, &scripts, &settings)?;
        expected = round.per_second;
        moves.push(round);

        let event = match typical.take() {
            Some(event) => event,
            None => TypicalEvent::find(&house).await?,
        };
        house.settle().await?;
        eprintln!("round {number} of {}: pgbench", settings.rounds);
        appends.push(append_round(&house, &event, &settings)?);
        typical = Some(event);
    }
    let overtaken = overtaken(&service)?;
    house.settle().await?;
    eprintln!("long games and short ones");
    let lengths = Lengths::measure(&house, &service, &long_play).await?;
    Ok(Report {
        title: play.game.info().title,
        events_a_move: typical.map_or(0.0, |event| event.a_move),
        moves: Round::middle(&moves),
        appends: Round::middle(&appends),
        settings,
        overtaken,
        starts,
        lengths,
        lengths_fell_back,
    })
}

/// Games with so many moves in all.
async fn prepare(house: &House, play: &Play, round: usize, moves: usize) -> anyhow::Result<Vec<Script>> {
    let (mut scripts, mut ready) = (Vec::new(), 0);
    while ready < moves {
        let number = (round * 1_000_000 + scripts.len()) as u64;
        let script = Script::write(&house.tables, play, number, i64::MAX).await?;
        ensure!(!script.lines.is_empty(), "there is nothing to be said in this game");
        ready += script.lines.len();
        scripts.push(script);
    }
    Ok(scripts)
}

fn say_round(house: &House, service: &Service, scripts: &[Script], settings: &Settings) -> anyhow::Result<Round> {
    let (program, postgres) = (processor_time::of_process(service.pid())?, house.postgres_time()?);
    let load = say_all(service.address, scripts, settings.clients, Duration::from_secs(settings.seconds))?;
    let program = processor_time::of_process(service.pid())?.saturating_sub(program);
    let postgres = house.postgres_time()?.saturating_sub(postgres);
    ensure!(load.failures == 0, "{} moves were not answered with 303", load.failures);
    if load.ran_dry {
        eprintln!("all prepared games were over after {:.1} s", load.elapsed.as_secs_f64());
    }
    let count = u32::try_from(load.latencies.len())?.max(1);
    Ok(Round {
        per_second: f64::from(count) / load.elapsed.as_secs_f64(),
        p50: quantile(&load.latencies, 0.5),
        p99: quantile(&load.latencies, 0.99),
        program: program / count,
        postgres: postgres / count,
        clients: load.client_time / count,
    })
}

fn append_round(house: &House, event: &TypicalEvent, settings: &Settings) -> anyhow::Result<Round> {
    let postgres = house.postgres_time()?;
    let run = pgbench::run(house, event, settings.clients, settings.seconds)?;
    std::thread::sleep(REAPING);
    let postgres = house.postgres_time()?.saturating_sub(postgres);
    let count = u32::try_from(run.transactions)?.max(1);
    Ok(Round {
        per_second: run.per_second,
        p50: run.p50,
        p99: run.p99,
        program: run.client_time / count,
        postgres: postgres / count,
        clients: Duration::ZERO,
    })
}

/// How many moves were decided again because somebody else had moved first.
fn overtaken(service: &Service) -> anyhow::Result<u64> {
    let mut connection = Connection::open(service.address)?;
    let path = "/metrics";
    connection.plain = true;
    let (_, figures) = connection.get(path, "")?;
    let figures = String::from_utf8_lossy(figures);
    let line = figures.lines().find_map(|line| line.strip_prefix("wonderpost_overtaken_total "));
    line.and_then(|number| number.parse().ok()).with_context(|| format!("{path} does not tell"))
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64().max(f64::MIN_POSITIVE)
}

/// A figure with its target, and whether it is met.
fn target(f: &mut fmt::Formatter<'_>, name: &str, figure: String, target: &str, met: bool) -> fmt::Result {
    writeln!(f, "{name:<58} {figure:>12}   {target:<12} {}", if met { "met" } else { "MISSED" })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { settings, moves, appends, lengths, .. } = self;
        writeln!(
            f,
            "{}: {} clients, {} rounds of {} s each, medians; {:.1} events a move\n",
            self.title, settings.clients, settings.rounds, settings.seconds, self.events_a_move
        )?;
        let columns = ["", "a second", "p50 µs", "p99 µs", "CPU µs", "program", "Postgres"];
        let [name, columns @ ..] = columns;
        write!(f, "{name:<34}")?;
        columns.iter().try_for_each(|column| write!(f, "{column:>10}"))?;
        writeln!(f)?;
        for (name, round) in [("move over HTTP", moves), ("pgbench, five statements", appends)] {
            write!(f, "{name:<34}{:>10.0}", round.per_second)?;
            for time in [round.p50, round.p99, round.time(), round.program, round.postgres] {
                write!(f, "{:>10.0}", micros(time))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "The HTTP clients took {:.0} µs of CPU a move besides.\n", micros(moves.clients))?;
        if self.lengths_fell_back {
            writeln!(f, "No {LONG_GAME} in the catalogue: the longest games of {} instead.", lengths.title)?;
        }
        writeln!(f, "{:<34}{:>10}{:>10}{:>10}", lengths.title, "count", "p50 µs", "CPU µs")?;
        let rows = [
            ("move", lengths.near, &lengths.near_move),
            ("move", lengths.far, &lengths.far_move),
            ("history page", lengths.near, &lengths.near_page),
            ("history page", lengths.middle, &lengths.middle_page),
            ("history page", lengths.far, &lengths.far_page),
        ];
        for (what, event, cost) in rows {
            let name = format!("{what} around event {event}");
            writeln!(f, "{name:<34}{:>10}{:>10.0}{:>10.0}", cost.count(), micros(cost.p50()), micros(cost.time()))?;
        }
        writeln!(f)?;
        self.targets(f)
    }
}

impl Report {
    fn targets(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { moves, appends, lengths, starts, .. } = self;
        let efficiency = ratio(appends.time(), moves.time());
        let rate = moves.per_second / appends.per_second;
        target(f, "pgbench's CPU over a move's", format!("{efficiency:.2}"), ">= 0.60", efficiency >= 0.6)?;
        target(f, "rate of moves over pgbench's", format!("{rate:.2}"), ">= 0.70", rate >= 0.7)?;
        let longer = |far: &Cost, near: &Cost| ratio(far.time(), near.time()).max(ratio(far.p50(), near.p50()));
        let later_move = longer(&lengths.far_move, &lengths.near_move);
        let name = format!("move at event {} over one at {}", lengths.far, lengths.near);
        target(f, &name, format!("{later_move:.2}"), "<= 1.20", later_move <= 1.2)?;
        let pages = [&lengths.middle_page, &lengths.far_page].map(|page| longer(page, &lengths.near_page));
        let later_page = pages[0].max(pages[1]);
        target(f, "history page, the same", format!("{later_page:.2}"), "<= 1.50", later_page <= 1.5)?;
        let replayed = lengths.replayed_a_second;
        target(f, "events folded a second, one core", format!("{replayed:.0}"), ">= 200000", replayed >= 200_000.0)?;
        let megabytes = starts.idle_bytes as f64 / 1e6;
        target(f, "idle memory", format!("{megabytes:.1} MB"), "<= 25 MB", megabytes <= 25.0)?;
        let millis = starts.first_page.as_secs_f64() * 1e3;
        target(f, "first page after start", format!("{millis:.0} ms"), "<= 150 ms", millis <= 150.0)?;
        let overtaken = self.overtaken;
        target(f, "moves overtaken by another table's", overtaken.to_string(), "0", overtaken == 0)
    }
}
