//! The first connection: waiting for the database, and seeing whether it can be used as it is reached.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::db::pool::{Address, Opener, Sessions, probe};
use crate::db::{Store, StoreError};

/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(500);

/// How often it is said that we still wait.
const REMINDER: Duration = Duration::from_secs(5);

/// Why the service cannot work with its database.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    #[error("There is no database at {place} after {seconds} seconds of waiting: {error}")]
    NoAnswer { place: String, seconds: u64, error: StoreError },
    #[error("The database at {place} does not let us in: {error}")]
    Refused { place: String, error: StoreError },
    #[error(
        "The database is reached through a pooler in transaction mode that does not keep prepared statements. Use PgBouncer 1.21 or later \
         and set max_prepared_statements (200 will do), set pool_mode = session, or name the server itself in DATABASE_URL."
    )]
    Forgetful,
    #[error(
        "The database is reached through a pooler in transaction mode. Notices do not come through it, and the schema cannot be changed \
         through it: name the server itself, too, with --direct-database-url (WONDERPOST_DIRECT_DATABASE_URL)."
    )]
    NoDirectAddress,
    #[error(
        "--direct-database-url (WONDERPOST_DIRECT_DATABASE_URL) leads to a pooler in transaction mode, too. Name the server itself there, or \
         a pooler with pool_mode = session."
    )]
    NotDirect,
}

impl Store {
    /// The same, with another way to the same database for what a pooler does not carry: notices, and changes of the schema.
    pub fn with_direct_address(self, address: Address) -> Store {
        Store { direct: Arc::new(Opener::new(address)), ..self }
    }

    /// Waits until the database can be used, at most so long.
    pub async fn connect(&self, patience: Duration) -> Result<(), ConnectError> {
        let until = Instant::now() + patience;
        let is_direct = Arc::ptr_eq(&self.opener, &self.direct);
        match answer(&self.opener, until, patience).await? {
            Sessions::Own => {}
            Sessions::Forgetful => return Err(ConnectError::Forgetful),
            Sessions::Shared if is_direct => return Err(ConnectError::NoDirectAddress),
            Sessions::Shared => self.opener.share_sessions(),
        }
        if is_direct {
            return Ok(());
        }
        match answer(&self.direct, until, patience).await? {
            Sessions::Own => Ok(()),
            Sessions::Shared | Sessions::Forgetful => Err(ConnectError::NotDirect),
        }
    }
}

async fn answer(opener: &Opener, until: Instant, patience: Duration) -> Result<Sessions, ConnectError> {
    let place = opener.address().to_string();
    let mut said: Option<Instant> = None;
    loop {
        let error = match probe(opener).await {
            Ok(sessions) => return Ok(sessions),
            Err(error) => StoreError::from(error),
        };
        if !error.is_transient() {
            return Err(ConnectError::Refused { place, error });
        }
        if Instant::now() >= until {
            return Err(ConnectError::NoAnswer { place, seconds: patience.as_secs(), error });
        }
        if said.is_none_or(|said| said.elapsed() >= REMINDER) {
            tracing::warn!(%error, place, "waiting for the database");
            said = Some(Instant::now());
        }
        tokio::time::sleep(PAUSE).await;
    }
}
