//! A living desk: pictures, whose move it is, what happened last, what was written.

use reqwest::StatusCode;

use crate::harness::page::Page;
use crate::harness::red_queen::{open, say, sit, two_at_a_table};
use crate::harness::{Service, TestDatabase, letters};

#[actix_web::test]
async fn the_desk_shows_whose_move_it_is_and_what_happened_and_what_was_written() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two) = (service.visitor(), service.visitor());
    let table = crate::harness::red_queen::seat_two(
        &one,
        &two,
        &[("seat-2", "person"), ("option-first", "1"), ("pace", "move-86400")],
    )
    .await;
    let desk = one.look("/").await;
    assert!(desk.contains("your move · 23 h left") || desk.contains("your move · 24 h left"), "{desk}");
    assert!(!desk.contains("new message"), "{desk}");
    let body = one.look(&table).await;
    assert_eq!(say(&one, &table, Page(&body).step(), "end").await, StatusCode::SEE_OTHER);
    assert!(one.look("/").await.contains("to move · 2"), "now it is the other's");
    one.post(&format!("{table}/talk"), &[("words", "Well?")]).await.location();
    let desk = two.look("/").await;
    assert!(desk.contains("1 new message"), "{desk}");
    assert!(desk.contains("class=\"quiet last\""), "what happened last: {desk}");
    two.look(&table).await;
    assert!(!two.look("/").await.contains("new message"), "it was read");
}

#[actix_web::test]
async fn each_player_gets_the_picture_of_their_own_view_and_strangers_of_a_private_table_none() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    let desk = one.look("/").await;
    let picture = format!("{table}/picture.png{}", Page(&desk).between(&format!("{table}/picture.png"), "\"")[0]);
    let mut pictures = Vec::new();
    for visitor in [&one, &two, &service.visitor()] {
        let answer = visitor.send_raw(&picture).await;
        assert_eq!((answer.0, answer.1.as_str()), (StatusCode::OK, "no-store"));
        assert!(answer.2.starts_with(b"\x89PNG"));
        pictures.push(answer.2);
    }
    assert!(pictures[0] != pictures[1] && pictures[0] != pictures[2], "hands differ, and a spectator sees none");
    let host = service.visitor();
    let private = open(&host, &[("seat-2", "easy"), ("private", "yes")]).await;
    sit(&host, &private).await;
    let of_host = host.send_raw(&format!("{private}/picture.png")).await;
    assert_eq!(of_host.0, StatusCode::OK);
    let of_stranger = service.visitor().send_raw(&format!("{private}/picture.png")).await;
    assert_eq!(of_stranger.0, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn a_newcomer_is_asked_for_a_name_once() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    visitor.begin().await;
    assert!(!visitor.look("/").await.contains("What shall we call you?"), "a guest is not asked");
    letters::sign_in(&database, &visitor, "alice@example.org").await;
    assert!(visitor.look("/").await.contains("What shall we call you?"));
    assert_eq!(visitor.post("/me/name", &[("desk", "yes"), ("name", "Alice Liddell")]).await.location(), "/?done=name");
    let desk = visitor.look("/").await;
    assert!(desk.contains("Alice Liddell") && !desk.contains("What shall we call you?"));
    // Or not.
    let other = service.visitor();
    letters::sign_in(&database, &other, "bill@example.org").await;
    assert_eq!(other.post("/me/name", &[("desk", "yes"), ("keep", "yes")]).await.location(), "/");
    assert!(!other.look("/").await.contains("What shall we call you?"));
    other.post("/me/settings", &[("theme", "dark")]).await.location();
    assert!(!other.look("/").await.contains("What shall we call you?"), "other settings do not ask again");
}
