//! The database fails in the middle of a game.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use wonderpost::tables::audit::rebuild::Comparison;

use crate::harness::{TestDatabase, table};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_are_said_again_when_connections_break_and_recorded_once() {
    let database = Arc::new(TestDatabase::new());
    let tables = Arc::new(database.tables());
    let mut begun = Vec::new();
    for _ in 0..6 {
        begun.push(table::begin(&tables).await);
    }
    let over = Arc::new(AtomicBool::new(false));
    let breaking = tokio::spawn({
        let (database, over) = (database.clone(), over.clone());
        async move {
            let mut times = 0;
            while !over.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(400)).await;
                database.break_connections().await;
                times += 1;
            }
            times
        }
    });
    let games = begun.into_iter().map(|begun| {
        let tables = tables.clone();
        tokio::spawn(async move {
            let (caller, id) = begun;
            let mut made = 0;
            while table::move_on(&tables, &caller, id).await.is_some() {
                made += 1;
                assert_eq!(tables.load_fresh(id).await.expect("a table").now.moves, made, "recorded once");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            (id, made)
        })
    });
    let games = join_all(games).await;
    over.store(true, Ordering::Relaxed);
    let times = breaking.await.expect("it");
    for game in games {
        let (id, made) = game.expect("a game");
        assert!(made > 0);
        let report = tables.check(id).await.expect("a report");
        assert!(report.is_complete(), "{report}");
        assert!(matches!(tables.rebuild(id, false).await.expect("it"), Comparison::Same));
    }
    assert!(times > 1, "they were broken in the middle");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pool_full_of_broken_connections_costs_nobody_a_move() {
    let database = TestDatabase::new();
    let tables = Arc::new(database.tables());
    let (caller, id) = table::begin(&tables).await;
    let questions = (0..64).map(|_| {
        let tables = tables.clone();
        tokio::spawn(async move { tables.store.outbox_figures().await })
    });
    for answer in join_all(questions).await {
        answer.expect("it").expect("an answer");
    }
    assert!(tables.store.connections().0 > 8, "many connections are open");
    database.break_connections().await;
    table::move_on(&tables, &caller, id).await.expect("a move");
}
