//! Database servers that follow one another: a primary, standbys made from it with `pg_basebackup`, and an address that can be led from one
//! to the other.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;
use tokio::net::{TcpListener, UnixStream};
use tokio::sync::broadcast;
use wonderpost::db::Store;
use wonderpost::db::cluster::{Cluster, ClusterSettings, DATABASE, SUPERUSER};

use super::database_port::DatabasePort;
use crate::scratch;

/// How long a server may take to do what it is asked.
const PATIENCE: Duration = Duration::from_secs(60);

/// A database server in a folder of its own. Dropping it stops it.
pub struct DatabaseServer {
    cluster: Cluster,
    _folder: TempDir,
    settings: Vec<(String, String)>,
}

impl DatabaseServer {
    /// A new server with the schema of the house in its database.
    pub async fn start(settings: &[(&str, &str)]) -> DatabaseServer {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let server = DatabaseServer::start_in(scratch::folder(), settings).await;
        let store = Store::new(server.options(), 2);
        store.migrate().await.expect("the schema");
        store.close().await;
        server
    }

    async fn start_in(folder: TempDir, settings: Vec<(String, String)>) -> DatabaseServer {
        let cluster_settings = ClusterSettings {
            durable: false,
            server_settings: settings.clone(),
            ..ClusterSettings::new(folder.path())
        };
        let starting = tokio::task::spawn_blocking(move || Cluster::start(&cluster_settings));
        let cluster = starting.await.expect("it").unwrap_or_else(|error| panic!("{error}"));
        DatabaseServer { cluster, _folder: folder, settings }
    }

    /// A copy of this server that follows it. It can be read from, and promoted.
    pub async fn standby(&self) -> DatabaseServer {
        let folder = scratch::folder();
        let home = folder.path().join("postgres");
        let owner = fs::metadata(self.cluster.socket_folder()).expect("the folder of the primary");
        fs::create_dir(&home).expect("a folder");
        fs::set_permissions(&home, fs::Permissions::from_mode(0o700)).expect("a closed folder");
        chown(&home, Some(owner.uid()), Some(owner.gid())).expect("the server's folder");
        let mut copy = Command::new(self.cluster.programs().join("pg_basebackup"));
        copy.args(["--no-sync", "--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "-U", SUPERUSER])
            .arg("-h")
            .arg(self.cluster.socket_folder())
            .arg("-D")
            .arg(home.join("data"))
            .current_dir(&home)
            .stdin(Stdio::null());
        if rustix::process::geteuid().is_root() {
            copy.uid(owner.uid()).gid(owner.gid());
        }
        let copied = tokio::task::spawn_blocking(move || copy.output()).await.expect("it").expect("pg_basebackup");
        assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        DatabaseServer::start_in(folder, self.settings.clone()).await
    }

    /// The process of the postmaster.
    pub fn pid(&self) -> u32 {
        self.cluster.pid()
    }

    pub fn options(&self) -> PgConnectOptions {
        self.cluster.options(DATABASE)
    }

    /// The socket that the server listens on.
    pub fn socket(&self) -> PathBuf {
        self.socket_folder().join(".s.PGSQL.5432")
    }

    pub fn socket_folder(&self) -> &Path {
        self.cluster.socket_folder()
    }

    /// A connection of somebody who may do anything.
    pub async fn superuser(&self) -> PgConnection {
        PgConnection::connect_with(&self.options().username(SUPERUSER)).await.expect("a connection")
    }

    pub async fn statement(&self, text: &str) {
        let done = sqlx::query(AssertSqlSafe(text)).execute(&mut self.superuser().await).await;
        done.unwrap_or_else(|error| panic!("{text}: {error}"));
    }

    async fn ask<T>(&self, question: &str) -> T
    where
        T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres> + Send + Unpin,
    {
        let answer = sqlx::query_scalar(AssertSqlSafe(question)).fetch_one(&mut self.superuser().await).await;
        answer.unwrap_or_else(|error| panic!("{question}: {error}"))
    }

    /// Waits until this question is answered with yes.
    pub async fn await_that(&self, question: &str) {
        let begun = Instant::now();
        while !self.ask::<bool>(question).await {
            assert!(begun.elapsed() < PATIENCE, "waited in vain: {question}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits until a standby has caught up with what this primary has written so far.
    pub async fn await_standby(&self, standby: &DatabaseServer) {
        let written: String = self.ask("select pg_current_wal_flush_lsn()::text").await;
        standby.await_that(&format!("select pg_last_wal_replay_lsn() >= '{written}'")).await;
    }

    /// A standby hears nothing more of its primary, and has replayed what it had heard.
    pub async fn cut_off(&self) {
        for text in ["alter system set primary_conninfo = ''", "select pg_reload_conf()"] {
            self.statement(text).await;
        }
        self.await_that("select not exists (select from pg_stat_wal_receiver)").await;
        self.await_that("select coalesce(pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn(), true)").await;
    }

    /// Makes a standby the primary, and waits until it takes changes.
    pub async fn promote(&self) {
        assert!(self.ask::<bool>("select pg_promote(wait_seconds => 60)").await, "promoted");
    }

    /// Ends the server at once, as if it had crashed.
    pub async fn crash(self) {
        let pid = i32::try_from(self.cluster.pid()).ok().and_then(Pid::from_raw).expect("a process");
        kill_process(pid, Signal::QUIT).expect("it runs");
        self.cluster.ended().await;
    }
}

/// An address that leads to one server at a time.
pub struct Forwarder {
    port: DatabasePort,
    target: Arc<Mutex<PathBuf>>,
    /// Ends the connections that are open.
    switched: broadcast::Sender<()>,
}

impl Forwarder {
    /// Leads to the socket of a server.
    pub fn start(socket: PathBuf) -> Forwarder {
        let (target, switched) = (Arc::new(Mutex::new(socket)), broadcast::channel(1).0);
        let (current, switches) = (target.clone(), switched.clone());
        Forwarder { port: DatabasePort::open(|listener| forward(listener, current, switches)), target, switched }
    }

    /// Leads to another server from now on; connections to the one before break.
    pub fn lead_to(&self, socket: PathBuf) {
        *self.target.lock().expect("a target") = socket;
        let _ = self.switched.send(());
    }

    pub fn options(&self) -> PgConnectOptions {
        self.port.options()
    }
}

async fn forward(listener: TcpListener, target: Arc<Mutex<PathBuf>>, switched: broadcast::Sender<()>) {
    while let Ok((mut client, _)) = listener.accept().await {
        let mut switch = switched.subscribe();
        let socket = target.lock().expect("a target").clone();
        tokio::spawn(async move {
            let carry = async {
                let mut server = UnixStream::connect(socket).await?;
                client.set_nodelay(true)?;
                tokio::io::copy_bidirectional(&mut client, &mut server).await.map(|_| ())
            };
            tokio::select! {
                _ = switch.recv() => {}
                carried = carry => drop::<io::Result<()>>(carried),
            }
        });
    }
}
