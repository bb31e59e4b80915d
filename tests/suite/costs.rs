//! What pages and moves cost, counted: statements to the database. Times would depend on the machine.

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::{Method, RequestBuilder};
use serde_json::json;
use wonderpost::db::tables::looks::SeatLook;

use crate::harness::red_queen::two_at_a_table;
use crate::harness::table::{SEAT, begin};
use crate::harness::timed_house::TimedHouse;
use crate::harness::visitor::Answer;
use crate::harness::{Service, TestDatabase, Visitor, letters, log};

/// How many statements a request sent to the database, as the log says.
fn statements(answer: &Answer) -> u32 {
    let (id, lines) = (answer.header("x-request-id"), log::lines());
    let line = lines.lines().find(|line| line.contains(id) && line.contains("answered")).expect("a line in the log");
    let number = line.split("statements=").nth(1).and_then(|rest| rest.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).expect("a number of statements")
}

/// The fewest of several times: announcements are read again from time to time.
async fn fewest_statements(visitor: &Visitor, path: &str) -> u32 {
    let mut fewest = u32::MAX;
    for _ in 0..4 {
        let answer = visitor.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        fewest = fewest.min(statements(&answer));
    }
    fewest
}

/// A move as a program sends it.
fn api_move(visitor: &Visitor, path: &str, token: &str, step: u32, line: &str) -> RequestBuilder {
    let body = json!({"step": step, "say": line}).to_string();
    visitor.request(Method::POST, path).bearer_auth(token).header("content-type", "application/json").body(body)
}

#[actix_web::test]
async fn a_table_at_hand_asks_the_database_twice_for_a_player_and_once_for_a_spectator() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    two.post(&format!("{table}/talk"), &[("words", "Well met!")]).await.location();
    one.post(&format!("{table}/note"), &[("words", "Keep the queen.")]).await.location();
    let page = one.look(&table).await;
    assert!(page.contains("Well met!") && page.contains("Keep the queen."));
    assert_eq!(
        fewest_statements(&one, &table).await,
        2,
        "whose session it is, and the table with all beside the board"
    );
    assert_eq!(fewest_statements(&one, &format!("{table}/at/0")).await, 2);
    let spectator = service.visitor();
    assert_eq!(fewest_statements(&spectator, &table).await, 1);
    assert_eq!(fewest_statements(&spectator, "/").await, 2, "the open tables, and one to watch");
    assert_eq!(fewest_statements(&spectator, "/archive").await, 1);
}

#[actix_web::test]
async fn a_move_is_one_statement_by_form_and_by_the_api() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let (table, token) = (visitor.begin().await, visitor.token().await);
    let id = table.trim_start_matches("/t/");
    for (call, by_api) in [false, true, true].into_iter().enumerate() {
        let page = visitor.get(&table).await;
        let (line, step) = (page.page().next_move().expect("a move"), page.page().step());
        let answer = if by_api {
            let path = format!("/api/v1/tables/{id}/say");
            visitor.send(api_move(&visitor, &path, &token, step, &line)).await
        } else {
            let stamp = page.page().stamp().to_owned();
            let form = [("step", &*step.to_string()), ("say", &line), ("sure", "yes")];
            visitor.post_stamped(&format!("{table}/say"), &form, &stamp).await
        };
        assert!(answer.status.is_success() || answer.status.is_redirection(), "{}", answer.body);
        // The first call finds out whose token it is.
        let most = if call == 1 { 2 } else { 1 };
        assert_eq!(statements(&answer), most, "{line} by the API: {by_api}");
    }
}

#[actix_web::test]
async fn a_token_that_is_revoked_elsewhere_moves_nothing_and_tells_nothing() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let (table, token) = (visitor.begin().await, visitor.token().await);
    let say = async |line: &str, step: u32| {
        let path = format!("/api/v1/tables/{}/say", table.trim_start_matches("/t/"));
        visitor.send(api_move(&visitor, &path, &token, step, line)).await.status
    };
    let page = visitor.get(&table).await;
    let (line, step) = (page.page().next_move().expect("a move"), page.page().step());
    assert_eq!(say(&line, step).await, 200);
    letters::execute(&database, "delete from api_token").await;
    let page = visitor.get(&table).await;
    let next = page.page().next_move().expect("a move");
    for (line, step) in [(&*next, step + 1), ("nonsense", step + 1), (&*line, step)] {
        assert_eq!(say(line, step).await, 401, "{line}");
    }
    assert_eq!(visitor.get(&table).await.page().step(), step + 1);
}

#[tokio::test]
async fn who_looked_at_a_table_is_written_when_the_service_stops() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (_, table) = begin(&tables).await;
    let look = tables.store.note_look(table, SEAT, SeatLook::default(), 3);
    assert_eq!((look.moves, look.at), (0, None));
    tables.store.close().await;
    let looked = "select last_look_move from seat where last_look_at is not null";
    let looked: i32 = sqlx::query_scalar(looked).fetch_one(&mut database.connection().await).await.expect("a look");
    assert_eq!(looked, 3);
}

#[tokio::test]
async fn a_move_against_the_clock_changes_nothing_that_is_indexed_and_the_table_is_put_off_when_it_was_due() {
    let house = TimedHouse::new("2026-11-16T10:00:00Z");
    let (hare, hatter) = (house.person("Hare").await, house.person("Hatter").await);
    let table = house.begin("red-queen", &[&hare, &hatter], Some(86_400)).await;
    let due = async || -> DateTime<Utc> {
        let due = sqlx::query_scalar("select due from game_table");
        due.fetch_one(&mut house.database.connection().await).await.expect("a table that is due")
    };
    let version = async || house.tables.load_fresh(table).await.expect("a table").now.version;
    let first = due().await;
    house.pass(TimeDelta::hours(1));
    house.play_turn_of(table, &[&hare, &hatter], &hare).await;
    let moved = version().await;
    assert_eq!(due().await, first, "the hatter has longer than that");
    house.pass(TimeDelta::hours(23) + TimeDelta::minutes(1));
    assert_eq!(house.tables.process_due_tables().await.expect("a sweep"), 1);
    assert_eq!((version().await, due().await), (moved, first + TimeDelta::hours(1)));
    house.pass(TimeDelta::hours(1));
    house.tables.process_due_tables().await.expect("a sweep");
    assert!(version().await > moved, "now the hatter is late");
}
