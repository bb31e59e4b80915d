//! Playing again with the same people: one rematch a table.

use std::time::Duration;

use futures_util::future::join;
use reqwest::Method;

use crate::harness::post_house::{ALICE, HATTER, PostHouse};
use crate::harness::red_queen::two_at_a_table;
use crate::harness::{Service, TestDatabase, letters};

#[actix_web::test]
async fn the_proposer_sits_at_once_and_the_other_is_told_and_joins() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    one.post("/me/name", &[("name", "Alice Liddell")]).await.location();
    letters::sign_in(&database, &two, "bill@example.org").await;
    two.post(&format!("{table}/resign"), &[]).await.location();
    assert!(one.look(&table).await.contains(">Rematch</button>"));
    let rematch = one.post(&format!("{table}/rematch"), &[]).await.location();
    assert_ne!(rematch, table);
    let desk = one.look("/").await;
    assert!(desk.contains(&rematch) && desk.contains("one seat free"), "it is on the proposer's desk: {desk}");
    assert!(one.look(&rematch).await.contains("You have a seat"));
    assert!(one.look(&table).await.contains(&rematch), "the old table leads there");
    // The other side: on the old page, on the desk, by letter.
    let old = two.look(&table).await;
    assert!(old.contains("<strong>Alice Liddell</strong> wants a rematch"), "{old}");
    assert!(two.look("/").await.contains("Alice Liddell wants a rematch"));
    let letter = letters::newest(&database, "bill@example.org").await;
    assert_eq!(letter.subject, "Alice Liddell wants a rematch: Red Queen");
    assert_eq!(two.post(&letter.link(), &[]).await.location(), rematch);
    assert!(!two.look(&rematch).await.contains("The game begins when"), "it has begun");
}

#[actix_web::test]
async fn whoever_still_looks_at_the_old_table_is_told_at_once() {
    let database = TestDatabase::new();
    let services = [Service::start(&database), Service::start(&database)];
    let (one, two, table) = two_at_a_table(&services[0]).await;
    two.post(&format!("{table}/resign"), &[]).await.location();
    let two = two.at(&services[1].url);
    let mut stream = two.request(Method::GET, &format!("{table}/live")).send().await.expect("a stream");
    stream.chunk().await.unwrap().expect("how it stands");
    one.post(&format!("{table}/rematch"), &[]).await.location();
    let told = tokio::time::timeout(Duration::from_secs(10), stream.chunk()).await.expect("in time").unwrap();
    assert!(String::from_utf8_lossy(&told.expect("a word")).contains("event: moved"));
}

#[actix_web::test]
async fn a_second_proposal_joins_the_first() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    two.post(&format!("{table}/resign"), &[]).await.location();
    let rematch = one.post(&format!("{table}/rematch"), &[]).await.location();
    assert_eq!(one.post(&format!("{table}/rematch"), &[]).await.location(), rematch, "clicked twice");
    assert_eq!(two.post(&format!("{table}/rematch"), &[]).await.location(), rematch);
    assert!(!two.look(&rematch).await.contains("The game begins when"), "both sit, so it has begun");
    // And again from there.
    two.post(&format!("{rematch}/resign"), &[]).await.location();
    let third = two.post(&format!("{rematch}/rematch"), &[]).await.location();
    assert_ne!(third, rematch);
}

#[actix_web::test]
async fn both_ask_for_a_rematch_at_the_same_moment_and_there_is_one() {
    let database = TestDatabase::new();
    let services = [Service::start(&database), Service::start(&database)];
    for _ in 0..4 {
        let (one, two, table) = two_at_a_table(&services[0]).await;
        let two = two.at(&services[1].url);
        two.post(&format!("{table}/resign"), &[]).await.location();
        let (path, stamps) = (format!("{table}/rematch"), (one.stamp().await, two.stamp().await));
        let (first, second) = join(one.insist(&path, &[], &stamps.0), two.insist(&path, &[], &stamps.1)).await;
        assert_eq!(first.location(), second.location());
        assert!(!one.look(&first.location()).await.contains("The game begins when"), "both sit there");
    }
    let tables: i64 = sqlx::query_scalar("select count(*) from game_table where rematch_of is not null")
        .fetch_one(&mut database.connection().await)
        .await
        .unwrap();
    assert_eq!(tables, 4);
}

#[actix_web::test]
async fn the_letter_about_the_end_is_answered_with_rematch() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    house.reply(&letter, ALICE, "resign").await;
    let question = house.letter_to(ALICE).await;
    house.reply(&question, ALICE, "yes").await;
    let over = house.letter_to(HATTER).await;
    assert!(over.text.contains("Answer this letter with “rematch”"), "{}", over.text);
    assert_eq!(house.reply(&over, HATTER, "rematch").await, "a rematch");
    let rematch = house.tables.rematch_of(table).await.unwrap().expect("a rematch");
    // The answer and the question go at the same time, after Alice's own letter about the end.
    let (mut is_answered, mut is_asked) = (false, false);
    while !(is_answered && is_asked) {
        let letter = house.next_letter().await;
        is_answered |= letter.to == HATTER && letter.text.contains("you have a seat");
        is_asked |= letter.to == ALICE && letter.subject.contains("wants a rematch");
    }
    // Alice answers the letter about the end, too: she joins.
    assert_eq!(house.count(&format!("seat where table_id = '{rematch}'")).await, 1);
}
