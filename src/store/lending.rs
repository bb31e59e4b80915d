//! Connections for what happens all the time, kept at hand between two uses.
//!
//! The pool asks each connection that comes back whether it is still well: a round trip after every statement, as dear as half a move. It
//! also hands a connection to any thread, while the thread that opened it goes on listening to its socket and has to wake the
//! other. So a thread opens a few connections of its own and uses them again itself. One that failed, or whose use was
//! broken off, is closed. Who needs more at a time than their thread may have gets one from the pool.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool};
use sqlx::{ConnectOptions, Connection as _, Postgres};

/// After so long a connection is replaced in any case.
const LONGEST: Duration = Duration::from_secs(300);

/// So long a new connection may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The connections that threads keep at hand.
#[derive(Clone)]
pub(super) struct Lending {
    pool: PgPool,
    threads: Arc<Mutex<HashMap<ThreadId, Ours>>>,
    /// So many a thread has at most.
    most: usize,
}

/// What a thread has.
#[derive(Default)]
struct Ours {
    at_hand: Vec<Own>,
    /// How many there are, at hand or in use.
    open: Arc<AtomicUsize>,
}

/// A connection that its thread opened.
struct Own {
    connection: PgConnection,
    since: Instant,
    _place: Place,
}

/// Counts as one as long as it lives.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn new(open: &Arc<AtomicUsize>) -> Place {
        open.fetch_add(1, Ordering::Relaxed);
        Place(open.clone())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

enum Held {
    Own(Box<Own>),
    Pooled(PoolConnection<Postgres>),
}

/// A connection in use. To be given back after it answered; dropping it closes it, or hands it to the pool to be tested.
pub(super) struct Lent {
    held: Held,
    lending: Lending,
}

impl Lending {
    /// Lends so many connections besides those of the pool.
    pub fn new(pool: PgPool, connections: usize) -> Lending {
        let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
        Lending { pool, threads: Arc::default(), most: connections / threads }
    }

    pub async fn borrow(&self) -> sqlx::Result<Lent> {
        let found = self.with_ours(|ours| match ours.at_hand.pop() {
            Some(own) => Ok(own),
            None => Err((ours.open.load(Ordering::Relaxed) < self.most).then(|| Place::new(&ours.open))),
        });
        let held = match found {
            Ok(own) => Held::Own(Box::new(own)),
            Err(Some(place)) => Held::Own(Box::new(self.open(place).await?)),
            Err(None) => Held::Pooled(self.pool.acquire().await?),
        };
        Ok(Lent { held, lending: self.clone() })
    }

    async fn open(&self, place: Place) -> sqlx::Result<Own> {
        let options = self.pool.connect_options();
        let opening = tokio::time::timeout(PATIENCE, options.connect()).await;
        let mut connection = opening.map_err(|_| sqlx::Error::PoolTimedOut)??;
        super::prepare(&mut connection).await?;
        // Others must not wait for long because somebody holds on to one table. All that is asked here is looked up by keys, however few
        // rows there were when the statement was planned.
        let manners = "set lock_timeout = '500ms'; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off";
        sqlx::raw_sql(manners).execute(&mut connection).await?;
        Ok(Own { connection, since: Instant::now(), _place: place })
    }

    /// Closes all connections that lie at hand.
    pub async fn end(&self) {
        let at_hand: Vec<Own> = self.lock().drain().flat_map(|(_, ours)| ours.at_hand).collect();
        for own in at_hand {
            let _ = own.connection.close().await;
        }
    }

    /// How many connections there are, and how many of them lie idle.
    pub fn count(&self) -> (usize, usize) {
        let threads = self.lock();
        let open = threads.values().map(|ours| ours.open.load(Ordering::Relaxed)).sum();
        (open, threads.values().map(|ours| ours.at_hand.len()).sum())
    }

    fn with_ours<T>(&self, act: impl FnOnce(&mut Ours) -> T) -> T {
        act(self.lock().entry(thread::current().id()).or_default())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ThreadId, Ours>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lent {
    /// Keeps the connection at hand if what was asked was answered. If not, what this thread has at hand is likely to be broken, too.
    pub fn give_back<T, E>(self, answer: Result<T, E>) -> Result<T, E> {
        let Lent { held, lending } = self;
        let dropped = match (held, &answer) {
            (Held::Own(own), Ok(_)) if own.since.elapsed() < LONGEST && !lending.pool.is_closed() => {
                lending.with_ours(|ours| ours.at_hand.push(*own));
                Vec::new()
            }
            (Held::Own(own), Ok(_)) => vec![*own],
            (Held::Pooled(_), Ok(_)) => Vec::new(),
            (_, Err(_)) => lending.with_ours(|ours| std::mem::take(&mut ours.at_hand)),
        };
        // Connections are closed after the lock is released.
        drop(dropped);
        answer
    }
}

impl Deref for Lent {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        match &self.held {
            Held::Own(own) => &own.connection,
            Held::Pooled(pooled) => pooled,
        }
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut PgConnection {
        match &mut self.held {
            Held::Own(own) => &mut own.connection,
            Held::Pooled(pooled) => pooled,
        }
    }
}
