//! `Idempotency-Key`: sent twice, done once, whoever is asked and whenever.

use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use sqlx::AssertSqlSafe;

use crate::harness::visitor::Answer;
use crate::harness::{Service, TestDatabase, Visitor};

const OPEN: &str = r#"{"game": "we-are-not-amused"}"#;

async fn post(visitor: &Visitor, token: &str, path: &str, key: &str, body: &str) -> Answer {
    let request = visitor.request(Method::POST, &format!("/api/v1{path}")).bearer_auth(token);
    let request = request.header("content-type", "application/json").header("idempotency-key", key);
    visitor.send(request.body(body.to_owned())).await
}

async fn count(database: &TestDatabase, what: &str) -> i64 {
    let query = format!("select count(*) from {what}");
    sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut database.connection().await).await.unwrap()
}

#[tokio::test]
async fn a_table_is_opened_once_however_often_it_is_asked_for() {
    let database = TestDatabase::new();
    let (one, other) = (Service::start(&database), Service::start(&database));
    let visitor = one.visitor();
    let token = visitor.token().await;
    let before = count(&database, "game_table").await;
    let everywhere = [visitor.at(&one.url), visitor.at(&other.url)];
    let asked = (0..16).map(|place| post(&everywhere[place % 2], &token, "/tables", "tea-time", OPEN));
    let answers = join_all(asked).await;
    for answer in &answers {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        assert_eq!(answer.body, answers[0].body);
        assert_eq!(answer.header("content-type"), "application/json");
    }
    let replayed = answers.iter().filter(|answer| answer.headers.contains_key("idempotency-replayed")).count();
    assert_eq!(replayed, answers.len() - 1);
    assert_eq!(count(&database, "game_table").await, before + 1);
    // Another key, and another player's same key, are other requests.
    assert_ne!(post(&visitor, &token, "/tables", "tea-time-2", OPEN).await.body, answers[0].body);
    let stranger = one.visitor();
    let theirs = stranger.token().await;
    assert_ne!(post(&stranger, &theirs, "/tables", "tea-time", OPEN).await.body, answers[0].body);
}

#[tokio::test]
async fn a_key_stands_for_one_request() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let token = visitor.token().await;
    assert_eq!(post(&visitor, &token, "/tables", "key", OPEN).await.status, StatusCode::OK);
    let tables = count(&database, "game_table").await;
    for (path, body) in [("/tables", r#"{"game": "red-queen"}"#), ("/tables?a=b", OPEN), ("/daily", OPEN)] {
        let answer = post(&visitor, &token, path, "key", body).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{path} {body}");
        assert!(answer.body.contains("used for another request"), "{}", answer.body);
    }
    for key in ["", " ", "a b", &"k".repeat(256)] {
        let answer = post(&visitor, &token, "/tables", key, OPEN).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{key}");
    }
    assert_eq!(post(&visitor, "wonderpost-nothing", "/tables", "key", OPEN).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(count(&database, "game_table").await, tables);
    // A refusal is repeated, too.
    for replayed in [false, true] {
        let answer = post(&visitor, &token, "/tables", "bad", r#"{"game": "chess"}"#).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(answer.headers.contains_key("idempotency-replayed"), replayed);
    }
}

#[tokio::test]
async fn a_request_that_broke_off_with_its_process_is_carried_out_once() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let token = visitor.token().await;
    let first = post(&visitor, &token, "/tables", "key", OPEN).await;
    let tables = count(&database, "game_table").await;
    // As if the process had ended after the table was opened and before the answer was kept.
    let broken_off =
        "update idempotent_request set status = null, body = null, claimed_at = now() - interval '2 minutes'";
    sqlx::query(broken_off).execute(&mut database.connection().await).await.unwrap();
    let again = post(&visitor, &token, "/tables", "key", OPEN).await;
    assert_eq!((again.status, again.body), (StatusCode::OK, first.body));
    assert_eq!(count(&database, "game_table").await, tables, "no second table");
}

#[tokio::test]
async fn while_the_database_is_away_nothing_is_kept_and_a_later_try_succeeds() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let token = visitor.token().await;
    database.go_away().await;
    assert_eq!(post(&visitor, &token, "/tables", "key", OPEN).await.status, StatusCode::SERVICE_UNAVAILABLE);
    database.come_back().await;
    assert_eq!(post(&visitor, &token, "/tables", "key", OPEN).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_token_is_made_once_and_nowhere_kept() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let token = visitor.token().await;
    let body = r#"{"title": "another"}"#;
    let first = post(&visitor, &token, "/me/tokens", "key", body).await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.body);
    let tokens = count(&database, "api_token").await;
    let again = post(&visitor, &token, "/me/tokens", "key", body).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert!(again.body.contains("shown once"), "{}", again.body);
    assert_eq!(count(&database, "api_token").await, tokens);
    assert_eq!(count(&database, "idempotent_request where body is not null").await, 0);
}

#[tokio::test]
async fn hours_are_cleared_by_null_and_not_by_leaving_them_out() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let token = visitor.token().await;
    let put = async |token: Option<&str>, body: &'static str| {
        let mut request = visitor.request(Method::PUT, "/api/v1/me/hours").header("content-type", "application/json");
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        visitor.send(request.body(body)).await.status
    };
    assert_eq!(put(Some(&token), "{}").await, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(put(Some(&token), "[null]").await, StatusCode::UNPROCESSABLE_ENTITY, "a list is no object");
    assert_eq!(put(Some(&token), r#"{"hours": null}"#).await, StatusCode::NO_CONTENT);
    // Who has no token hears of that first.
    assert_eq!(put(None, "{}").await, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn answers_are_forgotten_after_two_days() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let token = visitor.token().await;
    for (key, age) in [("old", "3 days"), ("new", "1 day")] {
        post(&visitor, &token, "/tables", key, OPEN).await;
        let aged = format!(
            "update idempotent_request set claimed_at = now() - interval '{age}' where claimed_at > now() - interval '1 hour'"
        );
        sqlx::query(AssertSqlSafe(aged)).execute(&mut database.connection().await).await.unwrap();
    }
    database.tables().clear_away().await.unwrap();
    assert_eq!(count(&database, "idempotent_request").await, 1);
}
