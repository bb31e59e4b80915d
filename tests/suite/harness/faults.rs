//! Things that go wrong with a database: its processes are stopped, or what is sent to it is swallowed.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, UnixStream};
use tokio::sync::watch;

use super::database_port::DatabasePort;

/// Stops a server and all its processes where they stand.
pub fn freeze(postmaster: u32) -> Frozen {
    let frozen = Frozen(std::iter::once(postmaster).chain(children(postmaster)).filter_map(pid).collect());
    frozen.signal(Signal::STOP);
    frozen
}

fn pid(number: u32) -> Option<Pid> {
    i32::try_from(number).ok().and_then(Pid::from_raw)
}

fn children(parent: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{parent}/task")).expect("a process").flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|one| one.parse().ok()).collect::<Vec<u32>>()).collect()
}

/// Processes that stand still. Dropping it lets them go on.
pub struct Frozen(Vec<Pid>);

impl Frozen {
    fn signal(&self, signal: Signal) {
        for process in &self.0 {
            // It may have ended.
            let _ = kill_process(*process, signal);
        }
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        self.signal(Signal::CONT);
    }
}

/// What becomes of what is sent.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Line {
    Carries,
    /// Neither end hears of the other again. Connections that were open stay so for ever.
    Swallows,
}

/// A way to a server over which nothing may come.
pub struct Wire {
    port: DatabasePort,
    line: watch::Sender<Line>,
}

impl Wire {
    pub fn to(socket: PathBuf) -> Wire {
        let line = watch::Sender::new(Line::Carries);
        let carried = line.subscribe();
        Wire { port: DatabasePort::open(|listener| carry_all(listener, Arc::new(socket), carried)), line }
    }

    /// Swallows all that is sent from now on.
    pub fn swallow(&self) {
        let _ = self.line.send(Line::Swallows);
    }

    /// Carries what is sent over connections that are new.
    pub fn mend(&self) {
        let _ = self.line.send(Line::Carries);
    }

    pub fn options(&self) -> PgConnectOptions {
        self.port.options()
    }
}

async fn carry_all(listener: TcpListener, socket: Arc<PathBuf>, line: watch::Receiver<Line>) {
    while let Ok((client, _)) = listener.accept().await {
        let (socket, mut line) = (socket.clone(), line.clone());
        tokio::spawn(async move {
            if *line.borrow_and_update() == Line::Carries
                && let Ok(server) = UnixStream::connect(&*socket).await
            {
                let _ = client.set_nodelay(true);
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                let way = tokio::spawn(carry(from_client, to_server, line.clone()));
                carry(from_server, to_client, line).await;
                way.abort();
            } else {
                // Accepted, and never answered.
                let _client = client;
                std::future::pending::<()>().await;
            }
        });
    }
}

/// Carries one direction until an end closes it; once swallowed, always swallowed.
async fn carry(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, mut line: watch::Receiver<Line>) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        tokio::select! {
            biased;
            _ = line.changed() => std::future::pending::<()>().await,
            read = from.read(&mut bytes) => match read {
                Ok(0) | Err(_) => return,
                Ok(count) => if to.write_all(&bytes[..count]).await.is_err() { return },
            },
        }
    }
}

/// Waits until something is so.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !is_so().await {
        assert!(begun.elapsed() < Duration::from_secs(30), "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
