//! Letters that could not be sent, as the host sees them.

use reqwest::{Method, StatusCode};

use crate::harness::{Service, TestDatabase, letters};

const ALICE: &str = "alice@example.org";

/// Letters that were given up: one to somebody without an account, and one about a game.
async fn given_up(database: &TestDatabase, table: &str) {
    let table = table.trim_start_matches("/t/");
    letters::execute(database, "update seat set last_look_at = null").await;
    let words = format!(
        "insert into letter (kind, address, player_id, table_id, move_no, tries, tried_at, dropped_at, trouble)
         select 'address-changed', 'dormouse@example.com', null, null, null, 3, now(), now(), 'permanent error (550): <dormouse@example.com> unknown'
         union all
         select 'turn', null, player_id, table_id, 0, 12, now(), now(), 'given up: timed out' from seat where table_id = '{table}'"
    );
    assert_eq!(letters::execute(database, &words).await, 2);
}

#[actix_web::test]
async fn the_host_sees_letters_that_could_not_be_sent_and_tries_one_again() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    assert!(visitor.look("/mailbox/dead").await.contains("There are none."));
    let table = visitor.post("/daily", &[]).await.location();
    let known = format!("update player set email = '{ALICE}'");
    letters::execute(&database, &known).await;
    given_up(&database, &table).await;

    let page = visitor.look("/mailbox/dead").await;
    for words in [
        "address-changed, to (an address)",
        "permanent error (550): (an address) unknown",
        "after 12 tries",
        "given up: timed out",
    ] {
        assert!(page.contains(words), "{words} in {page}");
    }
    assert!(!page.contains('@'), "no addresses");
    let letters_on_page = page.matches("Try again").count();
    assert_eq!(letters_on_page, 1, "only what can be said again");
    let letter =
        page.split("name=\"letter\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a button");
    assert_eq!(visitor.post("/mailbox/dead", &[("letter", letter)]).await.location(), "/mailbox/dead?done=again");
    letters::until(&database, "kind = 'turn' and sent_at is not null").await;
    let page = visitor.look("/mailbox/dead?done=again").await;
    assert!(page.contains("The letter is tried again.") && !page.contains("timed out"), "{page}");
    // It is no longer dead, so there is nothing to try.
    assert_eq!(visitor.post("/mailbox/dead", &[("letter", letter)]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[actix_web::test]
async fn nobody_else_sees_them() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.post("/daily", &[]).await.location();
    given_up(&database, &table).await;
    for header in ["x-forwarded-for", "forwarded", "via", "x-real-ip"] {
        let request = visitor.request(Method::GET, "/mailbox/dead").header(header, "192.0.2.1");
        assert_eq!(visitor.send(request).await.status, StatusCode::NOT_FOUND, "{header}");
        let stamp = visitor.stamp().await;
        let form = [("letter", "2"), ("csrf", stamp.as_str())];
        let request = visitor.request(Method::POST, "/mailbox/dead").header(header, "192.0.2.1").form(&form);
        assert_eq!(visitor.send(request).await.status, StatusCode::NOT_FOUND, "{header}");
    }
    let dead: i64 =
        sqlx::query_scalar("select count(*) from letter where dropped_at is not null and trouble is not null")
            .fetch_one(&mut database.connection().await)
            .await
            .unwrap();
    assert_eq!(dead, 2);
}
