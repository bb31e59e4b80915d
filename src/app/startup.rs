//! Running the service: from the database to the last answer.

use std::future::pending;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crate::app::database::Database;
use crate::app::metrics::Metrics;
use crate::app::settings::{DatabaseSettings, ServeSettings};
use crate::http::{Application, Phase};
use crate::mail as post;
use crate::tables::Tables;
use anyhow::Context;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How long requests under way may take when the database has ended under them.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// Runs the service until it is asked to stop.
pub async fn run_service(database: &DatabaseSettings, serve: &ServeSettings) -> anyhow::Result<ExitCode> {
    raise_file_limit();
    let database = Database::open(database).await?;
    let tables = Tables::new(database.store.clone(), wonderpost_games::catalogue(), Arc::new(Metrics::default()));
    let tables = Arc::new(tables.reading_from(database.standby.clone()));
    let service =
        Application::build(serve, tables.clone()).with_context(|| format!("cannot listen on {}", serve.listen))?;
    tables.live.connect(database.store.clone());
    let (place, has_mailbox) = (service.base.clone(), service.has_mailbox);
    let post = post::start(tables.clone(), &serve.post, serve.days_off, &place)?;
    let seats = tokio::spawn(tables.clone().follow_seats());
    let figures = tokio::spawn(tables.clone().keep_figures());
    let duties = tokio::spawn(tables.clone().run_scheduler());
    let analyst = tokio::spawn(tables.clone().run_analyst());
    let results = tokio::spawn(tables.clone().keep_results());
    let shutdown = service.shutdown.clone();
    let mut signals = Signals::listen()?;
    let running = service.start();
    announce(&format!("Wonderpost is ready: {place}"));
    if let Some(sentence) = post::mailbox_sentence(&serve.post, &place, has_mailbox) {
        announce(&sentence);
    }
    announce("Press Ctrl-C to stop.");
    tokio::select! {
        asked = signals.next() => {
            announce("Stopping: requests under way are finished first.");
            shutdown.advance(Phase::Draining);
            signals.wait_for_grace(asked, serve.grace()).await;
        }
        words = database_ended(&database) => {
            tracing::error!("{words}");
            // Requests that wait for the database wait in vain.
            shutdown.advance(Phase::Closing);
            let _ = tokio::time::timeout(LAST_ANSWERS, running.stop()).await;
            return Ok(ExitCode::FAILURE);
        }
    };
    shutdown.advance(Phase::Closing);
    duties.abort();
    analyst.abort();
    results.abort();
    figures.abort();
    seats.abort();
    let (_, stopped) = tokio::join!(post.stop(), running.stop());
    stopped?;
    tables.live.flush().await;
    database.close().await?;
    Ok(ExitCode::SUCCESS)
}

/// Systems give programs few open files at first, and more for the asking. Each connection needs some.
fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::warn!(%error, "no more files may be open");
    }
}

/// What to say when the program's own database ends while the service runs.
async fn database_ended(database: &Database) -> String {
    match &database.cluster {
        Some(cluster) => cluster.ended().await,
        None => pending().await,
    }
}

/// Who asks to stop.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Somebody at the keyboard, who waits.
    Interrupt,
    /// A supervisor.
    Terminate,
}

/// Being asked to stop, by a signal.
pub struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    pub fn listen() -> std::io::Result<Signals> {
        Ok(Signals { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    pub async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.interrupt.recv() => Asked::Interrupt,
            _ = self.terminate.recv() => Asked::Terminate,
        }
    }

    /// Load balancers need a moment to see that nothing is to be sent here. Somebody who asks at the keyboard, or asks again, is not
    /// kept waiting.
    async fn wait_for_grace(&mut self, asked: Asked, grace: Duration) {
        if asked == Asked::Terminate {
            let _ = tokio::time::timeout(grace, self.next()).await;
        }
    }
}

/// Tells whoever started the service; that they no longer listen is no reason to stop.
fn announce(sentence: &str) {
    let _ = writeln!(std::io::stdout(), "{sentence}");
}
