//! Many writers at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::join_all;
use wonderpost::tables::audit::rebuild::Comparison;
use wonderpost::tables::state::record::TableFact;
use wonderpost::tables::{MoveError, Said, TableId, Tables};

use crate::harness::{TestDatabase, table};

/// The lines that were said at a table, by the number of their move.
async fn said(tables: &Tables, id: TableId) -> BTreeMap<u32, String> {
    let records = tables.records(id).await.expect("records");
    let mut lines = BTreeMap::new();
    for (place, record) in records.iter().enumerate() {
        assert_eq!(record.seq, place as i64 + 1, "no gap");
        if let Ok(TableFact::Said { line, .. }) = serde_json::from_str(record.body.get()) {
            assert!(lines.insert(record.move_no, line).is_none(), "move {} is there twice", record.move_no);
        }
    }
    lines
}

async fn assert_sound(tables: &Tables, id: TableId) {
    let report = tables.check(id).await.expect("a report");
    assert!(!report.fails(), "{report}");
    let comparison = tables.rebuild(id, false).await.expect("a comparison");
    assert!(matches!(comparison, Comparison::Same), "{comparison:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_32_writers_on_one_table_every_acknowledged_move_is_there_exactly_once() {
    let database = TestDatabase::new();
    let houses = [Arc::new(database.tables()), Arc::new(database.tables())];
    let (caller, id) = table::begin(&houses[0]).await;
    let writers = (0..32).map(|number| {
        let (tables, caller) = (houses[number % 2].clone(), caller.clone());
        tokio::spawn(async move {
            let mut acknowledged = Vec::new();
            let mut beaten = 0;
            loop {
                let kept = tables.load_fresh(id).await.expect("a table");
                let moves = kept.now.position.legal_moves(table::SEAT);
                let lasting: Vec<&String> =
                    moves.iter().filter(|line| !matches!(line.as_str(), "end" | "shuffle" | "pass all")).collect();
                // Every writer has a mind of its own.
                let line = match lasting.get(number % lasting.len().max(1)) {
                    Some(line) => (*line).clone(),
                    None => match table::next_move(&kept) {
                        Some(line) => line,
                        None => return (acknowledged, beaten),
                    },
                };
                match tables.submit_moves(&caller, id, kept.now.moves, &line).await {
                    Ok(said) => {
                        assert_eq!((said.made, said.moves), (1, kept.now.moves + 1));
                        acknowledged.push((said.moves, line));
                    }
                    Err(MoveError::MovedOn) => beaten += 1,
                    Err(error) => panic!("{line}: {error}"),
                }
            }
        })
    });
    let mut acknowledged: BTreeMap<u32, String> = BTreeMap::new();
    let mut beaten = 0;
    for writer in join_all(writers).await {
        let (moves, times) = writer.expect("a writer");
        beaten += times;
        for (number, line) in moves {
            let there = acknowledged.insert(number, line.clone());
            assert!(there.is_none_or(|there| there == line), "move {number} was acknowledged as two different ones");
        }
    }
    assert!(beaten > 0, "they got in each other's way");
    assert!(acknowledged.len() > 10);
    for tables in &houses {
        assert_eq!(said(tables, id).await, acknowledged);
        assert_sound(tables, id).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_form_sent_many_times_at_once_is_recorded_once_and_answered_alike() {
    let database = TestDatabase::new();
    let houses = [Arc::new(database.tables()), Arc::new(database.tables())];
    let (caller, id) = table::begin(&houses[0]).await;
    for step in 0..8 {
        let kept = houses[step % 2].load_fresh(id).await.expect("a table");
        let Some(line) = table::next_move(&kept) else { break };
        let step = kept.now.moves;
        let clicks = (0..8).map(|click: usize| {
            let (tables, caller, line) = (houses[click % 2].clone(), caller.clone(), line.clone());
            tokio::spawn(async move { tables.submit_moves(&caller, id, step, &line).await })
        });
        for answer in join_all(clicks).await {
            let said = answer.expect("a click").expect("a legal move");
            assert_eq!((said.made, said.moves, said.refused, said.dropped), (1, step + 1, None, vec![]));
        }
        assert_eq!(said(&houses[0], id).await.len() as u32, step + 1);
    }
    assert_sound(&houses[1], id).await;
}

#[tokio::test]
async fn a_form_sent_again_much_later_is_answered_as_it_was_then() {
    let database = TestDatabase::new();
    let (tables, others) = (database.tables(), database.tables());
    let (caller, id) = table::begin(&tables).await;
    let line = table::next_move(&tables.load_fresh(id).await.expect("a table")).expect("a move");
    let first = tables.submit_moves(&caller, id, 0, &line).await.expect("a legal move");
    table::play(&tables, &caller, id, 12).await;
    let moves = tables.load_fresh(id).await.expect("a table").now.moves;
    // However it is spelled.
    let shouted = format!("  {}  ", line.to_uppercase().replace(' ', "   "));
    for (tables, line) in [(&tables, &line), (&others, &shouted)] {
        let again = tables.submit_moves(&caller, id, 0, line).await.expect("the same answer");
        assert_eq!(again, Said { is_repeated: true, ..first.clone() });
    }
    assert_eq!(tables.load_fresh(id).await.expect("a table").now.moves, moves);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_on_different_tables_never_conflict() {
    let database = TestDatabase::new();
    let tables = Arc::new(database.tables());
    let games = (0..16).map(|_| {
        let tables = tables.clone();
        tokio::spawn(async move {
            let (caller, id) = table::begin(&tables).await;
            let made = table::play(&tables, &caller, id, 12).await;
            assert_eq!(said(&tables, id).await.len() as u32, made);
        })
    });
    join_all(games).await.into_iter().for_each(|game| game.expect("a game"));
    let figures = tables.metrics.write((0, 0));
    assert!(figures.contains("wonderpost_overtaken_total 0"), "{figures}");
}

#[tokio::test]
async fn a_stale_form_is_told_that_somebody_moved_first_and_one_from_the_future_that_time_went_back() {
    let database = TestDatabase::new();
    let (tables, others) = (database.tables(), database.tables());
    let (caller, id) = table::begin(&tables).await;
    let (_, line) = table::move_on(&tables, &caller, id).await.expect("a move");
    let other = if line == "pass" { "pass all" } else { "pass" };
    for tables in [&tables, &others] {
        let refusal = tables.submit_moves(&caller, id, 0, other).await.expect_err("it is stale");
        assert!(matches!(refusal, MoveError::MovedOn), "{refusal}");
        for step in [2, u32::MAX] {
            let refusal = tables.submit_moves(&caller, id, step, "pass").await.expect_err("it has never been so far");
            assert!(matches!(refusal, MoveError::WentBack), "{step}: {refusal}");
        }
    }
    assert_eq!(said(&tables, id).await.len(), 1);
}

#[tokio::test]
async fn only_who_sits_there_can_move_and_only_with_a_session_that_holds() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (caller, id) = table::begin(&tables).await;
    let stranger = table::guest(&tables.store).await;
    // Somebody who knows whose table it is, and brings a session of their own.
    let mut impostor = stranger.clone();
    impostor.player = caller.player;
    for nobody in [&stranger, &impostor] {
        let refusal = tables.submit_moves(nobody, id, 0, "pass").await.expect_err("not theirs");
        assert!(matches!(refusal, MoveError::NotSeated), "{refusal}");
    }
    database.tamper(&format!("update session set expires_at = now() where player_id = '{}'", caller.player)).await;
    let refusal = tables.submit_moves(&caller, id, 0, "pass").await.expect_err("the session has ended");
    assert!(matches!(refusal, MoveError::NotSeated), "{refusal}");
    assert_eq!(said(&tables, id).await.len(), 0);
}
