//! Notices on devices: told when letters are, under the same wishes, and no more than the subject of one.

use std::time::Duration;

use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};
use wonderpost::app::settings::PostSettings;
use wonderpost::db::devices::NewDevice;
use wonderpost::push::endpoint::Reach;
use wonderpost::push::vapid::VapidKeys;
use wonderpost::tables::TableId;

use super::when::{DAY, NOON, Two};
use crate::harness::letters;
use crate::harness::push_service::{PushBrowser, PushService};
use crate::harness::sink::{Fate, Sink};
use crate::harness::timed_house::{PLACE, Person, TimedHouse, post_settings, utc};

/// A house whose notices may go to the push service of the test.
fn settings(sink: Option<&Sink>) -> PostSettings {
    PostSettings { push_reach: Reach::Anywhere, ..post_settings(sink) }
}

/// Turns notices on for somebody.
async fn subscribe(house: &TimedHouse, person: &Person, browser: &PushBrowser) {
    let new = NewDevice {
        player: person.caller.player,
        session: &person.caller.token_digest,
        title: "Firefox on Android",
        endpoint: &browser.endpoint,
        keys: &browser.keys(),
    };
    assert!(house.tables.store.add_device(&new, 10).await.expect("a device"));
}

/// Two people, of whom the Hatter has a device.
struct Noticed {
    two: Two,
    service: PushService,
    browser: PushBrowser,
}

impl Noticed {
    async fn at(now: &str, answers: &[u16]) -> Noticed {
        let two = Two::at(now).await;
        let service = PushService::start(answers.iter().copied()).await;
        let browser = PushBrowser::new(&service, "hatter");
        subscribe(&two.house, &two.hatter, &browser).await;
        Noticed { two, service, browser }
    }

    fn house(&self) -> &TimedHouse {
        &self.two.house
    }

    /// Waits until the push service was asked so often.
    async fn tried(&self, count: usize) {
        self.house().settled().await;
        for _ in 0..400 {
            if self.service.received().len() >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("{} notices came", self.service.received().len());
    }

    /// The words of all notices that came, once there are so many and none is under way.
    async fn words(&self, count: usize) -> Vec<Value> {
        self.house().settled().await;
        letters::until_none(&self.house().database, "notice").await;
        let notices = self.service.received();
        assert_eq!(notices.len(), count);
        notices.iter().map(|notice| self.browser.read(notice)).collect()
    }
}

fn your_move(table: TableId) -> Value {
    json!({"title": "Red Queen: your move", "body": "With Alice", "path": format!("/t/{table}")})
}

#[actix_web::test]
async fn a_move_of_an_opponent_leads_to_one_notice_that_names_game_and_players_and_nothing_else() {
    let noticed = Noticed::at(NOON, &[]).await;
    let house = noticed.house();
    let table = noticed.two.table(Some(DAY)).await;
    let post = house.start_post(&settings(None));
    let (second, other) = (house.start_post(&settings(None)), house.start_post(&settings(None)));
    assert!(noticed.words(0).await.is_empty(), "it is held like a letter");
    house.pass(TimeDelta::seconds(130));
    assert_eq!(noticed.words(1).await, [your_move(table)]);
    assert_eq!(noticed.two.subjects().await, ["Your turn: Red Queen with Alice"], "and a letter goes, too");
    let [notice] = &*noticed.service.received() else { panic!("one notice") };
    assert_eq!(notice.path, "/push/hatter");
    assert_eq!(notice.header("content-encoding"), "aes128gcm");
    assert_eq!(notice.header("urgency"), "normal");
    assert!(notice.header("ttl").parse::<i64>().unwrap() <= i64::from(DAY));
    assert!(notice.header("topic").len() <= 32 && !notice.header("topic").contains(&table.to_string()[..8]));
    let (claims, key) = notice.claims();
    assert_eq!((&claims["aud"], &claims["sub"]), (&json!(noticed.service.url), &json!(PLACE)));
    let ends = claims["exp"].as_i64().unwrap() - Utc::now().timestamp();
    assert!(ends > 0 && ends <= 86_400);
    assert_eq!(key, VapidKeys::default().key(&house.tables.store).await.unwrap().public);
    house.pass(TimeDelta::minutes(10));
    noticed.words(1).await;
    for post in [post, second, other] {
        post.stop().await;
    }
}

#[actix_web::test]
async fn nothing_is_shown_in_quiet_hours_and_what_gathered_is_one_notice() {
    let noticed = Noticed::at("2026-11-16T22:00:00Z", &[]).await;
    let (house, hatter) = (noticed.house(), &noticed.two.hatter);
    house.wish(hatter, r#"{"zone":"Europe/Berlin","quiet":{"from":"22:00","until":"07:00"}}"#).await;
    let post = house.start_post(&settings(None));
    noticed.two.table(None).await;
    house.pass(TimeDelta::hours(3));
    noticed.two.table(None).await;
    house.pass(TimeDelta::hours(3));
    noticed.words(0).await;
    house.clock.advance(utc("2026-11-17T06:00:00Z") - house.clock.now());
    let words = noticed.words(1).await;
    assert_eq!(words, [json!({"title": "2 tables wait for you", "body": "Red Queen", "path": "/"})]);
    post.stop().await;
}

#[actix_web::test]
async fn one_notice_is_shown_until_its_reader_visits() {
    let noticed = Noticed::at(NOON, &[]).await;
    let (house, hatter) = (noticed.house(), &noticed.two.hatter);
    // By notices alone.
    house.wish(hatter, r#"{"when":"until-visit","off":["turn","started"]}"#).await;
    let post = house.start_post(&settings(None));
    let first = noticed.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    assert_eq!(noticed.words(1).await, [your_move(first)]);
    noticed.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    noticed.words(1).await;
    house.look(first, hatter).await;
    house.pass(TimeDelta::minutes(1));
    let third = noticed.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    assert_eq!(noticed.words(2).await[1], your_move(third));
    assert!(noticed.two.subjects().await.is_empty(), "no letters are wanted");
    post.stop().await;
}

#[actix_web::test]
async fn who_has_looked_or_moved_meanwhile_is_shown_nothing() {
    let noticed = Noticed::at(NOON, &[]).await;
    let (house, hatter) = (noticed.house(), &noticed.two.hatter);
    let (looked, moved) = (noticed.two.table(None).await, noticed.two.table(None).await);
    let post = house.start_post(&settings(None));
    house.pass(TimeDelta::seconds(60));
    house.look(looked, hatter).await;
    house.play_turn_of(moved, &noticed.two.people(), hatter).await;
    house.pass(TimeDelta::seconds(90));
    noticed.words(0).await;
    post.stop().await;
}

#[actix_web::test]
async fn letters_and_notices_are_chosen_apart_and_a_silent_table_has_neither() {
    let noticed = Noticed::at(NOON, &[]).await;
    let (house, hatter) = (noticed.house(), &noticed.two.hatter);
    house.wish(hatter, r#"{"when":"at-once","notices":[]}"#).await;
    let post = house.start_post(&settings(None));
    noticed.two.table(None).await;
    noticed.words(0).await;
    assert!(!noticed.two.subjects().await.is_empty());
    house.wish(hatter, r#"{"when":"at-once","off":["turn","started"]}"#).await;
    let before = noticed.two.subjects().await.len();
    let table = noticed.two.table(None).await;
    let words = noticed.words(1).await;
    assert_eq!(words, [your_move(table)]);
    assert_eq!(noticed.two.subjects().await.len(), before);
    post.stop().await;
    let silent = noticed.two.table(None).await;
    house.tables.store.keep_table_wishes(silent, hatter.caller.player, r#"{"off":true}"#).await.unwrap();
    let post = house.start_post(&settings(None));
    noticed.words(1).await;
    post.stop().await;
}

#[actix_web::test]
async fn a_guest_without_an_address_can_be_told_and_reminded_by_notices() {
    let noticed = Noticed::at(NOON, &[]).await;
    let (house, hatter) = (noticed.house(), &noticed.two.hatter);
    letters::execute(&house.database, &format!("update player set email = null where id = '{}'", hatter.caller.player))
        .await;
    let table = noticed.two.table(Some(DAY)).await;
    let post = house.start_post(&settings(None));
    house.pass(TimeDelta::minutes(3));
    assert_eq!(noticed.words(1).await, [your_move(table)]);
    house.pass(TimeDelta::hours(19));
    let words = noticed.words(2).await;
    assert_eq!(words[1]["title"], "Red Queen: still your move");
    post.stop().await;
}

#[actix_web::test]
async fn a_letter_that_is_tried_again_brings_no_second_notice() {
    let noticed = Noticed::at(NOON, &[]).await;
    let house = noticed.house();
    let sink = Sink::start([Fate::Later, Fate::Later]).await;
    let table = noticed.two.table(None).await;
    let post = house.start_post(&settings(Some(&sink)));
    house.settled().await;
    for _ in 0..4 {
        house.pass(TimeDelta::minutes(5));
        house.settled().await;
    }
    assert_eq!(noticed.words(1).await, [your_move(table)]);
    assert_eq!(sink.received().len(), 1, "the letter came in the end");
    post.stop().await;
}

#[actix_web::test]
async fn a_notice_that_could_not_be_handed_over_goes_later_unless_it_is_no_news_by_then() {
    let noticed = Noticed::at(NOON, &[503, 201, 500]).await;
    let (house, hatter) = (noticed.house(), &noticed.two.hatter);
    let post = house.start_post(&settings(None));
    let table = noticed.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    noticed.tried(1).await;
    house.pass(TimeDelta::minutes(1));
    assert_eq!(noticed.words(2).await, [your_move(table), your_move(table)]);
    let second = noticed.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    noticed.tried(3).await;
    house.pass(TimeDelta::seconds(1));
    house.look(second, hatter).await;
    house.pass(TimeDelta::minutes(1));
    noticed.words(3).await;
    post.stop().await;
}

#[actix_web::test]
async fn a_browser_that_is_gone_is_forgotten() {
    let noticed = Noticed::at(NOON, &[410]).await;
    let house = noticed.house();
    let post = house.start_post(&settings(None));
    noticed.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    noticed.words(1).await;
    assert!(house.tables.store.devices(noticed.two.hatter.caller.player).await.unwrap().is_empty());
    noticed.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    noticed.words(1).await;
    post.stop().await;
}

#[actix_web::test]
async fn a_push_service_that_sends_us_elsewhere_is_not_followed() {
    let noticed = Noticed::at(NOON, &[302]).await;
    let house = noticed.house();
    let post = house.start_post(&settings(None));
    noticed.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    noticed.tried(1).await;
    letters::until_none(&house.database, "notice").await;
    assert!(noticed.service.received().iter().all(|notice| notice.path == "/push/hatter"));
    post.stop().await;
}

#[actix_web::test]
async fn no_notice_goes_into_a_private_network() {
    let noticed = Noticed::at(NOON, &[]).await;
    let house = noticed.house();
    // As it is in earnest.
    let post = house.start_post(&post_settings(None));
    noticed.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    house.settled().await;
    letters::until_none(&house.database, "notice").await;
    assert!(noticed.service.received().is_empty());
    letters::until_none(&house.database, "device where failures = 0").await;
    post.stop().await;
}

#[actix_web::test]
async fn all_processes_have_one_key_and_it_stays() {
    let house = TimedHouse::new(NOON);
    let (one, two, three) = (VapidKeys::default(), VapidKeys::default(), VapidKeys::default());
    let stores = [house.database.store(), house.database.store(), house.database.store()];
    let (first, second) = tokio::join!(one.key(&stores[0]), two.key(&stores[1]));
    let (first, second) = (&first.unwrap().public, &second.unwrap().public);
    assert_eq!(first, second);
    assert_eq!(&three.key(&stores[2]).await.unwrap().public, first);
}
