//! Services as processes of their own, on ports that they keep.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::wait_until;

const PATIENCE: Duration = Duration::from_secs(60);

/// `wonderpost serve`. Dropping it kills it.
pub struct Service {
    pub address: SocketAddr,
    database_url: String,
    more: Vec<String>,
    log: PathBuf,
    child: Option<Child>,
}

/// A port that is free now.
pub fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind("127.0.0.1:0")?.local_addr()
}

impl Service {
    /// Starts a service on a port of its own; its log goes to a file in the folder.
    pub fn start(database_url: &str, folder: &Path, more: &[&str]) -> anyhow::Result<Service> {
        let address = free_address()?;
        let log = folder.join(format!("service-{}.log", address.port()));
        let more = more.iter().map(|word| (*word).to_owned()).collect();
        let mut service = Service { address, database_url: database_url.to_owned(), more, log, child: None };
        service.start_again()?;
        Ok(service)
    }

    /// Starts it on the same port, and waits until it says that it is ready.
    pub fn start_again(&mut self) -> anyhow::Result<()> {
        let log = File::options().create(true).append(true).open(&self.log)?;
        let mut child = Command::new(env!("CARGO_BIN_EXE_wonderpost"))
            .args(["serve", "--listen", &self.address.to_string()])
            .args(&self.more)
            .env("DATABASE_URL", &self.database_url)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .context("cannot start the service")?;
        let stdout = child.stdout.take().context("no output")?;
        let (said, hear) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = said.send(line);
            }
        });
        self.child = Some(child);
        let line = hear.recv_timeout(PATIENCE).unwrap_or_default();
        ensure!(
            line.starts_with("Wonderpost is ready"),
            "the service does not start: {line} (see {})",
            self.log.display()
        );
        Ok(())
    }

    /// kill -9.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Asks it to stop, as a supervisor does, and says how long that took.
    pub fn stop(&mut self) -> anyhow::Result<Duration> {
        let mut child = self.child.take().context("it does not run")?;
        let begun = Instant::now();
        kill_process(Pid::from_child(&child), Signal::TERM)?;
        let mut status = None;
        let ended = wait_until("it has stopped", PATIENCE, || {
            status = child.try_wait().ok().flatten();
            status.is_some()
        });
        if ended.is_err() {
            let _ = child.kill();
        }
        ended?;
        ensure!(status.is_some_and(|status| status.success()), "it ended with {status:?}");
        Ok(begun.elapsed())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
    }
}
