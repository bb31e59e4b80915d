//! A database for each test, cloned from one that is migrated once.

use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::runtime;
use uuid::Uuid;
use wonderpost::db::Store;
use wonderpost::db::cluster::SUPERUSER;
use wonderpost::tables::Tables;

use crate::scratch;

const TEMPLATE: &str = "suite_template";

/// How a clone is made: copying files is quickest, where the server knows the word.
static CLONING: LazyLock<&str> = LazyLock::new(|| {
    block_on_thread(async {
        statement(&format!("create database {TEMPLATE} owner wonderpost")).await;
        let store = Store::new(scratch::cluster().options(TEMPLATE), 1);
        store.migrate().await.expect("the schema");
        store.close().await;
        let mut connection = keeper().await;
        let version: String =
            sqlx::query_scalar("show server_version_num").fetch_one(&mut connection).await.expect("a version");
        if version.parse::<u32>().is_ok_and(|version| version >= 15_00_00) { " strategy file_copy" } else { "" }
    })
});

/// Somebody who may create databases, and sits in none of the tests'.
async fn keeper() -> PgConnection {
    let options = scratch::cluster().options("postgres").username(SUPERUSER);
    PgConnection::connect_with(&options).await.expect("a connection")
}

async fn statement(text: &str) {
    sqlx::query(AssertSqlSafe(text))
        .execute(&mut keeper().await)
        .await
        .unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// A statement that nobody else may be connected for: sessions that were ended may need a moment to go.
async fn insist(text: &str) {
    for _ in 0..100 {
        if sqlx::query(AssertSqlSafe(text)).execute(&mut keeper().await).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    statement(text).await;
}

/// Runs a future on a thread of its own: from a test's runtime, or from none.
fn block_on_thread<T: Send>(work: impl Future<Output = T> + Send) -> T {
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(work)
        });
        worker.join().expect("the work is done")
    })
}

/// A migrated database that goes with the test.
pub struct TestDatabase {
    name: String,
}

impl TestDatabase {
    pub fn new() -> TestDatabase {
        super::log::start();
        let name = format!("test_{}", Uuid::now_v7().simple());
        let cloning = *CLONING;
        block_on_thread(statement(&format!("create database {name} owner wonderpost template {TEMPLATE}{cloning}")));
        TestDatabase { name }
    }

    pub fn options(&self) -> PgConnectOptions {
        scratch::cluster().options(&self.name)
    }

    /// How other programs connect to it.
    pub fn url(&self) -> String {
        scratch::cluster().url_of(&self.name)
    }

    pub fn store(&self) -> Store {
        Store::new(self.options(), 16)
    }

    /// The tables of the house with a memory of their own, as in another process.
    pub fn tables(&self) -> Tables {
        Tables::new(self.store(), wonderpost_games::catalogue(), Arc::default())
    }

    /// A connection of the service's own role.
    pub async fn connection(&self) -> PgConnection {
        PgConnection::connect_with(&self.options()).await.expect("a connection")
    }

    /// A connection of somebody who may do anything.
    pub async fn superuser(&self) -> PgConnection {
        let options = self.options().username(SUPERUSER);
        PgConnection::connect_with(&options).await.expect("a connection")
    }

    /// Does what nobody may: a statement with the guards of events off.
    pub async fn tamper(&self, text: &str) {
        let mut connection = self.superuser().await;
        for text in ["alter table event disable trigger all", text, "alter table event enable trigger all"] {
            sqlx::query(AssertSqlSafe(text))
                .execute(&mut connection)
                .await
                .unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }

    /// Breaks all connections of the service.
    pub async fn break_connections(&self) {
        sqlx::query(
            "select pg_terminate_backend(pid) from pg_stat_activity
             where datname = $1 and pid <> pg_backend_pid() and usename = 'wonderpost'",
        )
        .bind(&self.name)
        .execute(&mut keeper().await)
        .await
        .expect("connections broken");
    }

    /// Sets something for new connections, and breaks those that are open: `set …`, or `reset all`.
    pub async fn configure(&self, change: &str) {
        statement(&format!("alter database {} {change}", self.name)).await;
        self.break_connections().await;
    }

    /// Lets nobody in any more and breaks all connections, until `come_back`.
    pub async fn go_away(&self) {
        statement(&format!("alter database {} with allow_connections false", self.name)).await;
        self.break_connections().await;
    }

    pub async fn come_back(&self) {
        statement(&format!("alter database {} with allow_connections true", self.name)).await;
    }

    /// Keeps a copy of the database as it is now, to be restored. The services' connections break.
    pub async fn back_up(&self) -> TestDatabase {
        let copy = TestDatabase { name: format!("{}_backup", self.name) };
        self.go_away().await;
        let cloning = *CLONING;
        insist(&format!("create database {} owner wonderpost template {}{cloning}", copy.name, self.name)).await;
        self.come_back().await;
        copy
    }

    /// Puts a copy in the place of the database, under the services that run on it.
    pub async fn restore(&self, copy: &TestDatabase) {
        self.go_away().await;
        let (name, copy) = (&self.name, &copy.name);
        for text in [
            format!("alter database {name} rename to {name}_lost"),
            format!("alter database {copy} rename to {name}"),
            format!("alter database {name}_lost rename to {copy}"),
        ] {
            insist(&text).await;
        }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        block_on_thread(statement(&format!("drop database {} with (force)", self.name)));
    }
}
