//! Which connections there are, and which of them somebody gets.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::db::pool::Profile;
use crate::db::pool::connection::Connection;
use crate::db::pool::opening::Opener;
use crate::db::pool::room::Room;

/// The longest that a connection lives.
const LONGEST_LIFE: Duration = Duration::from_secs(300);

/// How long a connection may be idle before it is closed.
const LONGEST_IDLE: Duration = Duration::from_secs(30);

/// What those who use a pool share.
pub(crate) struct Shared {
    pub opener: Arc<Opener>,
    /// Whoever has a permit may use a connection, or open one.
    permits: Arc<Semaphore>,
    /// The most connections.
    limit: usize,
    /// How many connections for lookups a thread opens for itself.
    share: usize,
    state: Mutex<State>,
}

struct State {
    /// Those that were used last are at the end.
    idle: Vec<Idle>,
    /// How many there are of each profile: idle, in use, or being opened.
    open: [usize; 2],
    /// How many of those for lookups each thread has opened.
    lookups_of: HashMap<ThreadId, usize>,
    /// Connections of an older generation are closed when they come back.
    generation: u64,
    /// When a connection was last found broken. Where one broke others have, too.
    trouble: Option<Instant>,
    room: Room,
    is_closed: bool,
}

struct Idle {
    live: Live,
    used: Instant,
}

/// An open connection.
pub(crate) struct Live {
    pub connection: Connection,
    since: Instant,
    place: Place,
}

impl Live {
    pub fn new(connection: Connection, place: Place) -> Live {
        Live { connection, since: Instant::now(), place }
    }

    pub fn profile(&self) -> Profile {
        self.place.profile
    }

    pub async fn close(self) {
        self.connection.close().await;
    }
}

/// Counts as an open connection as long as it lives.
pub(crate) struct Place {
    shared: Arc<Shared>,
    profile: Profile,
    thread: ThreadId,
    generation: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.open[self.profile.index()] -= 1;
        if self.profile == Profile::Lookup
            && let Some(count) = state.lookups_of.get_mut(&self.thread)
        {
            *count -= 1;
        }
    }
}

/// What somebody with a permit does next.
pub(crate) enum Step {
    /// Use this one, which was last used then.
    Use(Live, Instant),
    Open(Place),
    Closed,
}

impl Shared {
    pub fn new(opener: Arc<Opener>, limit: usize) -> Shared {
        let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
        let state = State {
            idle: Vec::new(),
            open: [0; 2],
            lookups_of: HashMap::new(),
            generation: 0,
            trouble: None,
            room: Room::new(limit),
            is_closed: false,
        };
        Shared {
            opener,
            permits: Arc::new(Semaphore::new(limit)),
            limit,
            share: limit / 2 / threads,
            state: Mutex::new(state),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for one's turn.
    pub async fn permit(&self) -> sqlx::Result<OwnedSemaphorePermit> {
        if let Ok(permit) = self.permits.clone().try_acquire_owned() {
            return Ok(permit);
        }
        if self.lock().room.may_grow() {
            self.permits.add_permits(1);
        }
        self.permits.clone().acquire_owned().await.map_err(|_| sqlx::Error::PoolClosed)
    }

    /// The server has no room for another connection: there is one permit less, or the last one is given back.
    pub fn shrink(&self, permit: OwnedSemaphorePermit) -> Option<OwnedSemaphorePermit> {
        if self.lock().room.shrink() {
            permit.forget();
            return None;
        }
        Some(permit)
    }

    /// What somebody with a permit gets: a connection opened by this thread for the same use, if there is one.
    pub fn next_step(self: &Arc<Shared>, profile: Profile) -> Step {
        let thread = thread::current().id();
        let mut state = self.lock();
        if state.is_closed {
            return Step::Closed;
        }
        let ours = |idle: &Idle| idle.live.place.profile == profile && idle.live.place.thread == thread;
        let alike = |idle: &Idle| idle.live.place.profile == profile;
        let found = state.idle.iter().rposition(ours);
        let found = found.or_else(|| match profile {
            Profile::Lookup if state.lookups_of.get(&thread).is_none_or(|count| *count < self.share) => None,
            Profile::Lookup | Profile::General => state.idle.iter().rposition(alike),
        });
        let half = self.limit / 2;
        let few = match profile {
            Profile::General => state.open[profile.index()] < self.limit - half,
            Profile::Lookup => state.open[profile.index()] < half,
        };
        let may_open = few && state.open.iter().sum::<usize>() < self.limit && !state.room.is_tight();
        let found = found.or_else(|| if may_open { None } else { state.idle.len().checked_sub(1) });
        if let Some(place) = found {
            let Idle { live, used } = state.idle.remove(place);
            return Step::Use(live, used);
        }
        state.open[profile.index()] += 1;
        if profile == Profile::Lookup {
            *state.lookups_of.entry(thread).or_default() += 1;
        }
        let generation = state.generation;
        drop(state);
        Step::Open(Place { shared: self.clone(), profile, thread, generation })
    }

    /// Takes back a connection that is sound. Whether the permit is given up along with it, because others need the room more.
    pub fn give_back(&self, live: Live) -> bool {
        let mut state = self.lock();
        let now = Instant::now();
        let is_over =
            state.is_closed || live.place.generation < state.generation || live.since.elapsed() > LONGEST_LIFE;
        let yields = !is_over && state.room.yields();
        let dropped = if is_over || yields {
            Some(live)
        } else {
            state.idle.push(Idle { live, used: now });
            let is_unneeded = state.idle.first().is_some_and(|oldest| oldest.used + LONGEST_IDLE < now);
            is_unneeded.then(|| state.idle.remove(0).live)
        };
        // Connections are closed after the lock is released: they take it to be counted out.
        drop(state);
        drop(dropped);
        yields
    }

    /// All connections that are idle, to be closed.
    pub fn take_idle(&self) -> Vec<Live> {
        let idle = std::mem::take(&mut self.lock().idle);
        idle.into_iter().map(|idle| idle.live).collect()
    }

    /// Closes all connections sooner or later: those that are idle at once, the others when they come back.
    pub fn renew(&self) {
        let idle = {
            let mut state = self.lock();
            state.generation += 1;
            std::mem::take(&mut state.idle)
        };
        drop(idle);
    }

    pub fn note_trouble(&self) {
        self.lock().trouble = Some(Instant::now());
    }

    pub fn had_trouble_since(&self, time: Instant) -> bool {
        self.lock().trouble.is_some_and(|trouble| trouble >= time)
    }

    /// Nobody gets a connection any more; those that are idle are to be closed.
    pub fn close(&self) -> Vec<Live> {
        self.lock().is_closed = true;
        self.permits.close();
        self.take_idle()
    }

    pub fn count(&self) -> (usize, usize) {
        let state = self.lock();
        (state.open.iter().sum(), state.idle.len())
    }
}
