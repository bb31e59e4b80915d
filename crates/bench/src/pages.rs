//! What a page costs: every kind of page beside a bare one, which looks up one row by its key and sends as many bytes of the same text.

pub mod bare;

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;

use super::house::House;
use super::http::Connection;
use super::load::quantile;
use super::processor_time;
use super::script::{Play, Script};
use super::service::Service;
use bare::Bare;

/// A game that is long enough to tell how a long game fares.
const LONG_GAME: &str = "red-queen";
const LONG_OPTIONS: &str = r#"{"target": 500}"#;

/// How many events that game has when its history is looked at.
const LONG: i64 = 2_100;

/// The moves whose pages are compared, and how much more the later one may cost.
const NEAR: u32 = 20;
const MOST_LATER: f64 = 1.1;

/// How much more than a bare page one may cost.
const MOST_OVER_BARE: f64 = 2.0;

/// How and what to measure.
#[derive(Args)]
pub struct Settings {
    /// How many rounds; the figures are medians.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How often each page is looked at in a round.
    #[arg(long, default_value_t = 200)]
    looks: u32,
}

/// A page to look at.
struct Kind {
    name: String,
    path: String,
    cookie: String,
    /// How much more than a bare page it may cost; no target for some.
    most: Option<f64>,
}

/// What looking at a page cost in one round.
#[derive(Clone, Copy, Default)]
struct Cost {
    program: Duration,
    postgres: Duration,
    p50: Duration,
}

impl Cost {
    fn time(&self) -> Duration {
        self.program + self.postgres
    }

    /// The middle of several, figure by figure.
    fn middle(costs: &[Cost]) -> Cost {
        let middle = |figure: fn(&Cost) -> Duration| {
            let mut figures: Vec<Duration> = costs.iter().map(figure).collect();
            figures.sort_unstable();
            quantile(&figures, 0.5)
        };
        Cost {
            program: middle(|cost| cost.program),
            postgres: middle(|cost| cost.postgres),
            p50: middle(|cost| cost.p50),
        }
    }
}

struct Row {
    kind: Kind,
    bytes: usize,
    compressed: usize,
    page: Cost,
    bare: Cost,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.page.time().as_secs_f64() / self.bare.time().as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

pub fn run(settings: &Settings) -> anyhow::Result<()> {
    ensure!(settings.rounds > 0 && settings.looks > 0, "nothing is to be measured");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (house, kinds) = runtime.block_on(async {
        let house = House::open(4).await?;
        let kinds = prepare(&house).await?;
        house.settle().await?;
        anyhow::Ok((house, kinds))
    })?;
    let service = house.start_service()?;
    let bare = Bare::start(&house)?;
    let mut rows = Vec::new();
    for kind in kinds {
        eprintln!("{}", kind.name);
        rows.push(measure(&house, &service, &bare, kind, settings)?);
    }
    print!("{}", Report { rows, settings });
    Ok(())
}

/// Tables of every game at their opening, a long game, and the pages that are looked at.
async fn prepare(house: &House) -> anyhow::Result<Vec<Kind>> {
    let kind = |name: &str, path: String, cookie: &str, most| Kind {
        name: name.to_owned(),
        path,
        cookie: cookie.to_owned(),
        most,
    };
    let mut kinds = vec![
        kind("front page", "/".to_owned(), "", Some(MOST_OVER_BARE)),
        kind("archive", "/archive".to_owned(), "", None),
    ];
    for game in house.tables.catalogue.iter() {
        let play = Play::new(&house.tables, game.info().slug, None, "{}")?;
        let script = Script::write(&house.tables, &play, 1, 40).await?;
        let path = format!("/t/{}", script.table);
        kinds.push(kind(game.info().title, path.clone(), script.cookie(0), Some(MOST_OVER_BARE)));
        if game.info().slug == LONG_GAME {
            kinds.push(kind("the same, a spectator", path, "", Some(MOST_OVER_BARE)));
            kinds.push(kind("desk", "/".to_owned(), script.cookie(0), None));
        }
    }
    eprintln!("playing a long game");
    let play = Play::new(&house.tables, LONG_GAME, None, LONG_OPTIONS)?;
    let script = Script::write(&house.tables, &play, 1, LONG).await?;
    let service = house.start_service()?;
    let mut connection = Connection::open(service.address)?;
    for place in 0..script.lines.len() {
        ensure!(connection.say(&script, place)? == 303, "a move of the long game was not taken");
    }
    let far = u32::try_from(script.lines.len())?.saturating_sub(1);
    for step in [NEAR, far] {
        let path = format!("/t/{}/at/{step}", script.table);
        kinds.push(kind(&format!("history, step {step}"), path, script.cookie(0), None));
    }
    Ok(kinds)
}

fn measure(house: &House, service: &Service, bare: &Bare, kind: Kind, settings: &Settings) -> anyhow::Result<Row> {
    let mut connection = Connection::open(service.address)?;
    connection.plain = true;
    let (status, page) = connection.get(&kind.path, &kind.cookie)?;
    ensure!(status == 200, "{} was answered with {status}", kind.path);
    let page = page.to_vec();
    connection.plain = false;
    let compressed = connection.get(&kind.path, &kind.cookie)?.1.len();
    let mut bare_connection = Connection::open(bare.address)?;
    let kept = bare_connection.post("/bare", "", std::str::from_utf8(&page).context("a page is text")?)?.0;
    ensure!(kept == 200, "the bare page was not kept");
    let (mut pages, mut bares) = (Vec::new(), Vec::new());
    for _ in 0..settings.rounds {
        pages.push(looks(house, service.pid(), &mut connection, &kind.path, &kind.cookie, settings.looks)?);
        bares.push(looks(house, bare.pid(), &mut bare_connection, "/bare", "", settings.looks)?);
    }
    Ok(Row { kind, bytes: page.len(), compressed, page: Cost::middle(&pages), bare: Cost::middle(&bares) })
}

/// Looks at a page so often, one look after the other.
fn looks(
    house: &House,
    pid: u32,
    connection: &mut Connection,
    path: &str,
    cookie: &str,
    count: u32,
) -> anyhow::Result<Cost> {
    let (program, postgres) = (processor_time::of_process(pid)?, house.postgres_time()?);
    let mut times = Vec::new();
    for _ in 0..count {
        let asked = Instant::now();
        let status = connection.get(path, cookie)?.0;
        times.push(asked.elapsed());
        ensure!(status == 200, "{path} was answered with {status}");
    }
    times.sort_unstable();
    Ok(Cost {
        program: processor_time::of_process(pid)?.saturating_sub(program) / count,
        postgres: house.postgres_time()?.saturating_sub(postgres) / count,
        p50: quantile(&times, 0.5),
    })
}

struct Report<'a> {
    rows: Vec<Row>,
    settings: &'a Settings,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { rounds, looks } = self.settings;
        writeln!(
            f,
            "{rounds} rounds of {looks} looks, medians; processor time of program and Postgres a page, compressed\n"
        )?;
        writeln!(
            f,
            "{:<26}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}",
            "", "bytes", "gzip", "CPU µs", "program", "Postgres", "p50 µs", "bare µs", "ratio"
        )?;
        for row in &self.rows {
            write!(f, "{:<26}{:>9}{:>9}", row.kind.name, row.bytes, row.compressed)?;
            for time in [row.page.time(), row.page.program, row.page.postgres, row.page.p50, row.bare.time()] {
                write!(f, "{:>9.0}", time.as_secs_f64() * 1e6)?;
            }
            write!(f, "{:>9.2}", row.ratio())?;
            match row.kind.most {
                Some(most) => {
                    writeln!(f, "   at most {most:.1}: {}", if row.ratio() <= most { "met" } else { "MISSED" })?
                }
                None => writeln!(f)?,
            }
        }
        let steps: Vec<&Row> = self.rows.iter().filter(|row| row.kind.name.starts_with("history")).collect();
        if let [near, far] = steps[..] {
            let later = far.page.time().as_secs_f64() / near.page.time().as_secs_f64().max(f64::MIN_POSITIVE);
            let verdict = if later <= MOST_LATER { "met" } else { "MISSED" };
            writeln!(f, "\n{} over {}: {later:.2}, at most {MOST_LATER}: {verdict}", far.kind.name, near.kind.name)?;
        }
        Ok(())
    }
}
