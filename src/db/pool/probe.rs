//! Whether sessions are our own, or a pooler such as PgBouncer hands them from one to another with every transaction.

use std::time::Duration;

use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Executor, Row};

use crate::db::pool::opening::{Opener, no_answer};

/// Others may use the same pooler at the same time, so that one round may show nothing.
const ROUNDS: usize = 3;

/// The most that it may take to find out.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whose sessions are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sessions {
    /// Ours as long as the connection lasts: a server itself, or a pooler that keeps sessions together.
    Own,
    /// Shared from transaction to transaction, by a pooler that knows which statements each client has prepared.
    Shared,
    /// Shared from transaction to transaction, and statements get lost.
    Forgetful,
}

/// Finds out whose the sessions of an address are.
pub(crate) async fn probe(opener: &Opener) -> sqlx::Result<Sessions> {
    let asking = async {
        let (_, mut one) = opener.open_plain().await?;
        // A server without room for a second connection is no reason not to start.
        let Ok((_, mut other)) = opener.open_plain().await else { return Ok(Sessions::Own) };
        let sessions = compare(&mut one, &mut other).await;
        for connection in [one, other] {
            let _ = connection.close().await;
        }
        match sessions {
            Err(error) if is_lost_statement(&error) => Ok(Sessions::Forgetful),
            sessions => sessions,
        }
    };
    tokio::time::timeout(PATIENCE, asking).await.unwrap_or_else(|_| Err(no_answer()))
}

/// As long as a session is ours nobody else comes to it, and we come to no other.
async fn compare(one: &mut PgConnection, other: &mut PgConnection) -> sqlx::Result<Sessions> {
    let mut sessions = Sessions::Own;
    for _ in 0..ROUNDS {
        let before = backend(one).await?;
        // While it is held by a transaction nobody else can come to this backend.
        other.execute(sqlx::raw_sql("begin")).await?;
        let held = backend(other).await?;
        let after = backend(one).await?;
        other.execute(sqlx::raw_sql("commit")).await?;
        if held == before || after != before {
            sessions = Sessions::Shared;
        }
    }
    Ok(sessions)
}

/// The process of the server that answers, asked by a prepared statement.
async fn backend(connection: &mut PgConnection) -> sqlx::Result<i32> {
    let question = sqlx::query("select pg_backend_pid() where $1").bind(true);
    connection.fetch_one(question).await?.try_get(0)
}

/// The statement is not known to this session, or its name is already taken there.
fn is_lost_statement(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| matches!(&*code, "26000" | "42P05" | "08P01"))
}
