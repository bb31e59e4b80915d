//! Under which names letters go, and how they are refused.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use reqwest::{Client, Method, StatusCode};
use wonderpost::tables::TableId;

use crate::harness::sink::{Received, Sink};
use crate::harness::timed_house::{TimedHouse, post_settings};
use crate::harness::{Service, TestDatabase, Visitor, letters};

const NOON: &str = "2026-11-16T12:00:00Z";

/// What somebody with such wishes gets in a few turns at a table.
async fn letters_of_some_turns(wishes: &str) -> (TableId, Vec<Received>) {
    let house = TimedHouse::new(NOON);
    let sink = Sink::start([]).await;
    let (alice, hatter) = (house.person("Alice").await, house.person("Hatter").await);
    let people = [&alice, &hatter];
    house.wish(&hatter, wishes).await;
    let table = house.begin("red-queen", &people, None).await;
    let post = house.start_post(&post_settings(Some(&sink)));
    for _ in 0..3 {
        house.settled().await;
        house.pass(TimeDelta::hours(1));
        house.play_turn_of(table, &people, &hatter).await;
        house.play_until_turn_of(table, &people, &hatter).await;
    }
    house.settled().await;
    post.stop().await;
    let letters: Vec<Received> = sink.received().into_iter().filter(|letter| letter.to == hatter.address).collect();
    assert!(letters.len() >= 3, "{} letters", letters.len());
    (table, letters)
}

#[actix_web::test]
async fn all_letters_about_a_table_are_one_thread() {
    let (table, letters) = letters_of_some_turns(r#"{"when":"at-once"}"#).await;
    let root = format!("<t-{}@house.example>", table);
    let mut previous = root.clone();
    for letter in letters {
        let subject = letter.header("Subject");
        assert!(subject.ends_with("Red Queen with Alice"), "{subject}");
        assert_eq!(letter.header("In-Reply-To"), previous);
        let references = if previous == root { root.clone() } else { format!("{root} {previous}") };
        assert_eq!(letter.header("References"), references);
        assert_eq!(letter.header("Auto-Submitted"), "auto-generated");
        assert_eq!(letter.header("X-Auto-Response-Suppress"), "All");
        let name = letter.header("Message-ID");
        assert!(name.starts_with(&format!("<t-{}.", table)) && name != previous, "{name}");
        previous = name;
    }
}

#[actix_web::test]
async fn who_wants_each_letter_by_itself_gets_no_thread() {
    let (_, letters) = letters_of_some_turns(r#"{"when":"at-once","apart":true}"#).await;
    let subjects: BTreeSet<String> = letters.iter().map(|letter| letter.header("Subject")).collect();
    assert_eq!(subjects.len(), letters.len(), "{subjects:?}");
    assert!(
        subjects.iter().all(|subject| subject.starts_with("Your turn: Red Queen with Alice, after move ")),
        "{subjects:?}"
    );
    for letter in letters {
        assert!(
            !letter.data.contains("\r\nReferences:") && !letter.data.contains("\r\nIn-Reply-To:"),
            "{}",
            letter.data
        );
    }
}

/// Somebody with an address and a table, and the way from a letter to refusing it.
async fn refusable(database: &TestDatabase, service: &Service) -> (Visitor, String, String) {
    let visitor = service.visitor();
    let table = visitor.post("/daily", &[]).await.location();
    visitor.post("/sign-in", &[("email", "alice@example.org")]).await;
    let link = letters::newest(database, "alice@example.org").await.link();
    visitor.post(&link, &[]).await.location();
    letters::write_turn(database, &table).await;
    let letter = letters::newest(database, "alice@example.org").await;
    let path = letter.text.split("/unsubscribe/").nth(1).unwrap().split_whitespace().next().unwrap();
    (visitor, table, format!("/unsubscribe/{path}"))
}

async fn count(database: &TestDatabase, condition: &str) -> i64 {
    let text = format!("select count(*) from letter where kind = 'turn' and {condition}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(text)).fetch_one(&mut database.connection().await).await.unwrap()
}

#[actix_web::test]
async fn a_mail_program_refuses_letters_with_one_click_and_without_cookies() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (_, table, path) = refusable(&database, &service).await;
    // Looking changes nothing: programs follow links by themselves.
    let stranger = service.visitor();
    assert!(stranger.look(&path).await.contains("that it is my turn"));
    letters::write_turn(&database, &table).await;
    letters::settled(&database).await;
    assert_eq!(count(&database, "sent_at is not null").await, 2);
    // As a mail provider's machine does it, from elsewhere.
    let request = Client::new()
        .request(Method::POST, format!("{}{path}", service.url))
        .header("sec-fetch-site", "cross-site")
        .form(&[("List-Unsubscribe", "One-Click")]);
    assert_eq!(request.send().await.unwrap().status(), StatusCode::OK);
    letters::write_turn(&database, &table).await;
    letters::settled(&database).await;
    assert_eq!(
        (count(&database, "sent_at is not null").await, count(&database, "dropped_at is not null").await),
        (2, 1)
    );
    // And back.
    let again = stranger.send(stranger.request(Method::POST, &path).form(&[("what", "kind-again")])).await;
    assert_eq!(again.status, StatusCode::OK);
    letters::write_turn(&database, &table).await;
    letters::settled(&database).await;
    assert_eq!(count(&database, "sent_at is not null").await, 3);
}

#[actix_web::test]
async fn letters_about_one_table_can_be_refused() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, table, path) = refusable(&database, &service).await;
    let answer = visitor.send(visitor.request(Method::POST, &path).form(&[("what", "table")])).await;
    assert!(answer.body.contains("You get no more letters about this table."), "{}", answer.body);
    letters::write_turn(&database, &table).await;
    letters::settled(&database).await;
    assert_eq!(count(&database, "dropped_at is not null").await, 1);
    assert!(visitor.look(&format!("{table}/letters")).await.contains("value=\"never\" checked"));
}

#[actix_web::test]
async fn what_is_refused_is_refused_where_the_reader_chose_otherwise_too() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, table, path) = refusable(&database, &service).await;
    let page = format!("{table}/letters");
    let form =
        [("when", "at-once"), ("other_reminders", "yes"), ("remind", "day"), ("other_kinds", "yes"), ("kind", "turn")];
    assert_eq!(visitor.post(&page, &form).await.location(), format!("{page}?done=yes"));
    let chosen = visitor.look(&page).await;
    for words in [
        "You get a letter as soon as it is your turn",
        "You are never reminded",
        "name=\"remind\" value=\"day\" checked",
        "name=\"other_kinds\" value=\"yes\" checked",
        "name=\"kind\" value=\"turn\" checked",
    ] {
        assert!(chosen.contains(words), "{words} in {chosen}");
    }
    let answer = visitor.send(visitor.request(Method::POST, &path).form(&[("List-Unsubscribe", "One-Click")])).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(!visitor.look(&page).await.contains("name=\"kind\" value=\"turn\" checked"));
    letters::write_turn(&database, &table).await;
    letters::settled(&database).await;
    assert_eq!(count(&database, "dropped_at is not null").await, 1);
    // Too many reminders are refused in a sentence, and nothing changes.
    let many = ["quarter", "three-days", "day", "two-hours"].map(|before| ("remind", before));
    let form: Vec<_> = [("when", "held"), ("other_reminders", "yes")].into_iter().chain(many).collect();
    let refused = visitor.post(&page, &form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.body.contains("Choose at most 3 reminders for a turn."), "{}", refused.body);
    assert!(refused.body.contains("value=\"at-once\" checked"), "{}", refused.body);
}

#[actix_web::test]
async fn a_link_that_is_not_ours_refuses_nothing() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, _, path) = refusable(&database, &service).await;
    for wrong in [path.replace("turn.", "over."), format!("{path}a"), "/unsubscribe/turn".to_owned()] {
        assert_eq!(visitor.get(&wrong).await.status, StatusCode::NOT_FOUND, "{wrong}");
        let answer = visitor.send(visitor.request(Method::POST, &wrong).form(&[("what", "all")])).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{wrong}");
    }
    let answer = visitor.send(visitor.request(Method::POST, &path).form(&[("what", "dance")])).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[actix_web::test]
async fn somebody_without_an_account_can_refuse_invitations() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let host = service.visitor();
    let stranger = service.visitor();
    let mut path = None;
    for round in 0..2 {
        let table = host.post("/tables", &[("game", "red-queen"), ("seat-2", "person")]).await.location();
        host.post(&format!("{table}/sit"), &[("cut", "treacle")]).await.location();
        host.post(&format!("{table}/invite"), &[("address", "hatter@example.org")]).await.location();
        letters::settled(&database).await;
        let letters = letters::to(&database, "hatter@example.org").await;
        assert_eq!(letters.len(), 1, "round {round}");
        path.get_or_insert_with(|| {
            let token = letters[0].text.split("/unsubscribe/").nth(1).unwrap().split_whitespace().next().unwrap();
            format!("/unsubscribe/{token}")
        });
        let request = stranger.request(Method::POST, path.as_ref().unwrap());
        let answer = stranger.send(request.form(&[("List-Unsubscribe", "One-Click")])).await;
        assert_eq!(answer.status, StatusCode::OK);
    }
}
