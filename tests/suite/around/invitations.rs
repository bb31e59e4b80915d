//! The page of an invitation.

use reqwest::{Method, StatusCode};

use crate::harness::page::Page;
use crate::harness::red_queen::{open, sit};
use crate::harness::{Service, TestDatabase, Visitor, letters};

/// Somebody with a private table.
async fn private_table(service: &Service) -> (Visitor, String) {
    let host = service.visitor();
    let table = open(&host, &[("seat-2", "person"), ("private", "yes")]).await;
    sit(&host, &table).await;
    (host, table)
}

#[actix_web::test]
async fn whoever_opens_an_invitation_to_a_private_table_gets_no_stream_that_is_refused() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, table) = private_table(&service).await;
    let body = host.look(&table).await;
    let link = format!("/i/{}", Page(&body).between("/i/", "\"")[0]);
    let guest = service.visitor();
    let page = guest.look(&link).await;
    for stream in Page(&page).between("data-live=\"", "\"") {
        let answer = guest.request(Method::GET, stream).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "a page opens only streams that its reader may have");
    }
    assert!(!page.contains(&table), "the page does not name a table that its reader cannot see");
    // Whoever sits there has one.
    guest.post(&link, &[]).await.location();
    let answer = guest.request(Method::GET, &format!("{table}/live")).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
}

#[actix_web::test]
async fn an_invitation_says_who_asks_what_they_wrote_and_what_the_game_is() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, table) = private_table(&service).await;
    host.post("/me/name", &[("name", "Alice Liddell")]).await.location();
    let form = [("address", "bill@example.org"), ("line", "Fancy a game,  Bill?")];
    host.post(&format!("{table}/invite"), &form).await.location();
    let letter = letters::newest(&database, "bill@example.org").await;
    assert_eq!(letter.subject, "Alice Liddell invites you to Red Queen");
    assert!(
        letter.text.contains("“Fancy a game, Bill?”") && letter.html.contains("Fancy a game, Bill?"),
        "{}",
        letter.text
    );
    let page = service.visitor().look(&letter.link()).await;
    for words in [
        "Alice Liddell invites you to Red Queen",
        "Fancy a game, Bill?",
        "minutes",
        "Pace: ",
        "How it is played",
        "Join",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let picture = Page(&page).between("<img class=\"game-picture\" src=\"", "\"")[0].to_owned();
    let picture = service.visitor().get(&picture).await;
    assert_eq!((picture.status, picture.header("content-type")), (StatusCode::OK, "image/svg+xml"));
}

#[actix_web::test]
async fn somebody_says_no_and_may_change_their_mind() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, table) = private_table(&service).await;
    host.post(&format!("{table}/invite"), &[("address", "bill@example.org")]).await.location();
    let link = letters::newest(&database, "bill@example.org").await.link();
    let guest = service.visitor();
    assert_eq!(guest.post(&link, &[("decline", "yes")]).await.location(), "/?done=declined");
    assert!(guest.look("/?done=declined").await.contains("You said no"));
    assert!(host.look(&table).await.contains("said no"));
    assert!(guest.look(&link).await.contains("Changed your mind?"));
    assert_eq!(guest.post(&link, &[]).await.location(), table);
}
