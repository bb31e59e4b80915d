//! Several statements that hold together.

use std::ops::{Deref, DerefMut};

use sqlx::Executor;

use crate::db::pool::connection::Connection;
use crate::db::pool::{Lease, Profile};

/// On a session for lookups, used because no other was free. Whoever comes for one is to have it soon, so it waits for locks only a moment; here
/// several may queue for one row, and each has its budget.
const BEGIN_BORROWED: &str = "begin; set local lock_timeout = 0";

/// A transaction. What is not committed is undone.
pub(crate) struct Transaction {
    /// There until it is committed.
    lease: Option<Lease>,
}

impl Transaction {
    pub(crate) async fn begin(mut lease: Lease, profile: Profile) -> sqlx::Result<Transaction> {
        let is_borrowed = profile == Profile::General && lease.profile() == Some(Profile::Lookup);
        lease.execute(sqlx::raw_sql(if is_borrowed { BEGIN_BORROWED } else { "begin" })).await?;
        Ok(Transaction { lease: Some(lease) })
    }

    pub async fn commit(mut self) -> sqlx::Result<()> {
        self.execute(sqlx::raw_sql("commit")).await?;
        // Nothing is left to be undone.
        drop(self.lease.take());
        Ok(())
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let Some(mut lease) = self.lease.take() else { return };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if lease.is_sound() => {
                runtime.spawn(async move { lease.execute(sqlx::raw_sql("rollback")).await.map(drop) });
            }
            // Ending the connection undoes it, too.
            _ => lease.discard(),
        }
    }
}

/// A transaction has its connection until it ends.
const ENDED: &str = "the transaction is open";

impl Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.lease.as_ref().expect(ENDED)
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Connection {
        self.lease.as_mut().expect(ENDED)
    }
}
