//! When something breaks: nothing is lost, and what is repeated has the same name.

use std::collections::HashSet;
use std::time::Duration;

use chrono::TimeDelta;
use wonderpost::app::settings::PostSettings;
use wonderpost::mail::Kind;

use crate::harness::letters;
use crate::harness::sink::{Fate, Sink};
use crate::harness::timed_house::{TimedHouse, post_settings};

const NOON: &str = "2026-11-16T12:00:00Z";

/// Letters that say little, to many.
async fn write_letters(house: &TimedHouse, count: usize) {
    let now = house.clock.now().to_rfc3339();
    letters::execute(
        &house.database,
        &format!(
            "insert into letter (kind, address, written_at, send_after)
             select 'address-changed', 'guest' || n || '@example.org', '{now}', '{now}' from generate_series(1, {count}) as n"
        ),
    )
    .await;
}

/// Letters are not held, and what is ready at the same time goes as one.
fn unheld(sink: &Sink) -> PostSettings {
    PostSettings { hold_seconds: Some(0), ..post_settings(Some(sink)) }
}

fn names(sink: &Sink) -> Vec<String> {
    sink.received().iter().map(|letter| letter.header("Message-ID")).collect()
}

#[actix_web::test]
async fn a_mail_server_that_is_away_for_an_hour_loses_nothing_and_brings_no_flood() {
    let house = TimedHouse::new(NOON);
    let (alice, hatter) = (house.person("Alice").await, house.person("Hatter").await);
    let people = [&alice, &hatter];
    house.wish(&alice, r#"{"off":["turn","started"]}"#).await;
    let sink = Sink::start([]).await;
    sink.close().await;
    let post = house.start_post(&unheld(&sink));
    write_letters(&house, 3).await;
    for _ in 0..3 {
        let table = house.begin("red-queen", &people, None).await;
        house.play_until_turn_of(table, &people, &hatter).await;
        house.settled().await;
        house.pass(TimeDelta::minutes(20));
        house.settled().await;
    }
    assert!(sink.received().is_empty());
    assert!(house.count("tries >= 4 and trouble is not null and sent_at is null").await >= 3);
    sink.open().await;
    house.pass(TimeDelta::hours(2));
    house.settled().await;
    assert_eq!(house.count("sent_at is null and dropped_at is null").await, 0);
    assert_eq!(house.count("trouble is not null").await, 0);
    let received = sink.received();
    assert_eq!(received.iter().filter(|letter| letter.to.starts_with("guest")).count(), 3);
    let to_hatter: Vec<_> = received.iter().filter(|letter| letter.to == hatter.address).collect();
    assert_eq!(to_hatter.len(), 1, "three tables are one letter");
    assert_eq!(to_hatter[0].header("Subject"), "3 tables wait for you");
    post.stop().await;
}

#[actix_web::test]
async fn a_worker_that_dies_between_sending_and_noting_it_repeats_the_letter_under_the_same_name() {
    let house = TimedHouse::new(NOON);
    let (alice, hatter) = (house.person("Alice").await, house.person("Hatter").await);
    let people = [&alice, &hatter];
    house.wish(&alice, r#"{"off":["turn","started"]}"#).await;
    for _ in 0..2 {
        let table = house.begin("red-queen", &people, None).await;
        house.play_until_turn_of(table, &people, &hatter).await;
    }
    write_letters(&house, 1).await;
    // The mail server takes both letters and says nothing more, and then the worker is gone.
    let sink = Sink::start([Fate::Silent, Fate::Silent]).await;
    let post = house.start_post(&unheld(&sink));
    while sink.received().len() < 2 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    post.stop().await;
    assert_eq!(house.count("sent_at is null and dropped_at is null and fixed").await, 3);
    // A third table begins meanwhile: it does not slip into a letter that may have gone.
    let table = house.begin("red-queen", &people, None).await;
    house.play_until_turn_of(table, &people, &hatter).await;
    house.pass(TimeDelta::minutes(5));
    let post = house.start_post(&unheld(&sink));
    house.settled().await;
    let names = names(&sink);
    assert_eq!(names.len(), 5, "{names:?}");
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), 3, "{names:?}");
    assert_eq!(names.iter().filter(|name| name.starts_with("<digest-")).count(), 2, "{names:?}");
    post.stop().await;
}

#[actix_web::test]
async fn a_letter_that_a_worker_has_in_hand_is_not_taken_up_again_however_long_it_takes() {
    let house = TimedHouse::new(NOON);
    write_letters(&house, 1).await;
    // The mail server takes the letter, and does not say so.
    let sink = Sink::start([Fate::Silent]).await;
    let post = house.start_post(&unheld(&sink));
    while sink.received().is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    house.pass(TimeDelta::hours(1));
    // Others go meanwhile.
    write_letters(&house, 1).await;
    while sink.received().len() < 2 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tokio::time::sleep(Duration::from_millis(700)).await;
    let names = names(&sink);
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), 2, "{names:?}");
    assert_eq!(names.len(), 2, "{names:?}");
    post.stop().await;
}

#[actix_web::test]
async fn two_workers_send_each_letter_once_and_merge_what_belongs_together() {
    let house = TimedHouse::new(NOON);
    let (alice, hatter) = (house.person("Alice").await, house.person("Hatter").await);
    let people = [&alice, &hatter];
    house.wish(&alice, r#"{"off":["turn","started"]}"#).await;
    for _ in 0..4 {
        let table = house.begin("red-queen", &people, None).await;
        house.play_until_turn_of(table, &people, &hatter).await;
    }
    write_letters(&house, 100).await;
    let sink = Sink::start([]).await;
    let (one, two) = (house.start_post(&unheld(&sink)), house.start_post(&unheld(&sink)));
    house.settled().await;
    let names = names(&sink);
    assert_eq!(names.len(), 101);
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), 101);
    one.stop().await;
    two.stop().await;
}

#[actix_web::test]
async fn a_database_that_goes_away_and_comes_back_loses_nothing_and_repeats_nothing() {
    let house = TimedHouse::new(NOON);
    write_letters(&house, 40).await;
    let sink = Sink::start([]).await;
    let post = house.start_post(&unheld(&sink));
    while sink.received().len() < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    house.database.go_away().await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    house.database.come_back().await;
    for _ in 0..200 {
        // Letters that were claimed when it went away are tried again in their time.
        house.pass(TimeDelta::seconds(10));
        tokio::time::sleep(Duration::from_millis(100)).await;
        if house.count("sent_at is null").await == 0 {
            break;
        }
    }
    assert_eq!(house.count("sent_at is null").await, 0);
    let names = names(&sink);
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), 40);
    assert_eq!(names.len(), 40, "the worker remembered what it had sent");
    post.stop().await;
}

#[actix_web::test]
async fn what_cannot_be_sent_for_two_days_is_given_up_and_listed() {
    let house = TimedHouse::new(NOON);
    write_letters(&house, 1).await;
    let sink = Sink::start([]).await;
    sink.close().await;
    let post = house.start_post(&unheld(&sink));
    for _ in 0..15 {
        house.settled().await;
        house.pass(TimeDelta::hours(4));
    }
    house.settled().await;
    let dead = house.tables.store.dead_letters(10).await.unwrap();
    let [letter] = dead.as_slice() else { panic!("{} dead letters", dead.len()) };
    assert_eq!(letter.kind.known(), Some(Kind::AddressChanged));
    assert!(letter.trouble.starts_with("given up: ") && letter.tries > 10, "{} {}", letter.trouble, letter.tries);
    let figures = house.tables.store.outbox_figures().await.unwrap();
    assert_eq!((figures.waiting, figures.dead), (0, 1));
    post.stop().await;
}
