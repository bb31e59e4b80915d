//! Postgres: one function a question, named after what it answers.

pub mod absences;
pub mod answers;
pub mod append;
pub mod checkpoints;
pub mod cluster;
pub mod days;
pub mod events;
pub mod inbox;
pub mod invitations;
pub mod keys;
mod lending;
pub mod letters;
mod moves;
pub mod notes;
pub mod notices;
pub mod players;
pub mod sign_ins;
pub mod tables;
pub mod talk;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};

use crate::clock::Clock;
use lending::Lending;
use moves::Gathering;

/// The code for having waited too long for a row that somebody else holds.
const LOCKED: &str = "55P03";

/// The database could not answer.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", describe(.0))]
pub struct StoreError(Arc<sqlx::Error>);

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        let error = StoreError(Arc::new(error));
        if error.is_passing() {
            Trouble::note();
        }
        error
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
    /// Whether trying again may help: the connection broke, the server is restarting, full or closed for a while, or two
    /// transactions got in each other's way.
    /// Whether what was tried has been done is then unknown.
    pub fn is_passing(&self) -> bool {
        match &*self.0 {
            sqlx::Error::Io(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::Protocol(_)
            | sqlx::Error::WorkerCrashed => true,
            sqlx::Error::Database(error) => error.code().is_some_and(|code| {
                ["08", "53", "57P"].iter().any(|class| code.starts_with(class))
                    || matches!(&*code, "40001" | "40P01" | "55000" | LOCKED)
            }),
            _ => false,
        }
    }

    /// Whether asking again at once is worth it: not after having waited for a connection in vain.
    fn is_short(&self) -> bool {
        self.is_passing() && !matches!(*self.0, sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed)
    }

    /// Whether the database refused this one statement and is well otherwise.
    fn is_of_statement(&self) -> bool {
        let refused = self.0.as_database_error();
        refused.is_some_and(|error| !self.is_passing() || error.code().is_some_and(|code| code == LOCKED))
    }

    /// Whether a rule of uniqueness forbade it: somebody was quicker.
    pub fn is_duplicate(&self) -> bool {
        self.0.as_database_error().is_some_and(|error| error.is_unique_violation())
    }
}

/// When the database last failed in passing, in this process. Where one connection broke others have, too.
struct Trouble;

static CLOCK: LazyLock<Instant> = LazyLock::new(Instant::now);
static LAST_TROUBLE: AtomicU64 = AtomicU64::new(0);

impl Trouble {
    fn note() {
        LAST_TROUBLE.store(CLOCK.elapsed().as_micros() as u64 + 1, Ordering::Relaxed);
    }

    /// Whether there was trouble within the time that has just passed.
    fn within(time: Duration) -> bool {
        let last = LAST_TROUBLE.load(Ordering::Relaxed);
        last > 0 && Duration::from_micros(last) + time >= CLOCK.elapsed()
    }
}

/// A connection that was used so recently is held to be whole.
const TRUSTED: Duration = Duration::from_secs(5);

pub type Result<T> = std::result::Result<T, StoreError>;

/// The house's memory.
#[derive(Clone)]
pub struct Store {
    pool: PgPool,
    /// For moves and the pages between them.
    lending: Lending,
    /// Moves that wait to be written together.
    gathering: Arc<Gathering>,
    /// What decides when something is due.
    pub clock: Clock,
}

impl Store {
    /// A pool on this database. Connects when first asked, so that the service starts (and says what is wrong) without one.
    pub fn new(options: PgConnectOptions, connections: u32) -> Store {
        let lent = connections / 2;
        let pool = PgPoolOptions::new()
            .max_connections(connections - lent)
            .after_connect(|connection, _| Box::pin(prepare(connection)))
            .acquire_timeout(Duration::from_secs(5))
            // A broken connection shows at its next use, which is tried again; asking each time would cost a round trip. Once one
            // has shown, those that have not been used since are asked.
            .test_before_acquire(false)
            .before_acquire(|connection, known| {
                Box::pin(async move {
                    if known.idle_for > TRUSTED || Trouble::within(known.idle_for) {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_lazy_with(options);
        let lending = Lending::new(pool.clone(), lent as usize);
        Store { lending, gathering: Arc::default(), pool, clock: Clock::default() }
    }

    /// The same with another clock.
    pub fn with_clock(self, clock: Clock) -> Store {
        Store { clock, ..self }
    }

    pub async fn migrate(&self) -> std::result::Result<(), sqlx::migrate::MigrateError> {
        sqlx::migrate!().run(&self.pool).await
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        sqlx::query!("select 1 as one").fetch_one(&self.pool).await?;
        Ok(())
    }

    pub async fn close(&self) {
        self.lending.end().await;
        self.pool.close().await;
    }

    /// Open connections, and how many of them are idle.
    pub fn connections(&self) -> (u32, usize) {
        let (lent, at_hand) = self.lending.count();
        (self.pool.size() + lent as u32, self.pool.num_idle() + at_hand)
    }
}

/// Sets up a new connection. Our statements are looked up by their keys, so that one plan is good for all their values; without being told
/// the server makes a new one for the move's statement each time, which costs half as much as the move itself.
async fn prepare(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::raw_sql("set plan_cache_mode = force_generic_plan").execute(connection).await?;
    Ok(())
}

/// Asks again, twice, if the database failed in passing. Only for questions, and for statements that are safe to repeat.
pub async fn patiently<T, F: Future<Output = Result<T>>>(mut ask: impl FnMut() -> F) -> Result<T> {
    for pause in [Duration::from_millis(20), Duration::from_millis(200)] {
        match ask().await {
            Err(error) if error.is_short() => {
                tracing::warn!(%error, "asking the database again");
                tokio::time::sleep(pause).await;
            }
            answer => return answer,
        }
    }
    ask().await
}
