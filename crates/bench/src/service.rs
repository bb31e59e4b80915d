//! The service that is measured: a process of its own, as people run it.

use std::env;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process};

/// What the service says when it answers, before its address.
const READY: &str = "Wonderpost is ready: http://";

pub struct Service {
    child: Child,
    pub address: SocketAddr,
}

impl Service {
    /// Starts the service on a running database and returns when it says that it is ready. Its log goes to a file.
    pub fn start(database_url: &str, log: &Path) -> anyhow::Result<Service> {
        let program = env::current_exe().context("cannot find the program itself")?.with_file_name("wonderpost");
        let log = File::options().create(true).append(true).open(log)?;
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .env("DATABASE_URL", database_url)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .context("cannot start the service")?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let mut service = Service { child, address: SocketAddr::from(([127, 0, 0, 1], 0)) };
        service.address = line
            .trim()
            .strip_prefix(READY)
            .and_then(|address| address.parse().ok())
            .with_context(|| format!("the service did not get ready; it said “{}”", line.trim()))?;
        Ok(service)
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::TERM);
        }
        let _ = self.child.wait();
    }
}
