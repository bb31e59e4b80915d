//! How long it takes to find the tables that are due among very many.

use std::time::Instant;

use anyhow::ensure;
use clap::Args;

use super::house::House;
use wonderpost::db::cluster::SUPERUSER;

/// A sweep takes at most so many milliseconds.
const TARGET: f64 = 20.0;

/// How many sweeps are measured.
const ROUNDS: usize = 9;

#[derive(Args)]
pub struct Settings {
    /// How many tables are being played.
    #[arg(long, default_value_t = 1_000_000)]
    tables: i64,
    /// How many of them are due.
    #[arg(long, default_value_t = 100)]
    due: i64,
}

pub fn run(settings: &Settings) -> anyhow::Result<()> {
    tokio::runtime::Runtime::new()?.block_on(measure(settings))
}

async fn measure(settings: &Settings) -> anyhow::Result<()> {
    let house = House::open(0).await?;
    let mut connection = house.connect(SUPERUSER).await?;
    sqlx::query(
        "insert into game_table (id, game, status, version, moves, awaiting, standing, opened_at, moved_at, seats, deadlines, due)
         select gen_random_uuid(), 'red-queen', 'playing', 1, 0, '{1}', '{}', now(), now(), 2, array[at], at
         from (select now() + interval '1 hour' + random() * interval '14 days' as at from generate_series(1, $1)) as later",
    )
    .bind(settings.tables)
    .execute(&mut connection)
    .await?;
    sqlx::query("vacuum analyze game_table").execute(&mut connection).await?;
    house.settle().await?;
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        sqlx::query(
            "update game_table set due = now() - interval '1 minute'
             where id in (select id from game_table tablesample system (1) limit $1)",
        )
        .bind(settings.due)
        .execute(&mut connection)
        .await?;
        let due: i64 =
            sqlx::query_scalar("select count(*) from game_table where due <= now()").fetch_one(&mut connection).await?;
        let started = Instant::now();
        let found = house.tables.store.claim_due_tables(due).await?;
        times.push(started.elapsed().as_secs_f64() * 1000.0);
        ensure!(found.len() as i64 == due, "{} of {due} tables were found", found.len());
    }
    times.sort_by(f64::total_cmp);
    let (median, worst) = (times[ROUNDS / 2], times[ROUNDS - 1]);
    let verdict = if median <= TARGET { "met" } else { "missed" };
    println!(
        "{} due of {} tables found and claimed in {median:.1} ms (worst {worst:.1}), at most {TARGET:.0}: {verdict}",
        settings.due, settings.tables
    );
    Ok(())
}
