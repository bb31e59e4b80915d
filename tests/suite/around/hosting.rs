//! Filling the seats of a table: addresses, the list of the invited, withdrawing, bots.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::page::Page;
use crate::harness::red_queen::{open, sit};
use crate::harness::{Service, TestDatabase, Visitor, letters};

async fn host(service: &Service) -> (Visitor, String) {
    let host = service.visitor();
    let table = open(&host, &[("seat-2", "person"), ("seat-3", "person")]).await;
    sit(&host, &table).await;
    (host, table)
}

fn invited(page: &str) -> String {
    Page(page).between("<ul class=\"invited\">", "</ul>").concat()
}

#[actix_web::test]
async fn several_are_invited_at_once_and_the_host_sees_who_said_what() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, table) = host(&service).await;
    let form = [("address", "bill@example.org, Dinah <dinah@example.org>\nmabel@example.org"), ("line", "Tea?")];
    assert_eq!(host.post(&format!("{table}/invite"), &form).await.location(), table);
    let list = invited(&host.look(&table).await);
    for address in ["bill@example.org", "dinah@example.org", "mabel@example.org"] {
        assert!(list.contains(address), "{address}: {list}");
        assert!(letters::newest(&database, address).await.text.contains("“Tea?”"));
    }
    assert_eq!(list.matches("no answer yet").count(), 3);
    let bill = service.visitor();
    bill.post(&letters::newest(&database, "bill@example.org").await.link(), &[]).await.location();
    let list = invited(&host.look(&table).await);
    assert!(list.contains("accepted") && list.matches("no answer yet").count() == 2, "{list}");
    let list = invited(&bill.look(&table).await);
    assert!(!list.contains('@') && list.contains("somebody asked by"), "addresses are for whoever typed them: {list}");
}

#[actix_web::test]
async fn what_cannot_be_read_is_given_back_and_nobody_is_written_to() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, table) = host(&service).await;
    let form = [("address", "bill@example.org, dinah"), ("line", "Tea?")];
    let answer = host.post(&format!("{table}/invite"), &form).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.body.contains("“dinah”") && answer.body.contains(">bill@example.org, dinah</textarea>"),
        "{}",
        answer.body
    );
    assert!(answer.body.contains("value=\"Tea?\""));
    let form = [("address", "bill@example.org"), ("line", "win at evil.example")];
    let answer = host.post(&format!("{table}/invite"), &form).await;
    assert!(answer.body.contains("Leave Web addresses out"), "{}", answer.body);
    let long = "a".repeat(201);
    let answer = host.post(&format!("{table}/invite"), &[("address", "bill@example.org"), ("line", &long)]).await;
    assert!(answer.body.contains("too long"));
    assert!(invited(&host.look(&table).await).is_empty());
}

#[actix_web::test]
async fn inviting_an_address_does_not_tell_whose_it_is() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let known = service.visitor();
    letters::sign_in(&database, &known, "alice@example.org").await;
    known.post("/me/name", &[("name", "Alice Liddell")]).await.location();
    let (host, table) = host(&service).await;
    let token = host.token().await;
    for address in ["alice@example.org", "nobody@example.org"] {
        host.post(&format!("{table}/invite"), &[("address", address)]).await.location();
    }
    let page = host.look(&table).await;
    assert!(!page.contains("Liddell"), "{page}");
    let list = invited(&page);
    assert!(list.contains("alice@example.org") && list.contains("nobody@example.org"), "{list}");
    let path = format!("/api/v1/tables/{}/invitations", table.trim_start_matches("/t/"));
    let answer = host.send(host.request(Method::GET, &path).bearer_auth(&token)).await;
    assert!(!answer.body.contains("Liddell") && answer.body.contains("alice@example.org"), "{}", answer.body);
    // Declining tells no more.
    let link = letters::newest(&database, "alice@example.org").await.link();
    known.post(&link, &[("decline", "yes")]).await.location();
    assert!(!host.look(&table).await.contains("Liddell"));
    // Whoever accepts is there for all to see.
    known.post(&link, &[]).await.location();
    assert!(host.look(&table).await.contains("alice@example.org (Alice Liddell)"));
}

#[actix_web::test]
async fn an_invitation_is_withdrawn_by_the_one_who_sent_it() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, table) = host(&service).await;
    host.post(&format!("{table}/invite"), &[("address", "bill@example.org")]).await.location();
    let link = letters::newest(&database, "bill@example.org").await.link();
    let body = host.look(&table).await;
    let withdraw = format!("{table}/invitations/{}", Page(&body).between("/invitations/", "\"")[0]);
    // Somebody else at the table cannot.
    let other = service.visitor();
    sit(&other, &table).await;
    other.post(&withdraw, &[]).await.location();
    assert_eq!(service.visitor().get(&link).await.status, StatusCode::OK);
    assert_eq!(host.post(&withdraw, &[]).await.location(), table);
    assert!(invited(&host.look(&table).await).contains("withdrawn"));
    let answer = service.visitor().get(&link).await;
    assert!(answer.status == StatusCode::UNPROCESSABLE_ENTITY && answer.body.contains("has withdrawn this invitation"));
    assert_eq!(service.visitor().post(&link, &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    // Asking again is a new invitation.
    host.post(&format!("{table}/invite"), &[("address", "bill@example.org")]).await.location();
    let again = letters::newest(&database, "bill@example.org").await.link();
    assert_ne!(again, link);
    assert_eq!(service.visitor().get(&again).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn free_seats_are_given_to_bots_and_the_last_starts_the_game() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, table) = host(&service).await;
    let stranger = service.visitor();
    stranger.begin().await;
    assert_eq!(
        stranger.post(&format!("{table}/bot"), &[("level", "easy")]).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(host.post(&format!("{table}/bot"), &[("level", "easy")]).await.location(), table);
    let page = host.look(&table).await;
    assert!(page.contains("Cornelius (easy bot)") && page.contains("one more joins"), "{page}");
    let (token, id) = (host.token().await, table.trim_start_matches("/t/").to_owned());
    let path = format!("/api/v1/tables/{id}/bots");
    let request = host.request(Method::POST, &path).bearer_auth(&token);
    let request = request.header("content-type", "application/json").body(json!({"level": "decent"}).to_string());
    let answer: Value = serde_json::from_str(&host.send(request).await.body).expect("an answer");
    assert_eq!(answer["seat"], 2);
    assert!(!host.look(&table).await.contains("Who else plays?"), "it has begun");
    // One seat stays for a person.
    let table = open(&host, &[("seat-2", "person")]).await;
    assert_eq!(host.post(&format!("{table}/bot"), &[("level", "easy")]).await.location(), table);
    let answer = host.post(&format!("{table}/bot"), &[("level", "easy")]).await;
    assert!(answer.body.contains("Leave a seat for yourself"), "{}", answer.body);
}

#[actix_web::test]
async fn the_link_can_be_copied_scanned_and_selected() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, table) = host(&service).await;
    let page = host.look(&table).await;
    assert!(page.contains("data-copy=\"link\"") && page.contains("<svg class=\"qr\""), "{page}");
    assert!(page.contains("readonly value=\"http"), "{page}");
    assert!(!service.visitor().look(&table).await.contains("<svg class=\"qr\""), "for those who may hand it out");
}
