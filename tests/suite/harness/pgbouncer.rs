//! PgBouncer in front of the cluster of the tests.

use std::env;
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use wonderpost::db::cluster::ROLE;

use super::TestDatabase;
use crate::scratch;

const PATIENCE: Duration = Duration::from_secs(20);

/// When sessions of the server go from one client to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PoolMode {
    /// When the client has gone.
    Session,
    /// After every transaction, without regard to statements that clients have prepared.
    Transaction,
    /// After every transaction, and each client finds its statements wherever it comes (since 1.21).
    TransactionKeepingStatements,
}

/// A pooler. Dropping it ends it.
pub struct PgBouncer {
    child: Child,
    port: u16,
    folder: TempDir,
}

/// Debian keeps it where not everybody looks for programs.
fn program() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from));
    folders.map(|folder| folder.join("pgbouncer")).find(|program| program.exists())
}

/// Its version, as (1, 18).
fn version(program: &Path) -> (u32, u32) {
    let said = Command::new(program).arg("--version").output().expect("a version").stdout;
    let said = String::from_utf8_lossy(&said);
    let mut numbers = said.split(|sign: char| !sign.is_ascii_digit()).filter_map(|number| number.parse().ok());
    (numbers.next().expect("a version"), numbers.next().expect("a version"))
}

impl PgBouncer {
    /// `None` if there is none that can do that. That there is none at all must have been said by who runs the tests.
    pub fn start(mode: PoolMode) -> Option<PgBouncer> {
        let Some(program) = program() else {
            let without = env::var_os("WONDERPOST_WITHOUT_PGBOUNCER").is_some();
            assert!(without, "there is no pgbouncer: ./test installs it; WONDERPOST_WITHOUT_PGBOUNCER=1 does without");
            return None;
        };
        let knows_statements = version(&program) >= (1, 21);
        if mode == PoolMode::TransactionKeepingStatements && !knows_statements {
            return None;
        }
        let (folder, port) = (scratch::folder(), free_port());
        let socket_folder = scratch::cluster().socket_folder();
        let statements = match mode {
            _ if !knows_statements => "",
            PoolMode::TransactionKeepingStatements => "max_prepared_statements = 200",
            PoolMode::Session | PoolMode::Transaction => "max_prepared_statements = 0",
        };
        let pool_mode = if mode == PoolMode::Session { "session" } else { "transaction" };
        let users = folder.path().join("users");
        fs::write(&users, format!("\"{ROLE}\" \"\"\n")).expect("a file");
        let settings = format!(
            "[databases]\n* = host={} port=5432\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = trust\nauth_file = {}\n\
             pool_mode = {pool_mode}\ndefault_pool_size = 50\n{statements}\n",
            socket_folder.display(),
            users.display(),
        );
        let file = folder.path().join("pgbouncer.ini");
        fs::write(&file, settings).expect("a file");
        let log = File::create(folder.path().join("log")).expect("a file");
        let mut command = Command::new(program);
        command.arg(&file).stdin(Stdio::null()).stdout(log.try_clone().expect("a file")).stderr(log);
        if rustix::process::geteuid().is_root() {
            // It refuses root, and only the server's own account gets to the socket.
            let owner = fs::metadata(socket_folder).expect("the folder of the cluster");
            command.uid(owner.uid()).gid(owner.gid());
        }
        let child = command.spawn().expect("pgbouncer");
        let pooler = PgBouncer { child, port, folder };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let said = || fs::read_to_string(pooler.folder.path().join("log")).unwrap_or_default();
            assert!(begun.elapsed() < PATIENCE, "pgbouncer does not start: {}", said());
            thread::sleep(Duration::from_millis(20));
        }
        Some(pooler)
    }

    /// How services reach a database by it.
    pub fn url(&self, database: &TestDatabase) -> String {
        let name = database.options().get_database().expect("a name").to_owned();
        format!("postgres://{ROLE}@127.0.0.1:{}/{name}?sslmode=disable", self.port)
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port()
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
