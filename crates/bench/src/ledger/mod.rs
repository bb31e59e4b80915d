//! Load with a ledger: clients play real games over HTTP, every acknowledged move is written down, and afterwards the ledger
//! is compared with the database.

pub mod audit;
pub mod book;
mod client;
mod page;

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{env, io};

use anyhow::{Context, bail, ensure};
use clap::Args;

use book::Book;
use client::Client;
use wonderpost::app::database::Database;
use wonderpost::app::settings::DatabaseSettings;
use wonderpost::tables::Tables;

/// How load with a ledger is run.
#[derive(Args)]
pub struct Settings {
    /// Where the services, or the proxy in front of them, are: host:port, several with commas in between.
    #[arg(long, value_name = "HOST:PORT", value_delimiter = ',', required = true)]
    at: Vec<String>,
    /// How many players play at a time.
    #[arg(long, default_value_t = 16)]
    clients: usize,
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// How long a player thinks before each move, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pause: u64,
    /// A file for the ledger: one line of JSON a move.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How many acknowledged moves may be missing, as after a failover to a standby that was behind.
    #[arg(long, value_name = "N", default_value_t = 0)]
    may_lose: usize,
    #[command(flatten)]
    database: DatabaseSettings,
}

/// Players that play until they are stopped.
pub struct Load {
    pub book: Arc<Book>,
    over: Arc<AtomicBool>,
    clients: Vec<JoinHandle<io::Result<()>>>,
}

impl Load {
    /// Lets so many players play at these addresses, each thinking so long before a move.
    pub fn start(hosts: &[SocketAddr], clients: usize, pause: Duration, book: Book) -> Load {
        let (book, over, hosts) = (Arc::new(book), Arc::new(AtomicBool::new(false)), Arc::from(hosts));
        let clients = (0..clients)
            .map(|number| {
                let client = Client::new(number, Arc::clone(&hosts), book.clone(), over.clone(), pause);
                thread::spawn(move || client.play())
            })
            .collect();
        Load { book, over, clients }
    }

    /// Waits until so many more moves are acknowledged; false if that takes too long.
    pub fn goes_on(&self, more: usize, patience: Duration) -> bool {
        let (wanted, begun) = (self.book.acknowledged() + more, Instant::now());
        while self.book.acknowledged() < wanted {
            if begun.elapsed() > patience {
                return false;
            }
            thread::sleep(Duration::from_millis(20));
        }
        true
    }

    /// Ends the run when everybody knows what became of their last move.
    pub fn stop(self) -> anyhow::Result<Arc<Book>> {
        self.over.store(true, Relaxed);
        for client in self.clients {
            client
                .join()
                .map_err(|_| anyhow::anyhow!("a client broke off"))?
                .context("the ledger cannot be written")?;
        }
        Ok(self.book)
    }
}

pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let mut hosts = Vec::new();
    for host in &settings.at {
        hosts.extend(host.to_socket_addrs().with_context(|| format!("“{host}” is no address"))?.next());
    }
    ensure!(!hosts.is_empty(), "name the address of a service (--at)");
    if settings.database.database_url.is_none() && env::var_os("WONDERPOST_DATA").is_none() {
        bail!("name the database that the services use (DATABASE_URL): the ledger is compared with it");
    }
    let load = Load::start(
        &hosts,
        settings.clients,
        Duration::from_millis(settings.pause),
        Book::begin(settings.out.as_deref()).context("the ledger cannot be written")?,
    );
    thread::sleep(Duration::from_secs_f64(settings.seconds));
    let book = load.stop()?;
    let answers = book.answers();
    println!(
        "{} players, {:.0} s: {} requests, {} failed, {} without an answer, slowest answer {:.1} s, longest gap {:.1} s",
        settings.clients,
        settings.seconds,
        answers.requests,
        answers.failed,
        answers.unanswered,
        answers.slowest.as_secs_f64(),
        book.longest_gap().as_secs_f64(),
    );
    let audit = tokio::runtime::Runtime::new()?.block_on(async {
        let database = Database::open(&settings.database).await?;
        let tables = Tables::new(database.store.clone(), wonderpost_games::catalogue(), Arc::default());
        let audit = audit::audit(&tables, &book).await;
        database.close().await?;
        audit
    })?;
    print!("{audit}");
    ensure!(audit.acknowledged > 0, "nothing was played");
    let lost = audit.lost.len() > settings.may_lose;
    ensure!(!lost && audit.doubled.is_empty() && audit.unsound.is_empty(), "the ledger and the database differ");
    Ok(())
}
