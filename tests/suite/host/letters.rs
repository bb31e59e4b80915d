//! The outbox in the console.

use reqwest::StatusCode;

use super::{deeds, hosted};
use crate::harness::{TestDatabase, letters};

#[actix_web::test]
async fn the_host_sees_what_waits_and_tries_dead_letters_again_without_reading_any() {
    let database = TestDatabase::new();
    let (_service, host) = hosted(&database).await;
    let page = host.look("/host/letters").await;
    assert!(page.contains("Nothing waits.") && page.contains("There are none."), "{page}");
    letters::execute(
        &database,
        "insert into letter (kind, address, details, tries, tried_at, send_after, dropped_at, trouble) values
           ('sign-in', 'dormouse@example.com', '{\"token\": \"SECRET-TOKEN\", \"code\": \"123456\"}', 4, now(), now() + interval '2 hours', null,
            'transient error (451): <dormouse@example.com> later'),
           ('turn', null, '{}', 12, now(), now(), now(), 'given up: timed out'),
           ('address-changed', 'lory@example.com', '{}', 3, now(), now(), now(), 'permanent error (550): <lory@example.com> unknown')",
    )
    .await;
    let page = host.look("/host/letters").await;
    for words in [
        "d…@example.com",
        "transient error (451): (an address) later",
        "in 2 hours",
        "given up: timed out",
        "l…@example.com",
    ] {
        assert!(page.contains(words), "{words} in {page}");
    }
    for secret in ["SECRET-TOKEN", "123456", "dormouse@", "lory@"] {
        assert!(!page.contains(secret), "{secret} in {page}");
    }
    assert_eq!(page.matches("Try again").count(), 1, "only what can be said again");
    let letter =
        page.split("name=\"letter\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a button");
    assert_eq!(host.post("/host/letters", &[("letter", letter)]).await.location(), "/host/letters?done=again");
    let again = host.post("/host/letters", &[("letter", letter)]).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY, "it is no longer dead");
    assert_eq!(deeds(&database).await, [("letter-retried".to_owned(), String::new())]);
    assert!(host.look("/host/log").await.contains(&format!("tried letter {letter} again")));
}

#[actix_web::test]
async fn nobody_changes_the_log() {
    let database = TestDatabase::new();
    let (_service, _host) = hosted(&database).await;
    letters::execute(&database, "insert into host_log (at, host_id, deed) select now(), id, 'suspended' from player")
        .await;
    for text in ["update host_log set deed = 'lifted'", "delete from host_log", "truncate host_log cascade"] {
        let done = sqlx::query(text).execute(&mut database.connection().await).await;
        assert!(done.is_err_and(|error| error.to_string().contains("never changed")), "{text}");
    }
}
