//! A connection whose statements end in time, and which knows whether it can be used again.

use std::fmt;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use sqlx::postgres::{PgConnection, PgQueryResult, PgRow, PgStatement, PgTypeInfo, Postgres};
use sqlx::{Connection as _, Describe, Either, Execute, Executor, SqlStr};

use crate::db::pool::opening::no_answer;
use crate::db::statement_count::count_statement;
use crate::db::time_budget;

/// The most that a statement may take where there is no budget. The server ends it a little later by itself.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(20);

/// The most that a connection may take to show that it is there.
const PING_TIMEOUT: Duration = Duration::from_millis(700);

/// What is known of a connection.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    /// It has answered all that was asked.
    Sound,
    /// Something was asked, and nobody waited for the answer.
    Unanswered,
    /// It broke, did not answer in time, or the server is of no use just now.
    Broken,
    /// The server does not take writes.
    ReadOnly,
}

impl Health {
    fn after(error: &sqlx::Error) -> Health {
        let sqlx::Error::Database(error) = error else { return Health::Broken };
        let code = error.code().unwrap_or_default();
        match &*code {
            READ_ONLY => Health::ReadOnly,
            // A session that no longer knows its statements, or knows them for a schema that has changed.
            "26000" | "42P05" | "0A000" => Health::Broken,
            _ if ["08", "57P", "58"].iter().any(|class| code.starts_with(class)) => Health::Broken,
            _ => Health::Sound,
        }
    }
}

/// The code for a write where nothing can be written.
pub(crate) const READ_ONLY: &str = "25006";

/// A connection to the database.
pub(crate) struct Connection {
    raw: PgConnection,
    health: Health,
}

impl Connection {
    pub(crate) fn new(raw: PgConnection) -> Connection {
        Connection { raw, health: Health::Sound }
    }

    pub(crate) fn health(&self) -> Health {
        self.health
    }

    /// Whether it still answers.
    pub(crate) async fn ping(&mut self) -> Ping {
        self.health = Health::Unanswered;
        match time_budget::limited(PING_TIMEOUT, self.raw.ping()).await {
            Some(Ok(())) => {
                self.health = Health::Sound;
                Ping::There
            }
            Some(Err(_)) => Ping::Gone,
            None => Ping::Silent,
        }
    }

    pub(crate) async fn close(self) {
        let _ = tokio::time::timeout(PING_TIMEOUT, self.raw.close()).await;
    }

    async fn answered<T>(health: &mut Health, answer: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        count_statement();
        // Stays so if the answer is not waited for.
        *health = Health::Unanswered;
        let answer = time_budget::limited(STATEMENT_TIMEOUT, answer).await.unwrap_or_else(|| Err(no_answer()));
        *health = answer.as_ref().err().map_or(Health::Sound, Health::after);
        answer
    }
}

/// How a connection took to being asked whether it is there.
pub(crate) enum Ping {
    There,
    Gone,
    Silent,
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Connection").field("health", &self.health).finish_non_exhaustive()
    }
}

impl<'c> Executor<'c> for &'c mut Connection {
    type Database = Postgres;

    fn execute<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<PgQueryResult>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        Box::pin(Connection::answered(&mut self.health, self.raw.execute(query)))
    }

    /// Gathers what is streamed, so that the whole of it ends in time.
    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, sqlx::Result<Either<PgQueryResult, PgRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let gathered = self.raw.fetch_many(query).try_collect::<Vec<_>>();
        let answered = Connection::answered(&mut self.health, gathered);
        stream::once(answered).map_ok(|parts| stream::iter(parts.into_iter().map(Ok))).try_flatten().boxed()
    }

    fn fetch_all<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<Vec<PgRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        Box::pin(Connection::answered(&mut self.health, self.raw.fetch_all(query)))
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<Option<PgRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        Box::pin(Connection::answered(&mut self.health, self.raw.fetch_optional(query)))
    }

    fn prepare_with<'e>(self, sql: SqlStr, parameters: &'e [PgTypeInfo]) -> BoxFuture<'e, sqlx::Result<PgStatement>>
    where
        'c: 'e,
    {
        Box::pin(Connection::answered(&mut self.health, self.raw.prepare_with(sql, parameters)))
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, sqlx::Result<Describe<Postgres>>>
    where
        'c: 'e,
    {
        Box::pin(Connection::answered(&mut self.health, self.raw.describe(sql)))
    }
}
