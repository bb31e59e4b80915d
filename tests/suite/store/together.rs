//! Moves at several tables that go to the database together: none suffers from another.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sqlx::{AssertSqlSafe, Connection};
use wonderpost::tables::{Credentials, MoveError, Said, TableId, Tables};

use crate::harness::{TestDatabase, table};

/// Tables that are dealt.
async fn several(tables: &Tables) -> Vec<(Credentials, TableId)> {
    let mut games = Vec::new();
    for _ in 0..8 {
        games.push(table::begin(tables).await);
    }
    games
}

/// One move at each table, all at once, and when each was made.
async fn move_at_each(tables: &Tables, games: &[(Credentials, TableId)]) -> Vec<(Result<Said, MoveError>, Instant)> {
    let mut moves = Vec::new();
    for (caller, id) in games {
        let kept = tables.load_fresh(*id).await.expect("a table");
        moves.push((caller, *id, kept.now.moves, table::next_move(&kept).expect("a move")));
    }
    let say = |(caller, id, step, line): (_, _, _, String)| async move {
        (tables.submit_moves(caller, id, step, &line).await, Instant::now())
    };
    join_all(moves.into_iter().map(say)).await
}

#[tokio::test]
async fn moves_at_several_tables_at_once_go_in_fewer_transactions_than_moves() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let games = several(&tables).await;
    for (said, _) in move_at_each(&tables, &games).await {
        assert_eq!(said.expect("a move").made, 1);
    }
    // What one transaction writes carries its number.
    let transactions: i64 =
        sqlx::query_scalar("select count(distinct xmin::text) from event where kind = 'table-said'")
            .fetch_one(&mut database.connection().await)
            .await
            .expect("a count");
    assert!(transactions < games.len() as i64, "{transactions} transactions");
}

#[tokio::test]
async fn a_move_that_the_database_refuses_does_not_harm_those_that_go_with_it() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let games = several(&tables).await;
    let (_, broken) = games[3];
    // Where the next event belongs there is one already.
    database
        .tamper(&format!(
            "insert into event select table_id, seq + 1, move_no, seat, at, kind, body, digest
             from event where table_id = '{}' order by seq desc limit 1",
            broken.0
        ))
        .await;
    for (place, (said, _)) in move_at_each(&tables, &games).await.into_iter().enumerate() {
        assert_eq!(said.is_ok(), place != 3, "{said:?}");
    }
    for (_, id) in games.iter().filter(|(_, id)| *id != broken) {
        assert!(!tables.check(*id).await.expect("a report").fails());
    }
}

#[tokio::test]
async fn a_table_that_somebody_holds_on_to_does_not_hold_up_the_others() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let games = several(&tables).await;
    let mut connection = database.superuser().await;
    let mut holding = connection.begin().await.expect("a transaction");
    let lock = format!("select from game_table where id = '{}' for update", games[3].1);
    sqlx::query(AssertSqlSafe(lock)).execute(&mut *holding).await.expect("a lock");
    let let_go = async {
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        let let_go_at = Instant::now();
        holding.rollback().await.expect("an end");
        let_go_at
    };
    let (moved, let_go_at) = tokio::join!(move_at_each(&tables, &games), let_go);
    for (place, (said, at)) in moved.into_iter().enumerate() {
        assert_eq!(said.expect("a move").made, 1);
        assert_eq!(at > let_go_at, place == 3, "a move at table {place}");
    }
}
