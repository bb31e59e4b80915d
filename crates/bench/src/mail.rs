//! Letters a second: the outbox worker beside bare lettre over one connection, to the same mail server in this process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use lettre::address::Envelope;
use lettre::transport::smtp::PoolConfig;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use sqlx::PgConnection;

use super::house::House;
use super::sink::Sink;
use wonderpost::app::settings::{PostSettings, ServeSettings};
use wonderpost::db::cluster::SUPERUSER;
use wonderpost::mail as post;
use wonderpost::tables::clock::pace::Pace;
use wonderpost::tables::{PlayerId, TableOptions, Tables};

/// The outbox sends at least so much of what bare lettre does.
const TARGET: f64 = 0.6;

#[derive(Args)]
pub struct Settings {
    /// How many readers, each with a table, get a letter in each round.
    #[arg(long, default_value_t = 400)]
    readers: usize,
    /// How many letters bare lettre sends in each round.
    #[arg(long, default_value_t = 200)]
    bare: usize,
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

pub fn run(settings: &Settings) -> anyhow::Result<()> {
    tokio::runtime::Runtime::new()?.block_on(measure(settings))
}

async fn measure(settings: &Settings) -> anyhow::Result<()> {
    let house = House::open(0).await?;
    let mut connection = house.connect(SUPERUSER).await?;
    seat_readers(&house.tables, &mut connection, settings.readers).await?;
    let sink = Sink::start().await?;
    // As in a service that has just started: in the first round all tables are read and all pictures drawn, later they are at hand.
    // It also brings a letter that is like the others.
    let tables = Arc::new(Tables::new(house.tables.store.clone(), wonderpost_games::catalogue(), Arc::default()));
    let drawing = outbox(&house, &tables, &mut connection, &sink).await?;
    let letter = sink.last();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..settings.rounds {
        theirs.push(bare(&sink, &letter, settings.bare).await?);
        ours.push(outbox(&house, &tables, &mut connection, &sink).await?);
    }
    let (ours, theirs) = (median(&mut ours), median(&mut theirs));
    println!("a letter has {} bytes", letter.len());
    println!("bare lettre, one connection: {theirs:.0} letters a second");
    println!("outbox, all tables to be read and all pictures to be drawn: {drawing:.0} letters a second");
    println!("outbox, tables and pictures at hand: {ours:.0} letters a second");
    let verdict = if ours / theirs >= TARGET { "met" } else { "missed" };
    println!(
        "outbox over bare lettre, tables and pictures at hand: {:.2}, at least {TARGET:.2}: {verdict}",
        ours / theirs
    );
    Ok(())
}

fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}

/// Seats people with an address, each awaited at a table.
async fn seat_readers(tables: &Tables, connection: &mut PgConnection, readers: usize) -> anyhow::Result<()> {
    let game = tables.catalogue.find("red-queen").context("the game is not in the catalogue")?;
    for number in 0..readers {
        let mut people = Vec::new();
        for name in ["Alice", "Hatter"] {
            let player = PlayerId::fresh();
            sqlx::query("insert into player (id, name, name_key, email) values ($1, $2, $2, $3)")
                .bind(player)
                .bind(format!("{name} {number}"))
                .bind(format!("{name}{number}@example.org"))
                .execute(&mut *connection)
                .await?;
            people.push(player);
        }
        let wishes = TableOptions {
            game,
            seats: 2,
            options: serde_json::json!({}),
            pace: Pace::a_move(3 * 86_400),
            private: false,
            by_lot: false,
            preset_answers: false,
            bots: Vec::new(),
        };
        let table = tables.open(&wishes, Some(people[0])).await?;
        for player in people {
            tables.sit(player, table, "treacle").await?;
        }
    }
    sqlx::query("delete from letter").execute(&mut *connection).await?;
    Ok(())
}

/// Letters a second from the outbox to the sink, all noted as sent.
async fn outbox(
    house: &House,
    tables: &Arc<Tables>,
    connection: &mut PgConnection,
    sink: &Sink,
) -> anyhow::Result<f64> {
    sqlx::query("delete from letter").execute(&mut *connection).await?;
    let written = sqlx::query(
        "insert into letter (kind, player_id, table_id, move_no)
         select 'turn', player_id, table_id, moves from game_table join seat on seat.table_id = id and seat.seat = any (awaiting)",
    )
    .execute(&mut *connection)
    .await?;
    let readers = usize::try_from(written.rows_affected())?;
    house.settle().await?;
    let settings = PostSettings {
        smtp: Some(sink.url.clone()),
        mail_from: Some("Wonderpost <post@house.example>".to_owned()),
        hold_seconds: Some(0),
        ..PostSettings::default()
    };
    let (before, started) = (sink.taken(), Instant::now());
    let post = post::start(tables.clone(), &settings, ServeSettings::default().days_off, "https://house.example")?;
    loop {
        tokio::time::sleep(Duration::from_millis(2)).await;
        if sink.taken() - before >= readers {
            let left: i64 = sqlx::query_scalar("select count(*) from letter where kind = 'turn' and sent_at is null")
                .fetch_one(&mut *connection)
                .await?;
            if left == 0 {
                break;
            }
        }
        if started.elapsed() > Duration::from_secs(120) {
            bail!("only {} of {readers} letters came within two minutes", sink.taken() - before);
        }
    }
    let rate = readers as f64 / started.elapsed().as_secs_f64();
    post.stop().await;
    Ok(rate)
}

/// Letters a second that lettre sends by itself, one after the other.
async fn bare(sink: &Sink, letter: &[u8], count: usize) -> anyhow::Result<f64> {
    let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&sink.url)?
        .pool_config(PoolConfig::new().max_size(1))
        .build::<Tokio1Executor>();
    let envelope = Envelope::new(Some("post@house.example".parse()?), vec!["alice@example.org".parse()?])?;
    transport.send_raw(&envelope, letter).await?;
    let started = Instant::now();
    for _ in 0..count {
        transport.send_raw(&envelope, letter).await?;
    }
    Ok(count as f64 / started.elapsed().as_secs_f64())
}
