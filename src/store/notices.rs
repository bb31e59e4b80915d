//! Notices between processes.

use sqlx::postgres::PgListener;

use super::{Result, Store};

const CHANNEL: &str = "moved";

impl Store {
    /// Tells all processes.
    pub async fn tell_moves(&self, words: &str) -> Result<()> {
        sqlx::query!("select pg_notify($1, $2)", CHANNEL, words).execute(&self.pool).await?;
        Ok(())
    }

    /// Listens for what processes tell.
    pub async fn listen_for_moves(&self) -> Result<PgListener> {
        let mut listener = PgListener::connect_with(&self.pool).await?;
        listener.listen(CHANNEL).await?;
        Ok(listener)
    }
}
