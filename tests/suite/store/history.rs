//! Leafing back: every leaf is what folding the events up to it gives, whatever the snapshots say.

use wonderpost::tables::state::table_state::TableState;
use wonderpost::tables::{Credentials, LoggedMove, ReadError, TableId, Tables};
use wonderpost_rules::Viewer;

use crate::harness::{TestDatabase, table};

/// A game of at least so many moves that is still going on.
async fn long_game(tables: &Tables, moves: u32) -> (Credentials, TableId) {
    loop {
        let (caller, id) = table::begin(tables).await;
        if table::play(tables, &caller, id, moves).await == moves
            && !tables.load_fresh(id).await.expect("a table").now.awaiting().is_empty()
        {
            return (caller, id);
        }
    }
}

/// All leaves of a table, as somebody sees them who has just come.
async fn leaves(database: &TestDatabase, id: TableId) -> Vec<(String, Option<String>, Vec<LoggedMove>)> {
    let tables = database.tables();
    let kept = tables.load_fresh(id).await.expect("a table");
    let mut leaves = Vec::new();
    for number in 0..=kept.now.moves {
        let leaf = tables.table_at_move(&kept, number, Viewer::Public).await.expect("a leaf");
        leaves.push((leaf.now.write(), leaf.before.map(|before| before.write()), leaf.log));
    }
    leaves
}

async fn snapshots(database: &TestDatabase) -> i64 {
    sqlx::query_scalar("select count(*) from checkpoint").fetch_one(&mut database.connection().await).await.expect("it")
}

#[tokio::test]
async fn every_leaf_is_a_fold_of_the_moves_up_to_it() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (_, id) = long_game(&tables, 40).await;
    let records = tables.records(id).await.expect("records");
    let leaves = leaves(&database, id).await;
    assert_eq!(leaves.len(), 41);
    for (number, (now, before, log)) in leaves.iter().enumerate() {
        let until: Vec<_> = records.iter().filter(|record| record.move_no as usize <= number).cloned().collect();
        assert_eq!(
            *now,
            TableState::from_records(&tables.catalogue, &until).expect("a table").write(),
            "move {number}"
        );
        if number > 0 {
            assert_eq!(before.as_ref(), Some(&leaves[number - 1].0), "before move {number}");
        }
        let numbers: Vec<usize> = log.iter().map(|entry| entry.number as usize).collect();
        let expected: Vec<usize> = (number.saturating_sub(15)..=number).collect();
        assert_eq!(numbers, expected, "the log at move {number}");
        assert!(log.iter().all(|entry| !entry.lines.is_empty()), "something happened in each move: {log:?}");
    }
    let kept = tables.load_fresh(id).await.expect("a table");
    assert!(matches!(tables.table_at_move(&kept, 41, Viewer::Public).await, Err(ReadError::NoMove)));
}

#[tokio::test]
async fn snapshots_lost_damaged_or_of_another_shape_change_nothing() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (caller, id) = long_game(&tables, 40).await;
    let expected = leaves(&database, id).await;
    // They are written in the background.
    for _ in 0..100 {
        if snapshots(&database).await > 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(snapshots(&database).await > 1, "a long game has some");
    for damage in [
        "update checkpoint set state = 'a treacle well'",
        "update checkpoint set state = '{}'",
        "update checkpoint set state = replace(state, 'garden', 'orchard')",
        "update checkpoint set state = (select state from checkpoint order by seq limit 1)",
        "update checkpoint set state = regexp_replace(state, '\"draws\":\\d+', '\"draws\":7')",
        "update checkpoint set digest = sha256('jabberwock')",
        "update checkpoint set shape = 'of another build', state = 'whatever it wrote'",
        "delete from checkpoint where seq = (select min(seq) from checkpoint)",
        "delete from checkpoint where seq = (select max(seq) from checkpoint)",
        "delete from checkpoint",
    ] {
        database.tamper(damage).await;
        assert!(leaves(&database, id).await == expected, "{damage}");
    }
    // The game goes on from none.
    database.tamper("delete from checkpoint").await;
    let newcomer = database.tables();
    table::move_on(&newcomer, &caller, id).await.expect("a move");
    assert_eq!(leaves(&database, id).await.len(), expected.len() + 1);
}
