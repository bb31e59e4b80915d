//! Notices between processes.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgListener, PgPoolOptions};

use crate::db::pool::Opener;
use crate::db::{Result, Store};

const CHANNEL: &str = "moved";

/// How long the connection may be silent before we check that it is still alive.
const LONGEST_SILENCE: Duration = Duration::from_secs(10);

/// The most that an answer may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// Listens for what processes tell. Ends when the connection is lost; then listen anew.
pub struct Listener {
    listener: PgListener,
    opener: Arc<Opener>,
}

impl Store {
    /// Tells all processes.
    pub async fn tell_moves(&self, words: &str) -> Result<()> {
        sqlx::query!("select pg_notify($1, $2)", CHANNEL, words).execute(&self.pool).await?;
        Ok(())
    }

    /// Listens for what processes tell.
    pub async fn listen_for_moves(&self) -> Result<Listener> {
        let opener = self.direct.clone();
        // Only now is it known which server it is.
        let (server, _) = opener.open_plain().await?;
        let pool =
            PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None).acquire_timeout(PATIENCE);
        let listening = async {
            let mut listener = PgListener::connect_with(&pool.connect_lazy_with(server)).await?;
            listener.eager_reconnect(false);
            listener.listen(CHANNEL).await?;
            Ok(listener)
        };
        let listener = in_time(listening).await?;
        Ok(Listener { listener, opener })
    }
}

impl Listener {
    /// The next notice.
    pub async fn next(&mut self) -> Result<String> {
        loop {
            match tokio::time::timeout(LONGEST_SILENCE, self.listener.try_recv()).await {
                Ok(Ok(Some(notice))) => return Ok(notice.payload().to_owned()),
                Ok(Ok(None)) => return Err(lost().into()),
                Ok(Err(error)) => return Err(error.into()),
                Err(_) => self.ask().await?,
            }
        }
    }

    /// Whether the server is there still, and still the one whose notices matter.
    async fn ask(&mut self) -> Result<()> {
        let asking = sqlx::query_scalar!(r#"select pg_is_in_recovery() as "in_recovery!""#);
        let in_recovery = in_time(asking.fetch_one(&mut self.listener)).await?;
        if self.opener.is_wrong(in_recovery) { Err(lost().into()) } else { Ok(()) }
    }
}

fn lost() -> sqlx::Error {
    io::Error::from(io::ErrorKind::ConnectionAborted).into()
}

async fn in_time<T>(asking: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    tokio::time::timeout(PATIENCE, asking)
        .await
        .unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))
}
