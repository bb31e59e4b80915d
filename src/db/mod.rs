//! Postgres: one function a question, named after what it answers.

pub mod cluster;
pub mod column_types;
mod connecting;
pub mod devices;
pub mod heartbeat;
pub mod host;
pub mod idempotency;
pub mod keys;
pub mod mail;
pub mod notices;
pub mod notifications;
pub mod players;
mod pool;
pub mod standby;
pub mod statement_count;
pub mod tables;
pub mod time_budget;
pub mod webhooks;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use sqlx::Connection as _;

use crate::app::clock::Clock;
use crate::db::tables::looks::Looks;
use crate::db::tables::moves::MoveBatcher;
pub use connecting::ConnectError;
use heartbeat::Heartbeat;
pub use pool::{Address, AddressError};
use pool::{Connection, Opener, Pool, Profile, READ_ONLY};

/// The code for having waited too long for a row that somebody else holds.
const LOCKED: &str = "55P03";

/// The code for a disk without room.
const DISK_FULL: &str = "53100";

/// The codes for a session that no longer knows a statement, and for one that knows it as it was before the schema changed.
const FORGOTTEN: &str = "26000";
const CHANGED: &str = "0A000";

/// The database could not answer.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", describe(.0))]
pub struct StoreError(Arc<sqlx::Error>);

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        StoreError(Arc::new(error))
    }
}

/// A database error's full text ends in a server source line; its message alone is for people.
fn describe(error: &sqlx::Error) -> String {
    match error.as_database_error() {
        Some(error) => format!("the database says: {}", error.message()),
        None => format!("the database does not answer: {error}"),
    }
}

impl StoreError {
    /// Whether trying again may help: the connection broke, the server is restarting, full, read-only or closed for a while, it took too
    /// long, or two transactions got in each other's way.
    /// Whether what was tried has been done is then unknown.
    pub fn is_transient(&self) -> bool {
        match &*self.0 {
            sqlx::Error::Io(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::Protocol(_)
            | sqlx::Error::WorkerCrashed => true,
            sqlx::Error::Database(error) => error.code().is_some_and(|code| {
                ["08", "53", "57P", "58"].iter().any(|class| code.starts_with(class))
                    || matches!(
                        &*code,
                        "40001" | "40P01" | "55000" | "57014" | LOCKED | READ_ONLY | FORGOTTEN | CHANGED
                    )
            }),
            _ => false,
        }
    }

    /// Whether asking again at once is worth it: not after having waited in vain.
    fn is_short(&self) -> bool {
        let in_vain = match &*self.0 {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => true,
            sqlx::Error::Io(error) => error.kind() == io::ErrorKind::TimedOut,
            _ => false,
        };
        self.is_transient() && !in_vain
    }

    /// Whether the database refused this one statement and is well otherwise.
    fn is_of_statement(&self) -> bool {
        let refused = self.0.as_database_error();
        refused.is_some_and(|error| !self.is_transient() || error.code().is_some_and(|code| code == LOCKED))
    }

    /// Whether the database answers but cannot write: it is read-only, or its disk is full.
    pub fn is_of_writing(&self) -> bool {
        let code = self.0.as_database_error().and_then(|error| error.code());
        code.is_some_and(|code| matches!(&*code, READ_ONLY | DISK_FULL))
    }

    /// Whether a rule of uniqueness forbade it: somebody was quicker.
    pub fn is_duplicate(&self) -> bool {
        self.0.as_database_error().is_some_and(|error| error.is_unique_violation())
    }
}

/// The most that changing the schema may take.
const LONGEST_MIGRATION: Duration = Duration::from_secs(3600);

pub type Result<T> = std::result::Result<T, StoreError>;

/// The house's memory.
#[derive(Clone)]
pub struct Store {
    pool: Pool,
    /// The same connections for moves and the pages between them, which look things up by their keys.
    lookups: Pool,
    opener: Arc<Opener>,
    /// The way for notices and for changes of the schema: the same, unless a pooler stands in it.
    direct: Arc<Opener>,
    /// Moves that wait to be written together.
    gathering: Arc<MoveBatcher>,
    /// Looks at tables that are not written yet.
    looks: Arc<Looks>,
    heartbeat: Heartbeat,
    /// What decides when something is due.
    pub clock: Clock,
}

impl Store {
    /// A pool on this database. Connects when first asked, so that the service starts (and says what is wrong) without one.
    pub fn new(address: impl Into<Address>, connections: u32) -> Store {
        let opener = Arc::new(Opener::new(address.into()));
        let pool = Pool::new(opener.clone(), connections as usize);
        let lookups = pool.with_profile(Profile::Lookup);
        Store {
            pool,
            lookups,
            direct: opener.clone(),
            opener,
            gathering: Arc::default(),
            looks: Arc::default(),
            heartbeat: Heartbeat::default(),
            clock: Clock::default(),
        }
    }

    /// The same with another clock.
    pub fn with_clock(self, clock: Clock) -> Store {
        Store { clock, ..self }
    }

    /// Brings the schema up to date.
    pub async fn migrate(&self) -> std::result::Result<(), sqlx::migrate::MigrateError> {
        // Not bounded as other statements are: a change of the schema may take long, and another process may be at it.
        let migrating = async {
            let (_, mut connection) = self.direct.open_plain().await?;
            sqlx::migrate!().run_direct(None, &mut connection, false).await?;
            let _ = connection.close().await;
            Ok(())
        };
        let migrated = tokio::time::timeout(LONGEST_MIGRATION, migrating).await;
        migrated.unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut.into()))
    }

    pub async fn close(&self) {
        self.flush_looks().await;
        self.pool.close().await;
    }

    /// Open connections, and how many of them are idle.
    pub fn connections(&self) -> (u32, usize) {
        let (open, idle) = self.pool.count();
        (u32::try_from(open).unwrap_or(u32::MAX), idle)
    }
}

/// Waits no longer than a request may, as for what somebody else is asking.
pub async fn in_time<T, E: From<StoreError>>(
    wait: impl Future<Output = std::result::Result<T, E>>,
) -> std::result::Result<T, E> {
    let answer = time_budget::limited(time_budget::REQUEST, wait).await;
    answer.unwrap_or_else(|| Err(StoreError::from(sqlx::Error::PoolTimedOut).into()))
}

/// Asks again, twice, if the database failed in passing. Only for questions, and for statements that are safe to repeat.
pub async fn retry_transient<T, F: Future<Output = Result<T>>>(mut ask: impl FnMut() -> F) -> Result<T> {
    let mut pauses = [Duration::from_millis(20), Duration::from_millis(200)].into_iter();
    // There is one place that asks, and one that waits, because this is compiled anew for each question.
    loop {
        match ask().await {
            Err(error) if error.is_short() => pause_after(error, pauses.next()).await?,
            answer => return answer,
        }
    }
}

/// Waits before a question is asked again; gives the error back if there is no more time for that.
async fn pause_after(error: StoreError, pause: Option<Duration>) -> Result<()> {
    let Some(pause) = pause else { return Err(error) };
    tracing::warn!(%error, "transient database error; retrying");
    if time_budget::pause(pause).await { Ok(()) } else { Err(error) }
}
