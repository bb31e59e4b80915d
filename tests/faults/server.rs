//! A database server that is killed, stopped, copied and promoted.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use rustix::process::{Pid, Signal, kill_process};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use wonderpost::db::cluster::{Cluster, ClusterSettings, DATABASE, SUPERUSER};

use crate::wait_until;

/// How long a server may take to do what it is asked.
const PATIENCE: Duration = Duration::from_secs(60);

/// A durable server in a folder.
pub struct Server {
    settings: ClusterSettings,
    /// `None` while it is killed.
    cluster: Option<Cluster>,
}

impl Server {
    pub fn start(folder: &Path, settings: &[(&str, &str)]) -> anyhow::Result<Server> {
        let mut cluster_settings = ClusterSettings::new(folder);
        let own = [("max_connections", "100")].iter().chain(settings);
        cluster_settings.server_settings = own.map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let mut server = Server { settings: cluster_settings, cluster: None };
        server.restart()?;
        Ok(server)
    }

    fn cluster(&self) -> anyhow::Result<&Cluster> {
        self.cluster.as_ref().context("the server is killed")
    }

    /// The socket that it listens on.
    pub fn socket(&self) -> anyhow::Result<PathBuf> {
        Ok(self.cluster()?.socket_folder().join(".s.PGSQL.5432"))
    }

    pub fn url(&self) -> anyhow::Result<String> {
        Ok(self.cluster()?.url())
    }

    pub fn is_running(&self) -> bool {
        self.cluster.as_ref().is_some_and(Cluster::is_running)
    }

    /// Starts it again after it was killed or ended by itself.
    pub fn restart(&mut self) -> anyhow::Result<()> {
        self.cluster = None;
        self.cluster = Some(Cluster::start(&self.settings)?);
        Ok(())
    }

    /// Stops it, and starts it with other settings.
    pub fn restart_with(&mut self, settings: &[(&str, &str)]) -> anyhow::Result<()> {
        // The last one of a name counts.
        let settings = settings.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        self.settings.server_settings.extend(settings);
        self.restart()
    }

    /// kill -9 of the postmaster. Its children notice, and end.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        let postmaster = process(self.cluster()?.pid())?;
        kill_process(postmaster, Signal::KILL)?;
        wait_until("the postmaster is gone", PATIENCE, || !self.is_running())?;
        self.cluster = None;
        Ok(())
    }

    /// The server's processes, the postmaster first.
    fn processes(&self) -> anyhow::Result<Vec<Pid>> {
        let postmaster = self.cluster()?.pid();
        let children = fs::read_to_string(format!("/proc/{postmaster}/task/{postmaster}/children"))?;
        let children = children.split_whitespace().filter_map(|pid| pid.parse().ok());
        std::iter::once(postmaster).chain(children).map(process).collect()
    }

    /// Sends a signal to all of the server's processes.
    pub fn signal_all(&self, signal: Signal) -> anyhow::Result<()> {
        for pid in self.processes()? {
            // One that has just ended needs none.
            let _ = kill_process(pid, signal);
        }
        Ok(())
    }

    /// kill -9 of a process that serves one of the services' connections.
    pub async fn kill_backend(&self) -> anyhow::Result<()> {
        let question =
            "select pid from pg_stat_activity where usename = 'wonderpost' order by state = 'active' desc limit 1";
        let pid: i32 = self.ask(question).await?;
        Ok(kill_process(process(pid.unsigned_abs())?, Signal::KILL)?)
    }

    /// A connection of somebody who may do anything.
    async fn connect(&self) -> anyhow::Result<PgConnection> {
        Ok(PgConnection::connect_with(&self.cluster()?.options(DATABASE).username(SUPERUSER)).await?)
    }

    pub async fn statement(&self, text: &str) -> anyhow::Result<()> {
        let done = sqlx::query(AssertSqlSafe(text)).execute(&mut self.connect().await?).await;
        done.with_context(|| text.to_owned())?;
        Ok(())
    }

    pub async fn ask<T>(&self, question: &str) -> anyhow::Result<T>
    where
        T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres> + Send + Unpin,
    {
        let answer = sqlx::query_scalar(AssertSqlSafe(question)).fetch_one(&mut self.connect().await?).await;
        answer.with_context(|| question.to_owned())
    }

    async fn await_that(&self, question: &str) -> anyhow::Result<()> {
        let begun = Instant::now();
        while !self.ask::<bool>(question).await? {
            ensure!(begun.elapsed() < PATIENCE, "waited in vain: {question}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }

    /// A copy in another folder that follows this server, under this name.
    pub async fn standby(&self, folder: &Path, name: &str) -> anyhow::Result<Server> {
        let cluster = self.cluster()?;
        let home = folder.join("postgres");
        let owner = fs::metadata(cluster.socket_folder())?;
        fs::create_dir(&home)?;
        fs::set_permissions(&home, fs::Permissions::from_mode(0o700))?;
        chown(&home, Some(owner.uid()), Some(owner.gid()))?;
        let mut copy = Command::new(cluster.programs().join("pg_basebackup"));
        let primary = format!("host={} user={SUPERUSER} application_name={name}", cluster.socket_folder().display());
        copy.args(["--no-sync", "--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "-d", &primary])
            .arg("-D")
            .arg(home.join("data"))
            .current_dir(&home)
            .stdin(Stdio::null());
        if rustix::process::geteuid().is_root() {
            copy.uid(owner.uid()).gid(owner.gid());
        }
        let copied = copy.output().context("pg_basebackup")?;
        ensure!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        let mut server = Server { settings: ClusterSettings::new(folder), cluster: None };
        server.settings.server_settings.clone_from(&self.settings.server_settings);
        server.restart()?;
        self.await_that("select exists (select from pg_stat_replication where state = 'streaming')").await?;
        Ok(server)
    }

    /// A standby hears nothing more of its primary, and has replayed what it had heard.
    pub async fn cut_off(&self) -> anyhow::Result<()> {
        self.statement("alter system set primary_conninfo = ''").await?;
        self.statement("select pg_reload_conf()").await?;
        self.await_that("select not exists (select from pg_stat_wal_receiver)").await?;
        self.await_that("select coalesce(pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn(), true)").await
    }

    /// Makes a standby the primary, and waits until it takes changes.
    pub async fn promote(&self) -> anyhow::Result<()> {
        ensure!(self.ask::<bool>("select pg_promote(wait_seconds => 60)").await?, "not promoted");
        Ok(())
    }
}

fn process(pid: u32) -> anyhow::Result<Pid> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    Ok(pid.ok_or_else(|| io::Error::other("no such process"))?)
}
