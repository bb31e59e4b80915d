//! A Postgres of our own: a private cluster in the data folder, run as a child of the program.
//!
//! Nobody else gets in: there is no TCP port, and the socket lies in a folder that only the server's account (and root) may enter.
//! The data folder holds
//!
//! ```text
//! postgres.lock      held by the program that runs the cluster
//! postgres.log       what the server had to say since it was started
//! postgres/          belongs to the server's account, mode 0700; the socket lies here
//! postgres/data/     the cluster; made under the name data.new, so that it is never half made
//! ```

mod account;
mod places;
mod programs;
mod server;

use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sqlx::postgres::{PgConnectOptions, PgSslMode};

use crate::percent::percent_encoded;
use account::Account;
use places::Places;
use programs::Programs;
use server::Server;

/// The database that the cluster is made with, and the role that owns it and may create others.
pub const DATABASE: &str = "wonderpost";
pub const ROLE: &str = "wonderpost";
/// The role that may do anything.
pub const SUPERUSER: &str = "postgres";

const PORT: u16 = 5432;

/// Where and how the cluster runs.
#[derive(Clone, Debug)]
pub struct ClusterSettings {
    /// The data folder. It is made if it does not exist.
    pub data_folder: PathBuf,
    /// The folder of `initdb` and `postgres`. Where there is none they are looked for.
    pub programs: Option<PathBuf>,
    /// Whether what is committed must survive a crash of the machine. Only tests can do without.
    pub durable: bool,
    /// More settings of the server; they win over ours.
    pub server_settings: Vec<(String, String)>,
}

impl ClusterSettings {
    /// A durable cluster; its programs are those that `WONDERPOST_POSTGRES` names, if it does.
    pub fn new(data_folder: impl Into<PathBuf>) -> ClusterSettings {
        let programs = env::var_os("WONDERPOST_POSTGRES").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        ClusterSettings { data_folder: data_folder.into(), programs, durable: true, server_settings: Vec::new() }
    }
}

/// Why there is no database.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    #[error(
        "The server programs of Postgres (initdb and postgres) are not on this machine. Install them (Debian: \
         apt install postgresql; Fedora: dnf install postgresql-server; macOS: brew install postgresql), name their folder in \
         WONDERPOST_POSTGRES, or name a database that runs already in DATABASE_URL."
    )]
    NoPrograms,
    #[error("There are no working server programs of Postgres (initdb and postgres) in {}.", folder.display())]
    NotPrograms { folder: PathBuf },
    #[error(
        "The database in {} was made by Postgres {major}, which is not installed here (found: {found}). Install the server \
         programs of Postgres {major}, or name their folder in WONDERPOST_POSTGRES.", cluster.display()
    )]
    OtherVersion { cluster: PathBuf, major: u32, found: String },
    #[error("Postgres does not run as root, and there is neither an account “postgres” nor “nobody” to run it as.")]
    NoAccount,
    #[error(
        "Postgres does not run as root but as “{account}”, and that account cannot get to {}: {} is closed to it. \
         Choose another folder, or open this one with: chmod o+x '{}'", path.display(), blocked.display(), blocked.display()
    )]
    Unreachable { account: String, path: PathBuf, blocked: PathBuf },
    #[error("{} belongs to the account “{owner}”. Run as that account, or choose another data folder.", folder.display())]
    NotOurs { folder: PathBuf, owner: String },
    #[error("Another program is running the database in {}. Stop it, or choose another data folder.", folder.display())]
    InUse { folder: PathBuf },
    #[error("Cannot {doing} {}: {error}", path.display())]
    Io { doing: &'static str, path: PathBuf, error: io::Error },
    #[error("{what}. The last it said:\n{said}")]
    Failed { what: String, said: String },
    #[error("The database server (process {pid}) does not stop.")]
    DoesNotStop { pid: u32 },
}

/// A running cluster. Dropping it stops it.
#[derive(Debug)]
pub struct Cluster {
    server: Server,
    places: Places,
    programs: Programs,
    socket_folder: PathBuf,
    /// Held as long as the cluster may run.
    lock: File,
}

impl Cluster {
    /// Starts the cluster, made first if need be, and returns when it takes connections. Blocks for some tens of milliseconds,
    /// the first time for about half a second. May be called from any thread.
    pub fn start(settings: &ClusterSettings) -> Result<Cluster, ClusterError> {
        let (places, lock) = Places::open(&settings.data_folder)?;
        let programs =
            Programs::find(settings.programs.as_deref(), programs::cluster_version(&places.data), &places.data)?;
        if let Some(account) = &places.account {
            account.check_way_to(&programs.folder)?;
        }
        if !places.data.join("PG_VERSION").exists() {
            places.make_cluster(&programs, settings.durable)?;
        }
        server::clear_left_over(&places.data).map_err(failed_to("clear away", &places.data.join("postmaster.pid")))?;
        let socket_folder = places.socket_folder()?;
        let server = places.start_server(&programs, settings, &socket_folder)?;
        Ok(Cluster { server, places, programs, socket_folder, lock })
    }

    /// How programs connect to the database `wonderpost`: sqlx, psql and pgbench all understand it.
    pub fn url(&self) -> String {
        self.url_of(DATABASE)
    }

    /// How programs connect to another database of the cluster.
    pub fn url_of(&self, database: &str) -> String {
        self.address().url_of(database)
    }

    /// How we connect to a database of the cluster.
    pub fn options(&self, database: &str) -> PgConnectOptions {
        self.address().options(database)
    }

    fn address(&self) -> Address {
        Address { socket_folder: self.socket_folder.clone() }
    }

    /// What `psql -h` and `pgbench -h` want to know.
    pub fn socket_folder(&self) -> &Path {
        &self.socket_folder
    }

    /// The folder of the server programs; `pgbench` often lies there too.
    pub fn programs(&self) -> &Path {
        &self.programs.folder
    }

    /// The process id of the postmaster, whose children are all the server's processes.
    pub fn pid(&self) -> u32 {
        self.server.pid.as_raw_nonzero().get().unsigned_abs()
    }

    pub fn is_running(&self) -> bool {
        !self.server.has_ended()
    }

    /// Waits until the server has ended, which it does not do by itself, and says how. Does not borrow the cluster.
    pub fn ended(&self) -> impl Future<Output = String> + Send + use<> {
        let mut ending = self.server.ending.clone();
        let log = self.places.log.clone();
        async move {
            let how = match ending.wait_for(Option::is_some).await {
                Ok(how) => how.clone().unwrap_or_default(),
                Err(_) => "nobody waited for it".into(),
            };
            format!("The database server ended ({how}). The last it said:\n{}", last_lines(&log))
        }
    }

    /// Stops the cluster, breaking connections that are still open, and waits for it: some 20 milliseconds.
    pub fn stop(self) -> Result<(), ClusterError> {
        self.shut_down()
    }

    fn shut_down(&self) -> Result<(), ClusterError> {
        if !self.server.stop() {
            return Err(ClusterError::DoesNotStop { pid: self.pid() });
        }
        if self.socket_folder != self.places.home {
            // Only a short folder of our own making, and empty by now.
            let _ = fs::remove_dir(&self.socket_folder);
        }
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Err(error) = self.shut_down() {
            tracing::error!("{error}");
        }
        // Closing the file would not do if another thread is just starting a program, which has it open for a moment.
        let _ = self.lock.unlock();
    }
}

/// Where a running cluster takes connections.
#[derive(Clone, Debug)]
pub struct Address {
    socket_folder: PathBuf,
}

impl Address {
    pub fn url_of(&self, database: &str) -> String {
        let folder = percent_encoded(self.socket_folder.as_os_str().as_bytes());
        format!("postgres://{ROLE}@{folder}:{PORT}/{}?sslmode=disable", percent_encoded(database.as_bytes()))
    }

    pub fn options(&self, database: &str) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass()
            .socket(&self.socket_folder)
            .port(PORT)
            .username(ROLE)
            .database(database)
            .ssl_mode(PgSslMode::Disable)
    }
}

/// The address of the cluster in a data folder that another process of ours is running.
pub fn running_server(data_folder: &Path) -> Option<Address> {
    let text = fs::read_to_string(data_folder.join("postgres/data/postmaster.pid")).ok()?;
    // The fifth line names the first folder of sockets.
    let socket_folder = PathBuf::from(text.lines().nth(4)?);
    socket_folder.is_dir().then_some(Address { socket_folder })
}

/// Whether a cluster could be kept in a data folder: as root, whether the server's account can get there.
pub fn check_data_folder(data_folder: &Path) -> Result<(), ClusterError> {
    let path = std::path::absolute(data_folder).map_err(failed_to("find", data_folder))?;
    match Account::choose(&path.join("postgres"))? {
        Some(account) => account.check_way_to(&path),
        None => Ok(()),
    }
}

fn last_lines(log: &Path) -> String {
    const LINES: usize = 12;
    const BYTES: u64 = 4096;
    let read = || -> io::Result<String> {
        let mut file = File::open(log)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(BYTES)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = read().unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

fn failed_to(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ClusterError {
    let path = path.to_path_buf();
    move |error| ClusterError::Io { doing, path, error }
}
