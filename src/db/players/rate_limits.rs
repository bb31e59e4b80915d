//! Rate limits, counted in the database so that they hold across processes.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};

use crate::db::{Connection, Result, Store};

/// Counters whose window began longer ago than this are deleted. No limit has a longer window.
const LONGEST_WINDOW: TimeDelta = TimeDelta::days(1);

/// How often something may happen within a window, which begins with the first time.
#[derive(Copy, Clone, Debug)]
pub struct RateLimit {
    /// What is counted; part of the stored key.
    pub what: &'static str,
    pub most: i32,
    pub window: TimeDelta,
}

impl RateLimit {
    pub const fn an_hour(what: &'static str, most: i32) -> RateLimit {
        RateLimit { what, most, window: TimeDelta::hours(1) }
    }

    pub const fn a_day(what: &'static str, most: i32) -> RateLimit {
        RateLimit { what, most, window: TimeDelta::days(1) }
    }
}

impl Store {
    /// Counts one more for a network, browser, player or address; `false`, and nothing is counted, if the limit is reached.
    pub async fn admits(&self, limit: &RateLimit, whom: &str) -> Result<bool> {
        let mut connection = self.pool.acquire().await?;
        admits(&mut connection, limit, whom, self.clock.now()).await
    }

    pub(crate) async fn delete_old_counters(&self) -> Result<()> {
        sqlx::query!("delete from rate_limit where since <= $1", self.clock.now() - LONGEST_WINDOW)
            .execute(&self.pool)
            .await?;
        Ok(())
    }
}

/// Counts as part of a transaction. The counter's row stays locked until it ends, so that concurrent ones are counted one after the other.
pub(crate) async fn admits(
    connection: &mut Connection,
    limit: &RateLimit,
    whom: &str,
    now: DateTime<Utc>,
) -> Result<bool> {
    let key: [u8; 32] = Sha256::digest(whom).into();
    let counted = sqlx::query_scalar!(
        "insert into rate_limit as counter (what, key, since, count) values ($1, $2, $3, 1)
         on conflict (what, key) do update
           set count = case when counter.since <= $4 then 1 else counter.count + 1 end,
               since = case when counter.since <= $4 then excluded.since else counter.since end
           where counter.since <= $4 or counter.count < $5
         returning count",
        limit.what,
        &key,
        now,
        now - limit.window,
        limit.most,
    )
    .fetch_optional(connection)
    .await?;
    Ok(counted.is_some())
}
