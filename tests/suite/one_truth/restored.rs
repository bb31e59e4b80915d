//! An older database is restored under running services.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use wonderpost::tables::{MoveError, ReadError};
use wonderpost_rules::Viewer;

use super::{assert_sound, id_of, said, shown};
use crate::harness::page::Page;
use crate::harness::{Service, TestDatabase, table};

const WENT_BACK: &str = "The database went back in time; this is the table as it is now.";

/// Plays so many moves and says with which form each was made.
async fn play(visitor: &crate::harness::Visitor, table: &str, moves: usize) -> Vec<(u32, String)> {
    let mut made = Vec::new();
    for _ in 0..moves {
        made.push(visitor.move_on(table).await.expect("a move"));
    }
    made
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_are_played_on_from_where_the_restored_database_stands() {
    let database = TestDatabase::new();
    let (here, there) = (Service::start(&database), Service::start(&database));
    let visitor = here.visitor();
    let elsewhere = visitor.at(&there.url);
    let (table, other) = (visitor.begin().await, visitor.begin().await);
    play(&visitor, &table, 6).await;
    play(&visitor, &other, 4).await;
    let backup = database.back_up().await;
    // All of this is lost, and both services remember it.
    let lost = play(&visitor, &table, 5).await;
    play(&visitor, &other, 3).await;
    let gone = visitor.begin().await;
    for page in [&table, &other, &gone] {
        visitor.look(page).await;
        elsewhere.look(page).await;
    }
    let ghost = visitor.look(&table).await;
    database.restore(&backup).await;

    for somebody in [&visitor, &elsewhere] {
        let answer = somebody.get(&gone).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "a table that the database does not have: {}", answer.body);
        assert_eq!(somebody.say(&gone, 0, "pass").await.status, StatusCode::NOT_FOUND);
        let late = somebody.say(&table, Page(&ghost).step(), "pass").await;
        assert_eq!(late.status, StatusCode::CONFLICT, "{}", late.body);
        assert_eq!(late.page().sentence("error"), Some(WENT_BACK));
        assert_eq!(late.page().step(), 6, "the table as it is now");
    }
    // A move that was acknowledged and lost is made when its form comes again, once.
    let (step, line) = &lost[0];
    for somebody in [&visitor, &elsewhere, &visitor] {
        assert_eq!(somebody.say(&table, *step, line).await.location(), table);
    }
    // Play goes on at one service past what the other one remembers, and then there.
    play(&elsewhere, &other, 5).await;
    play(&visitor, &other, 2).await;
    play(&visitor, &table, 3).await;
    play(&elsewhere, &table, 3).await;

    let fresh = Service::start(&database);
    for page in [&table, &other] {
        let as_it_is = shown(&visitor.at(&fresh.url), page).await;
        assert_eq!(shown(&visitor, page).await, as_it_is);
        assert_eq!(shown(&elsewhere, page).await, as_it_is);
        assert_sound(&database.tables(), id_of(page)).await;
    }
    let records = database.tables().records(id_of(&table)).await.expect("records");
    assert_eq!(said(&records).len(), 13);
    assert_eq!(said(&records).iter().filter(|said| said.move_no == step + 1).count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn looking_at_what_is_lost_leaves_no_false_snapshot() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (caller, id) = table::begin(&tables).await;
    table::play(&tables, &caller, id, 12).await;
    let backup = database.back_up().await;
    table::play(&tables, &caller, id, 6).await;
    let lost = tables.load_fresh(id).await.expect("a table");
    database.restore(&backup).await;
    // Somewhere else the game goes another way, past the next snapshot; then the process with the memory looks, and moves.
    let elsewhere = database.tables();
    let kept = elsewhere.load_fresh(id).await.expect("a table");
    let moves = kept.now.position.legal_moves(table::SEAT);
    let other = moves.iter().find(|line| Some(*line) != table::next_move(&kept).as_ref()).expect("another move");
    elsewhere.submit_moves(&caller, id, kept.now.moves, other).await.expect("a legal move");
    while elsewhere.load_fresh(id).await.expect("a table").now.version <= lost.now.version + 3 {
        table::move_on(&elsewhere, &caller, id).await.expect("a move");
    }
    let seen = tables.load_fresh(id).await.expect("a table");
    assert_eq!(seen.now.write(), elsewhere.load_fresh(id).await.expect("a table").now.write());
    while table::move_on(&tables, &caller, id).await.is_some() {}
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_sound(&database.tables(), id).await;
    let fresh = database.tables();
    let kept = fresh.load_fresh(id).await.expect("a table");
    let records = fresh.records(id).await.expect("records");
    for number in 0..=kept.now.moves {
        let until: Vec<_> = records.iter().filter(|record| record.move_no <= number).cloned().collect();
        let folded = wonderpost::tables::state::table_state::TableState::from_records(&fresh.catalogue, &until)
            .expect("a table");
        let leaf = fresh.table_at_move(&kept, number, Viewer::Public).await.expect("a leaf");
        assert_eq!(leaf.now.write(), folded.write(), "move {number}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_from_a_lost_state_is_not_taken_for_one_from_the_state_in_its_place() {
    let database = TestDatabase::new();
    let (here, there) = (Service::start(&database), Service::start(&database));
    let visitor = here.visitor();
    let table = visitor.begin().await;
    play(&visitor, &table, 4).await;
    let backup = database.back_up().await;
    play(&visitor, &table, 2).await;
    let ghost = visitor.look(&table).await;
    database.restore(&backup).await;
    // The game goes another way up to as many moves as the lost page showed.
    let elsewhere = visitor.at(&there.url);
    for line in ["pass", "pass"] {
        let body = elsewhere.look(&table).await;
        let page = Page(&body);
        let line = if page.offers(line) { line.to_owned() } else { page.next_move().expect("a move") };
        assert_eq!(elsewhere.say(&table, page.step(), &line).await.location(), table);
    }
    let page = Page(&ghost);
    assert_eq!(Page(&elsewhere.look(&table).await).step(), page.step());
    let field = page.between("name=\"step\" value=\"", "\"")[0];
    let answer = visitor.post(&format!("{table}/say"), &[("step", field), ("say", "pass")]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
    assert_eq!(answer.page().sentence("error"), Some(WENT_BACK));
    assert_sound(&database.tables(), id_of(&table)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_are_told_by_a_code_that_the_database_went_back() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let token = visitor.token().await;
    let table = visitor.begin().await;
    play(&visitor, &table, 3).await;
    let say = |step: u32, line: &str| {
        let path = format!("/api/v1/tables/{}/say", id_of(&table));
        let request = visitor.request(Method::POST, &path).bearer_auth(&token);
        let body = json!({"step": step, "say": line}).to_string();
        visitor.send(request.header("content-type", "application/json").body(body))
    };
    let backup = database.back_up().await;
    play(&visitor, &table, 3).await;
    let problem = |body: &str| -> Value { serde_json::from_str(body).expect("a problem") };
    let late = say(1, "end").await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert_eq!(problem(&late.body)["code"], "moved-first");
    assert!(problem(&late.body)["detail"].as_str().expect("words").starts_with("Somebody moved first"));
    database.restore(&backup).await;
    let ahead = say(6, "pass").await;
    assert_eq!(ahead.status, StatusCode::CONFLICT, "{}", ahead.body);
    assert_eq!(problem(&ahead.body)["code"], "went-back");
    assert_eq!(problem(&ahead.body)["detail"], WENT_BACK);
}

#[tokio::test]
async fn a_table_that_is_gone_is_gone_for_everything_that_the_house_does() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let backup = database.back_up().await;
    let (caller, id) = table::begin(&tables).await;
    table::play(&tables, &caller, id, 2).await;
    database.restore(&backup).await;
    assert!(matches!(tables.submit_moves(&caller, id, 2, "pass").await, Err(MoveError::Read(ReadError::NoTable))));
    assert!(matches!(tables.load_fresh(id).await, Err(ReadError::NoTable)));
    assert!(matches!(tables.talk(caller.player, id, "Hallo?").await, Err(MoveError::Read(ReadError::NoTable))));
    assert!(matches!(tables.check(id).await, Err(ReadError::NoTable)));
}
