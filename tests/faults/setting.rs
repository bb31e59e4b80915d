//! What runs have in common: a folder, a database with services on it, players, and the comparison at the end.

use std::env;
use std::fs::Permissions;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use wonderpost::db::{Address, Store};
use wonderpost::tables::Tables;
use wonderpost_bench::ledger::Load;
use wonderpost_bench::ledger::audit::{Audit, audit};
use wonderpost_bench::ledger::book::Book;

use crate::forwarder::Forwarder;
use crate::report::Row;
use crate::server::Server;
use crate::service::Service;

/// How long players may need to get going, at first or again.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Settings of all runs.
pub struct Setting {
    /// How many players play at a time (`WONDERPOST_FAULTS_PLAYERS`).
    pub players: usize,
    /// How long the soak lasts (`WONDERPOST_FAULTS_SOAK`, in seconds).
    pub soak: Duration,
    pub runtime: Runtime,
}

impl Setting {
    pub fn from_environment() -> Setting {
        let number = |name, default| env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
        Setting {
            players: usize::try_from(number("WONDERPOST_FAULTS_PLAYERS", 16)).unwrap_or(16),
            soak: Duration::from_secs(number("WONDERPOST_FAULTS_SOAK", 120)),
            runtime: Runtime::new().expect("threads"),
        }
    }

    /// A database with so many services, reached by a way that can be cut.
    pub fn house(&self, services: usize, server_settings: &[(&str, &str)]) -> anyhow::Result<House> {
        let folder = folder()?;
        let home = subfolder(folder.path(), "primary")?;
        let server = Server::start(&home, server_settings)?;
        self.house_on(folder, server, services)
    }

    pub fn house_on(&self, folder: TempDir, server: Server, services: usize) -> anyhow::Result<House> {
        let way = Forwarder::start(server.socket()?)?;
        let mut house = House { services: Vec::new(), server, way, folder };
        for _ in 0..services {
            house.services.push(Service::start(&house.way.url(), house.folder.path(), &[])?);
        }
        Ok(house)
    }

    /// Lets the players play at these addresses, and returns when they are in the middle of it.
    pub fn play_at(&self, addresses: &[SocketAddr]) -> anyhow::Result<Load> {
        let load = Load::start(addresses, self.players, Duration::ZERO, Book::begin(None)?);
        ensure!(load.goes_on(4 * self.players, PATIENCE), "the players do not get going");
        Ok(load)
    }

    pub fn play(&self, house: &House) -> anyhow::Result<Load> {
        self.play_at(&house.addresses())
    }

    /// The players play on for a while, then the ledger is compared with the database.
    pub fn conclude(&self, fault: &str, house: &House, load: Load) -> anyhow::Result<Row> {
        let goes_on = load.goes_on(8 * self.players, PATIENCE);
        let book = load.stop()?;
        let audit = self.audit(&house.server, &book)?;
        let mut row = Row::new(fault, self.load(house), &book, &audit);
        row.expect(goes_on, || "play does not go on afterwards".into());
        Ok(row)
    }

    /// The load in words.
    pub fn load(&self, house: &House) -> String {
        let services = house.services.len();
        format!("{} players, {services} service{}", self.players, if services == 1 { "" } else { "s" })
    }

    pub fn audit(&self, server: &Server, book: &Book) -> anyhow::Result<Audit> {
        let url = server.url()?;
        self.runtime.block_on(async {
            let store = Store::new(url.parse::<Address>().context("an address")?, 4);
            let tables = Tables::new(store, wonderpost_games::catalogue(), Arc::default());
            let found = audit(&tables, book).await;
            tables.store.close().await;
            found
        })
    }
}

/// A database, a way to it, and services that take it.
pub struct House {
    // In the order in which they are to end.
    pub services: Vec<Service>,
    pub way: Forwarder,
    pub server: Server,
    pub folder: TempDir,
}

impl House {
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.services.iter().map(|service| service.address).collect()
    }
}

/// An empty folder, in memory if there is any to spare, that a server's account can get to.
pub fn folder() -> anyhow::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("wonderpost-faults-").permissions(Permissions::from_mode(0o711));
    let memory = Path::new("/dev/shm");
    Ok(if has_room(memory) { builder.tempdir_in(memory)? } else { builder.tempdir()? })
}

fn has_room(folder: &Path) -> bool {
    const NEEDED: u64 = 2 << 30;
    rustix::fs::statvfs(folder).is_ok_and(|found| found.f_bavail * found.f_frsize >= NEEDED)
}

/// A folder within another that a server's account can get to.
pub fn subfolder(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let path = folder.join(name);
    std::fs::create_dir(&path)?;
    std::fs::set_permissions(&path, Permissions::from_mode(0o711))?;
    Ok(path)
}
