//! The pool of connections to the database.
//!
//! Whatever is asked of it ends: waiting for a connection, opening one and every statement have their time, and a connection that did not answer is
//! closed. If the server has no room for as many connections as are wished for, the pool makes do with those that it has. A thread prefers the
//! connections that it opened itself, because it is that thread which listens to their sockets.

mod address;
mod connection;
mod executor;
mod opening;
mod probe;
mod room;
mod state;
mod transaction;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;

pub use address::{Address, AddressError};
pub(crate) use connection::{Connection, READ_ONLY};
pub(crate) use opening::Opener;
pub(crate) use probe::{Sessions, probe};
use state::{Live, Shared, Step};
pub(crate) use transaction::Transaction;

use crate::db::time_budget;
use connection::{Health, Ping};

/// The most that waiting for a connection may take where there is no budget.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// A connection that was used so recently is held to be whole, unless others were found broken since.
const TRUSTED: Duration = Duration::from_secs(5);

/// The pauses between two tries to open a connection while the server starts, or has no room at all.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// What a connection is for; its session is set up accordingly.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    General,
    /// Looking things up by their keys, and moves.
    Lookup,
}

impl Profile {
    fn index(self) -> usize {
        match self {
            Profile::General => 0,
            Profile::Lookup => 1,
        }
    }
}

/// A pool as seen by those who want connections of one profile.
#[derive(Clone)]
pub(crate) struct Pool {
    shared: Arc<Shared>,
    profile: Profile,
}

/// A connection in use. Dropping it gives it back if it has answered all that was asked, and else closes it.
pub(crate) struct Lease {
    live: Option<Live>,
    shared: Arc<Shared>,
    /// Released last, when the connection is back.
    permit: Option<OwnedSemaphorePermit>,
}

impl Lease {
    fn new(live: Live, shared: &Arc<Shared>, permit: OwnedSemaphorePermit) -> Lease {
        Lease { live: Some(live), shared: shared.clone(), permit: Some(permit) }
    }

    /// What its session was set up for.
    fn profile(&self) -> Option<Profile> {
        self.live.as_ref().map(Live::profile)
    }

    fn is_sound(&self) -> bool {
        self.health() == Health::Sound
    }

    /// Closes the connection.
    fn discard(mut self) {
        drop(self.live.take());
    }
}

impl Pool {
    /// A pool of at most so many connections. They are opened as they are needed.
    pub fn new(opener: Arc<Opener>, connections: usize) -> Pool {
        Pool { shared: Arc::new(Shared::new(opener, connections.max(1))), profile: Profile::General }
    }

    /// The same connections for another use.
    pub fn with_profile(&self, profile: Profile) -> Pool {
        Pool { shared: self.shared.clone(), profile }
    }

    pub async fn acquire(&self) -> sqlx::Result<Lease> {
        let mut trouble = None;
        let acquired = time_budget::limited(ACQUIRE_TIMEOUT, self.find(&mut trouble)).await;
        // Why none could be opened tells more than that there was none.
        acquired.unwrap_or_else(|| Err(trouble.unwrap_or(sqlx::Error::PoolTimedOut)))
    }

    pub async fn begin(&self) -> sqlx::Result<Transaction> {
        Transaction::begin(self.acquire().await?, self.profile).await
    }

    async fn find(&self, trouble: &mut Option<sqlx::Error>) -> sqlx::Result<Lease> {
        let shared = &self.shared;
        let mut pause = FIRST_PAUSE;
        let mut permit = shared.permit().await?;
        loop {
            let place = match shared.next_step(self.profile) {
                Step::Use(live, used) => match shared.if_sound(live, used).await {
                    Some(live) => return Ok(Lease::new(live, shared, permit)),
                    None => continue,
                },
                Step::Open(place) => place,
                Step::Closed => return Err(sqlx::Error::PoolClosed),
            };
            let error = match shared.opener.open(self.profile).await {
                Ok(raw) => return Ok(Lease::new(Live::new(Connection::new(raw), place), shared, permit)),
                Err(error) => error,
            };
            drop(place);
            let is_full = room::is_full(&error);
            if !is_full && !is_starting(&error) {
                return Err(error);
            }
            *trouble = Some(error);
            if is_full {
                // Without room for another one, wait for one of ours.
                match shared.shrink(permit) {
                    Some(last) => permit = last,
                    None => {
                        permit = shared.permit().await?;
                        continue;
                    }
                }
            }
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    /// Closes what is idle; what is in use is closed when it is given back.
    pub async fn close(&self) {
        for live in self.shared.close() {
            live.close().await;
        }
    }

    /// How many connections there are, and how many of them are idle.
    pub fn count(&self) -> (usize, usize) {
        self.shared.count()
    }
}

impl Shared {
    /// A connection that was idle, if it can still be used.
    async fn if_sound(&self, mut live: Live, used: Instant) -> Option<Live> {
        if used.elapsed() < TRUSTED && !self.had_trouble_since(used) {
            return Some(live);
        }
        match live.connection.ping().await {
            Ping::There => Some(live),
            Ping::Gone => None,
            Ping::Silent => {
                // Asking the others one by one would take too long.
                drop(live);
                drop(self.take_idle());
                self.note_trouble();
                None
            }
        }
    }
}

/// Whether the server is likely to take connections in a moment: it starts, or changes places with another.
fn is_starting(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => matches!(
            error.kind(),
            std::io::ErrorKind::ConnectionRefused
                | std::io::ErrorKind::ConnectionReset
                | std::io::ErrorKind::UnexpectedEof
                | std::io::ErrorKind::NotFound
        ),
        sqlx::Error::Database(error) => error.code().is_some_and(|code| code.starts_with("57P")),
        _ => false,
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(live) = self.live.take() else { return };
        match live.connection.health() {
            Health::Sound => {
                if self.shared.give_back(live)
                    && let Some(permit) = self.permit.take()
                {
                    permit.forget();
                }
            }
            Health::Unanswered => drop(live),
            Health::Broken => {
                self.shared.note_trouble();
                drop(live);
            }
            Health::ReadOnly => {
                // Another server may have become the one that takes writes: all are to look for it.
                drop(live);
                self.shared.renew();
            }
        }
    }
}

/// A lease has its connection until it is dropped.
const TAKEN: &str = "the connection is in use";

impl Deref for Lease {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.live.as_ref().expect(TAKEN).connection
    }
}

impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.live.as_mut().expect(TAKEN).connection
    }
}
