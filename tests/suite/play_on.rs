//! Playing on from a step of a finished game.

use reqwest::{Method, StatusCode};
use serde_json::Value;
use wonderpost::tables::TableId;

use crate::harness::page::Page;
use crate::harness::red_queen::{after_draws, say, sit};
use crate::harness::{Service, TestDatabase, letters};

async fn view(database: &TestDatabase, table: &str, number: u32) -> Value {
    let id: TableId = table.trim_start_matches("/t/").parse().unwrap();
    let tables = database.tables();
    let cached = tables.load_fresh(id).await.unwrap();
    let leaf = tables.revealed_at_move(&cached, number).await.unwrap();
    let seats = wonderpost_rules::Seat::all(2).map(wonderpost_rules::Viewer::Seat);
    seats.map(|viewer| leaf.now.position.view(viewer)).collect()
}

#[actix_web::test]
async fn a_finished_game_is_played_on_against_bots_from_any_step() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = after_draws(&service, 2).await;
    assert!(!one.look(&format!("{table}/at/1")).await.contains("Play on from here"), "not while it runs");
    let form = [("seat", "1"), ("others", "easy")];
    let refused = one.post(&format!("{table}/at/1/play-on"), &form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    two.post(&format!("{table}/resign"), &[]).await;
    assert!(one.look(&format!("{table}/at/1")).await.contains("Play on from here"));

    // Anybody may, also somebody who has just come.
    let stranger = service.visitor();
    let branch = stranger.post(&format!("{table}/at/1/play-on"), &form).await.location();
    assert_ne!(branch, table);
    assert_eq!(view(&database, &branch, 0).await, view(&database, &table, 1).await, "everything is as it was");
    let page = stranger.look(&branch).await;
    assert!(page.contains(&format!("{table}/at/1")) && page.contains("counts in no figures"), "{page}");
    assert!(page.contains("Your move"), "seat 1 was to move: {page}");
    let step = Page(&page).step();
    assert_eq!(say(&stranger, &branch, step, "draw").await, StatusCode::SEE_OTHER);
    assert_eq!(view(&database, &table, 1).await, view(&database, &branch, 0).await, "the old game stays as it is");
    // Chance is its own: what is drawn next comes from another seed.
    stranger.post(&format!("{branch}/resign"), &[]).await;
    let checked = stranger.look(&format!("{branch}/check")).await;
    assert!(checked.contains("everything checks out") && checked.contains("facts are the same"), "{checked}");
    let results = database.tables().catch_up_results(chrono::TimeDelta::days(1)).await.unwrap();
    assert!(results.results >= 2);
    let branch_id = branch.trim_start_matches("/t/");
    let uncounted = format!("update game_result set lead = null where table_id = '{branch_id}' and not counts");
    assert_eq!(letters::execute(&database, &uncounted).await, 1, "it counts in no figures");
}

#[actix_web::test]
async fn friends_take_the_other_seats_and_programs_can_play_on_too() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = after_draws(&service, 2).await;
    two.post(&format!("{table}/resign"), &[]).await;
    let branch = one.post(&format!("{table}/at/2/play-on"), &[("seat", "2"), ("others", "people")]).await.location();
    assert!(one.look(&branch).await.contains("one more joins"));
    sit(&two, &branch).await;
    assert_eq!(view(&database, &branch, 0).await, view(&database, &table, 2).await);
    let token = one.token().await;
    let id = table.trim_start_matches("/t/");
    let ask = |number: u32, body: &'static str| {
        let path = format!("/api/v1/tables/{id}/moves/{number}/play-on");
        let request = one.request(Method::POST, &path).bearer_auth(&token);
        one.send(request.header("content-type", "application/json").body(body))
    };
    let opened = ask(0, r#"{"seat": 1, "bots": "easy"}"#).await;
    assert_eq!(opened.status, StatusCode::OK, "{}", opened.body);
    for (number, body) in [(99, r#"{"seat": 1, "bots": "easy"}"#), (1, r#"{"seat": 7, "bots": "easy"}"#)] {
        assert_eq!(ask(number, body).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{number} {body}");
    }
}
