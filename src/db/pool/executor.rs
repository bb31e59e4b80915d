//! Single statements, each on whichever connection is free.

use std::fmt;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use sqlx::postgres::{PgQueryResult, PgRow, PgStatement, PgTypeInfo, Postgres};
use sqlx::{Describe, Either, Execute, Executor, SqlStr};

use crate::db::pool::Pool;

impl fmt::Debug for Pool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pool").field("profile", &self.profile).finish_non_exhaustive()
    }
}

impl<'p> Executor<'p> for &'p Pool {
    type Database = Postgres;

    fn execute<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<PgQueryResult>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        Box::pin(async move { self.acquire().await?.execute(query).await })
    }

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, sqlx::Result<Either<PgQueryResult, PgRow>>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let gathered = async move { self.acquire().await?.fetch_many(query).try_collect::<Vec<_>>().await };
        stream::once(gathered).map_ok(|parts| stream::iter(parts.into_iter().map(Ok))).try_flatten().boxed()
    }

    fn fetch_all<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<Vec<PgRow>>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        Box::pin(async move { self.acquire().await?.fetch_all(query).await })
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<Option<PgRow>>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        Box::pin(async move { self.acquire().await?.fetch_optional(query).await })
    }

    fn prepare_with<'e>(self, sql: SqlStr, parameters: &'e [PgTypeInfo]) -> BoxFuture<'e, sqlx::Result<PgStatement>>
    where
        'p: 'e,
    {
        Box::pin(async move { self.acquire().await?.prepare_with(sql, parameters).await })
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, sqlx::Result<Describe<Postgres>>>
    where
        'p: 'e,
    {
        Box::pin(async move { self.acquire().await?.describe(sql).await })
    }
}
