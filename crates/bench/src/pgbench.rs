//! What a move is compared with: the least that appends an event in the usual five statements, said by pgbench.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};

use super::house::House;
use super::load::quantile;
use super::processor_time;
use wonderpost::db::cluster::{DATABASE, ROLE};

/// One row a client, so that no two clients meet. The columns are those of ours; the keys are plain numbers.
const TABLES: &str = "
    create table bench_table (number integer primary key, status text not null, version bigint not null, moves integer not null,
        awaiting smallint[] not null, standing bigint[] not null, moved_at timestamptz not null) with (fillfactor = 70);
    create table bench_event (table_number integer not null, seq bigint not null, move_no integer not null, seat smallint,
        at timestamptz not null, kind text not null, body json not null, digest bytea not null, primary key (table_number, seq));
    insert into bench_table select number, 'playing', 0, 0, '{1}', '{0,0,0}', now() from generate_series(0, 499) as number;";

const TRANSACTION: &str = "begin;
select version from bench_table where number = :client_id \\gset
insert into bench_event values (:client_id, :version + 1, :version + 1, 1, now(), :kind, :body, :digest);
update bench_table set status = 'playing', version = :version + 1, moves = :version + 1, awaiting = '{1}', standing = '{1,2,3}', \
moved_at = now() where number = :client_id;
commit;
";

/// There are rows for so many clients.
pub const MOST_CLIENTS: usize = 500;

/// One in so many transactions is written down with its time.
const SAMPLING: &str = "--sampling-rate=0.2";

/// An event as most are.
pub struct TypicalEvent {
    pub kind: String,
    pub body: String,
    /// How many events a move has on average.
    pub a_move: f64,
}

impl TypicalEvent {
    /// The event of middle length among those of the moves played so far.
    pub async fn find(house: &House) -> anyhow::Result<TypicalEvent> {
        let (kind, body, a_move) = sqlx::query_as(
            "with moved as (select * from event where move_no > 0)
             select kind, body::text, (select count(*)::float8 / count(distinct (table_id, move_no)) from moved)
             from moved order by length(body::text), seq offset (select count(*) / 2 from moved) limit 1",
        )
        .fetch_one(&mut house.connect(ROLE).await?)
        .await?;
        Ok(TypicalEvent { kind, body, a_move })
    }
}

/// What pgbench did.
pub struct PgbenchRun {
    pub transactions: u64,
    pub per_second: f64,
    pub p50: Duration,
    pub p99: Duration,
    /// The processor time of pgbench itself.
    pub client_time: Duration,
}

/// Makes the tables that pgbench writes to.
pub async fn prepare(house: &House) -> anyhow::Result<()> {
    sqlx::raw_sql(TABLES).execute(&mut house.connect(ROLE).await?).await?;
    fs::write(house.folder.path().join("move.sql"), TRANSACTION)?;
    Ok(())
}

/// Lets so many clients append for so long.
pub fn run(house: &House, event: &TypicalEvent, clients: usize, seconds: u64) -> anyhow::Result<PgbenchRun> {
    let beside = house.cluster.programs().join("pgbench");
    let program = if beside.exists() { beside } else { "pgbench".into() };
    let folder = house.folder.path().join("pgbench");
    fs::create_dir_all(&folder)?;
    let threads = thread::available_parallelism()?.get().min(clients);
    let ourselves = std::process::id();
    let used = processor_time::of_ended_children(ourselves)?;
    let output = Command::new(&program)
        .args(["--no-vacuum", "--protocol=prepared", "--log", SAMPLING, "-U", ROLE])
        .args(["-c", &clients.to_string(), "-j", &threads.to_string(), "-T", &seconds.to_string()])
        .args(["-D", &format!("kind={}", event.kind), "-D", &format!("body={}", event.body)])
        .args(["-D", &format!("digest=\\x{}", "5a".repeat(32))])
        .arg("-h")
        .arg(house.cluster.socket_folder())
        .arg("-f")
        .arg(house.folder.path().join("move.sql"))
        .arg("--log-prefix")
        .arg(folder.join("log"))
        .arg(DATABASE)
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let client_time = processor_time::of_ended_children(ourselves)? - used;
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        bail!("pgbench failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let figure = |label: &str| -> anyhow::Result<&str> {
        let line = said.lines().find_map(|line| line.strip_prefix(label));
        line.and_then(|rest| rest.split_whitespace().next()).with_context(|| format!("pgbench did not say “{label}”"))
    };
    // The third field of a line is the time in microseconds.
    let mut latencies = Vec::new();
    for file in fs::read_dir(&folder)? {
        let text = fs::read_to_string(file?.path())?;
        let micros = text.lines().filter_map(|line| line.split(' ').nth(2)?.parse().ok());
        latencies.extend(micros.map(Duration::from_micros));
    }
    fs::remove_dir_all(&folder)?;
    latencies.sort_unstable();
    Ok(PgbenchRun {
        transactions: figure("number of transactions actually processed:")?.parse()?,
        per_second: figure("tps =")?.parse()?,
        p50: quantile(&latencies, 0.5),
        p99: quantile(&latencies, 0.99),
        client_time,
    })
}
