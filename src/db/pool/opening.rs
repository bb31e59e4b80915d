//! Opening connections: finding the right server, and setting up the session.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Row};

use crate::db::pool::Profile;
use crate::db::pool::address::{Address, Target};

/// The most that connecting to one server may take, where its address does not say less.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// How long a server may take to answer before the next one is tried beside it.
const NEXT_SERVER: Duration = Duration::from_millis(500);

/// For every session. One plan is good for all values of our statements, and making a new one each time costs the move's statement half as much as
/// the move itself. Such a plan expects many rows where there are few, so the server would think it worth compiling, which takes hundreds of times
/// as long as the statement. The rest sees to it that the server does not go on for long for a client that is gone, nor keep what it has locked.
const SETTINGS: &str = "set plan_cache_mode = force_generic_plan; set jit = off; set statement_timeout = '30s';
    set idle_in_transaction_session_timeout = '30s'; set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 3;
    set tcp_keepalives_count = 3; set tcp_user_timeout = '15s'";

/// Where the server knows it (since version 14).
const CHECKS_CLIENT: &str = "; set client_connection_check_interval = '2s'";

/// For lookups. Others must not wait for long because somebody holds on to one table. All that is asked is looked up by keys, however few rows
/// there were when the statement was planned.
const LOOKUP_SETTINGS: &str = "; set lock_timeout = '500ms'; set enable_seqscan = off; set enable_hashjoin = off; \
    set enable_mergejoin = off";

/// Opens connections to one of the servers of an address.
#[derive(Debug)]
pub(crate) struct Opener {
    address: Address,
    /// The server that was right the last time.
    last_good: AtomicUsize,
    /// Whether sessions are ours alone. Behind a pooler that shares them from transaction to transaction, settings would come to others.
    own_sessions: AtomicBool,
}

impl Opener {
    pub fn new(address: Address) -> Opener {
        Opener { address, last_good: AtomicUsize::new(0), own_sessions: AtomicBool::new(true) }
    }

    /// From now on sessions are shared with others: they are left as they are.
    pub fn share_sessions(&self) {
        self.own_sessions.store(false, Ordering::Relaxed);
    }

    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Whether a session that is open has become the wrong one, as on a server that others have taken the place of.
    pub fn is_wrong(&self, in_recovery: bool) -> bool {
        matches!(self.address.target, Target::ReadWrite | Target::Primary) && in_recovery
    }

    /// A connection to the right server, set up.
    pub async fn open(&self, profile: Profile) -> sqlx::Result<PgConnection> {
        let profile = self.own_sessions.load(Ordering::Relaxed).then_some(profile);
        self.connect(profile).await.map(|(_, connection)| connection)
    }

    /// A connection without settings of ours, for what may take long, and how others connect to the same server.
    pub async fn open_plain(&self) -> sqlx::Result<(PgConnectOptions, PgConnection)> {
        let (place, connection) = self.connect(None).await?;
        Ok((self.address.hosts[place].clone(), connection))
    }

    async fn connect(&self, profile: Option<Profile>) -> sqlx::Result<(usize, PgConnection)> {
        let found = self.find(self.address.target, profile).await;
        let found = match found {
            // Nobody follows another just now: whoever is there will do.
            Err(_) if self.address.target == Target::PreferStandby => self.find(Target::Any, profile).await,
            found => found,
        };
        found.inspect(|(place, _)| self.last_good.store(*place, Ordering::Relaxed))
    }

    /// Tries the servers, the last good one first, each beside those before it that have not answered yet.
    async fn find(&self, target: Target, profile: Option<Profile>) -> sqlx::Result<(usize, PgConnection)> {
        let hosts = &self.address.hosts;
        let first = self.last_good.load(Ordering::Relaxed);
        let mut places = (0..hosts.len()).map(|place| (first + place) % hosts.len());
        let mut trying = FuturesUnordered::new();
        let mut trouble = None;
        loop {
            let next = places.next();
            trying.extend(next.map(|place| async move { (place, self.try_one(place, target, profile).await) }));
            let outcome = match next {
                Some(_) if places.len() > 0 => tokio::time::timeout(NEXT_SERVER, trying.next()).await.ok(),
                _ => Some(trying.next().await),
            };
            match outcome {
                Some(Some((place, Ok(connection)))) => return Ok((place, connection)),
                Some(Some((_, Err(error)))) => trouble = Some(worse(trouble, error)),
                Some(None) => return Err(trouble.unwrap_or_else(no_server)),
                None => {}
            }
        }
    }

    async fn try_one(&self, place: usize, target: Target, profile: Option<Profile>) -> sqlx::Result<PgConnection> {
        let attempt = async {
            let mut connection = self.address.hosts[place].connect().await?;
            if target != Target::Any && !fits(&mut connection, target).await? {
                return Err(no_server());
            }
            if let Some(profile) = profile {
                set_up(&mut connection, profile).await?;
            }
            Ok(connection)
        };
        let limit = self.address.connect_timeout.map_or(CONNECT_TIMEOUT, |limit| limit.min(CONNECT_TIMEOUT));
        tokio::time::timeout(limit, attempt).await.unwrap_or_else(|_| Err(no_answer()))
    }
}

async fn fits(connection: &mut PgConnection, target: Target) -> sqlx::Result<bool> {
    let state = "select pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'";
    let row = sqlx::raw_sql(state).fetch_one(connection).await?;
    Ok(target.fits(row.try_get(0)?, row.try_get(1)?))
}

async fn set_up(connection: &mut PgConnection, profile: Profile) -> sqlx::Result<()> {
    let mut settings = String::from(SETTINGS);
    if connection.server_version_num().is_some_and(|version| version >= 14_00_00) {
        settings += CHECKS_CLIENT;
    }
    match profile {
        Profile::General => {}
        Profile::Lookup => settings += LOOKUP_SETTINGS,
    }
    sqlx::raw_sql(AssertSqlSafe(settings)).execute(connection).await?;
    Ok(())
}

/// Of two troubles the one that tells more: what a server said, rather than that there was no answer.
fn worse(one: Option<sqlx::Error>, other: sqlx::Error) -> sqlx::Error {
    match one {
        Some(one @ sqlx::Error::Database(_)) => one,
        Some(one) if is_no_server(&other) => one,
        _ => other,
    }
}

/// No server is the one that is meant, such as one that takes writes.
fn no_server() -> sqlx::Error {
    io::Error::new(
        io::ErrorKind::NotFound,
        "none of the servers that answer is the one that is asked for, such as one that takes writes",
    )
    .into()
}

fn is_no_server(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Io(error) if error.kind() == io::ErrorKind::NotFound)
}

/// The server did not answer in time.
pub(crate) fn no_answer() -> sqlx::Error {
    io::Error::new(io::ErrorKind::TimedOut, "no answer in time").into()
}
