//! A real PgBouncer between services and database.

use super::House;
use crate::harness::TestDatabase;
use crate::harness::pgbouncer::{PgBouncer, PoolMode};
use crate::harness::program::run;
use crate::scratch;

/// What a service that does not start says.
fn refusal(database_url: &str, more: &[&str]) -> String {
    let folder = scratch::folder();
    let mut arguments = vec!["serve", "--listen", "127.0.0.1:0", "--database-url", database_url];
    arguments.extend(more);
    let ended = run(folder.path(), &arguments);
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!ended.status.success(), "it started: {said}");
    said
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn through_a_pooler_in_session_mode_tables_are_played_and_watched() {
    let Some(pooler) = PgBouncer::start(PoolMode::Session) else { return };
    let database = TestDatabase::new();
    let house = House::open(&pooler.url(&database)).await;
    for _ in 0..3 {
        house.is_played_and_watched().await;
    }
    // The pooler's connections break, too.
    database.break_connections().await;
    house.becomes_ready().await;
    house.is_played_and_watched().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_in_transaction_mode_that_forgets_statements_is_refused_with_what_to_change() {
    let Some(pooler) = PgBouncer::start(PoolMode::Transaction) else { return };
    let database = TestDatabase::new();
    let direct = database.url();
    // A direct way for the rest does not help.
    for more in [&[][..], &["--direct-database-url", &direct]] {
        let said = refusal(&pooler.url(&database), more);
        for words in ["transaction mode", "PgBouncer 1.21", "max_prepared_statements", "pool_mode = session"] {
            assert!(said.contains(words), "{said}");
        }
    }
    // And none that is of the same kind.
    let said = refusal(&direct, &["--direct-database-url", &pooler.url(&database)]);
    assert!(said.contains("--direct-database-url") && said.contains("pool_mode = session"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn through_a_pooler_in_transaction_mode_that_keeps_statements_tables_are_played_and_watched() {
    let Some(pooler) = PgBouncer::start(PoolMode::TransactionKeepingStatements) else { return };
    let database = TestDatabase::new();
    let said = refusal(&pooler.url(&database), &[]);
    assert!(said.contains("--direct-database-url"), "{said}");
    let house = House::open_with(&pooler.url(&database), &["--direct-database-url", &database.url()]).await;
    for _ in 0..3 {
        house.is_played_and_watched().await;
    }
}
