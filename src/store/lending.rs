//! Connections for what happens all the time, kept at hand between two uses.
//!
//! The pool asks each connection that comes back whether it is still well: a round trip after every statement, as dear as half a move. It
//! also hands a connection to any thread, while the thread that opened it goes on listening to its socket and has to wake the
//! other. So a thread keeps a few connections that answered well, and uses them again itself. One that failed, or whose use was
//! broken off, goes back to the pool, which sorts out the broken ones.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use sqlx::Postgres;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool};

/// After so long the pool gets a connection back in any case, and may replace it.
const LONGEST: Duration = Duration::from_secs(300);

/// The connections that threads keep at hand.
#[derive(Clone)]
pub(super) struct Lending {
    pool: PgPool,
    at_hand: Arc<AtHand>,
    /// So many a thread keeps: all threads together at most half of the pool, so that nobody waits for what lies idle elsewhere.
    most: usize,
}

#[derive(Default)]
struct AtHand(Mutex<HashMap<ThreadId, Vec<Held>>>);

struct Held {
    connection: PoolConnection<Postgres>,
    since: Instant,
}

/// A connection in use. To be given back after it answered; dropping it hands it to the pool to be tested.
pub(super) struct Lent {
    held: Held,
    lending: Lending,
}

impl Lending {
    pub fn new(pool: PgPool) -> Lending {
        let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
        let most = pool.options().get_max_connections() as usize / 2 / threads;
        Lending { pool, at_hand: Arc::default(), most }
    }

    pub async fn borrow(&self) -> sqlx::Result<Lent> {
        let at_hand = self.with_ours(Vec::pop);
        let held = match at_hand {
            Some(held) => held,
            None => Held { connection: self.pool.acquire().await?, since: Instant::now() },
        };
        Ok(Lent { held, lending: self.clone() })
    }

    /// Hands all connections to the pool.
    pub fn end(&self) {
        self.at_hand.lock().clear();
    }

    pub fn idle(&self) -> usize {
        self.at_hand.lock().values().map(Vec::len).sum()
    }

    fn with_ours<T>(&self, act: impl FnOnce(&mut Vec<Held>) -> T) -> T {
        act(self.at_hand.lock().entry(thread::current().id()).or_default())
    }
}

impl AtHand {
    fn lock(&self) -> MutexGuard<'_, HashMap<ThreadId, Vec<Held>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for AtHand {
    /// The pool goes with us, and there may be no runtime any more to give connections back in: they are just closed.
    fn drop(&mut self) {
        for held in self.lock().drain().flat_map(|(_, held)| held) {
            drop(held.connection.leak());
        }
    }
}

impl Lent {
    /// Keeps the connection at hand if what was asked was answered. If not, what this thread has at hand is likely to be broken, too.
    pub fn give_back<T, E>(self, answer: Result<T, E>) -> Result<T, E> {
        let Lent { held, lending } = self;
        let dropped = match &answer {
            Ok(_) => lending.with_ours(|ours| {
                let keep = ours.len() < lending.most && held.since.elapsed() < LONGEST && !lending.pool.is_closed();
                if keep {
                    ours.push(held);
                    return Vec::new();
                }
                vec![held]
            }),
            Err(_) => lending.with_ours(std::mem::take),
        };
        // Connections go back to the pool after the lock is released.
        drop(dropped);
        answer
    }
}

impl Deref for Lent {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.held.connection
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.held.connection
    }
}
