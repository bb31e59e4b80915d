//! Webhooks: told when letters are, under the same wishes; signed, retried, given up; and nobody's way into our network.

use std::time::Duration;

use chrono::{TimeDelta, Utc};
use data_encoding::BASE64;
use ring::hmac;
use serde_json::{Value, json};
use wonderpost::app::settings::PostSettings;
use wonderpost::db::webhooks::{NewWebhook, WebhookRow};
use wonderpost::push::webhook::WebhookForm;
use wonderpost::tables::TableId;

use super::when::{DAY, NOON, Two};
use crate::harness::letters;
use crate::harness::push_service::{PushService, Pushed};
use crate::harness::timed_house::{PLACE, TimedHouse, post_settings, utc};

const SECRET: [u8; 24] = [7; 24];

/// A house whose webhooks may lead to the receiver of the test.
fn settings() -> PostSettings {
    PostSettings { allow_local_webhooks: true, ..post_settings(None) }
}

/// Two people, of whom the Hatter has a webhook.
struct Hooked {
    two: Two,
    receiver: PushService,
}

impl Hooked {
    /// The first message, which says that the address works, is answered first.
    async fn at(now: &str, answers: &[u16]) -> Hooked {
        let hooked = Hooked { two: Two::at(now).await, receiver: PushService::start(answers.iter().copied()).await };
        hooked.add(None, WebhookForm::Json, "all").await;
        hooked
    }

    fn house(&self) -> &TimedHouse {
        &self.two.house
    }

    async fn add(&self, table: Option<TableId>, form: WebhookForm, name: &str) {
        let url = format!("{}/hook/{name}", self.receiver.url);
        let new = NewWebhook { player: self.two.hatter.caller.player, table, form, url: &url, secret: &SECRET };
        assert!(self.house().tables.store.add_webhook(&new, 20).await.expect("a webhook"));
    }

    async fn webhook(&self) -> WebhookRow {
        let webhooks = self.house().tables.store.webhooks(self.two.hatter.caller.player).await.expect("webhooks");
        webhooks.into_iter().next().expect("a webhook")
    }

    /// Waits until the receiver was asked so often.
    async fn tried(&self, count: usize) -> Vec<Pushed> {
        self.house().settled().await;
        for _ in 0..400 {
            if self.receiver.received().len() >= count {
                return self.receiver.received();
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("{} messages came", self.receiver.received().len());
    }

    /// What came but for the first messages to new addresses, once nothing is under way.
    async fn told(&self) -> Vec<Pushed> {
        self.house().settled().await;
        letters::until_none(&self.house().database, "notice where dead_at is null").await;
        let received = self.receiver.received();
        received.into_iter().filter(|message| body(message)["type"] != "hello").collect()
    }
}

fn body(message: &Pushed) -> Value {
    serde_json::from_slice(&message.body).expect("JSON")
}

/// Checks a message as everybody's libraries do.
fn check_signature(message: &Pushed) {
    let (id, timestamp) = (message.header("webhook-id"), message.header("webhook-timestamp"));
    let signed = format!("{id}.{timestamp}.{}", std::str::from_utf8(&message.body).unwrap());
    let signature = message.header("webhook-signature").strip_prefix("v1,").expect("the first version");
    let key = hmac::Key::new(hmac::HMAC_SHA256, &SECRET);
    hmac::verify(&key, signed.as_bytes(), &BASE64.decode(signature.as_bytes()).unwrap()).expect("the signature fits");
    assert!((timestamp.parse::<i64>().unwrap() - Utc::now().timestamp()).abs() < 60);
}

#[actix_web::test]
async fn a_move_of_an_opponent_is_posted_once_signed_and_with_no_more_than_a_subject_says() {
    let hooked = Hooked::at(NOON, &[]).await;
    let house = hooked.house();
    let table = hooked.two.table(Some(DAY)).await;
    let (post, second) = (house.start_post(&settings()), house.start_post(&settings()));
    assert!(hooked.told().await.is_empty(), "it is held like a letter");
    let hello = body(&hooked.receiver.received()[0]);
    assert_eq!((&hello["type"], &hello["data"]["url"]), (&json!("hello"), &json!(format!("{PLACE}/"))));
    house.pass(TimeDelta::seconds(130));
    let told = hooked.told().await;
    let [message] = told.as_slice() else { panic!("{} messages", told.len()) };
    check_signature(message);
    assert_eq!((message.path.as_str(), message.header("content-type")), ("/hook/all", "application/json"));
    let mut said = body(message);
    assert!(said["timestamp"].is_string());
    let deadline = said["data"]["deadline"].take();
    assert!(deadline.as_str().is_some_and(|deadline| utc(deadline) > house.clock.now()));
    said["timestamp"].take();
    let expected = json!({"type": "turn", "timestamp": null, "data": {
        "player": "Hatter", "title": "Red Queen: your move", "text": "With Alice", "url": format!("{PLACE}/t/{table}"),
        "table": table.to_string(), "game": "red-queen", "deadline": null,
    }});
    assert_eq!(said, expected, "and nothing else");
    assert_eq!(hooked.two.subjects().await, ["Your turn: Red Queen with Alice"], "and a letter goes, too");
    assert!(hooked.webhook().await.sent_at.is_some());
    for post in [post, second] {
        post.stop().await;
    }
}

#[actix_web::test]
async fn quiet_hours_hold_for_webhooks_and_what_gathered_is_one_message() {
    let hooked = Hooked::at("2026-11-16T22:00:00Z", &[]).await;
    let (house, hatter) = (hooked.house(), &hooked.two.hatter);
    house.wish(hatter, r#"{"zone":"Europe/Berlin","quiet":{"from":"22:00","until":"07:00"}}"#).await;
    let post = house.start_post(&settings());
    hooked.two.table(None).await;
    hooked.two.table(None).await;
    house.pass(TimeDelta::hours(6));
    assert!(hooked.told().await.is_empty());
    house.clock.advance(utc("2026-11-17T06:00:00Z") - house.clock.now());
    let told = hooked.told().await;
    let [message] = told.as_slice() else { panic!("{} messages", told.len()) };
    assert_eq!(body(message)["type"], "digest");
    assert_eq!(body(message)["data"]["title"], "2 tables wait for you");
    post.stop().await;
}

#[actix_web::test]
async fn one_message_comes_until_its_reader_visits_and_a_silent_table_has_none() {
    let hooked = Hooked::at(NOON, &[]).await;
    let (house, hatter) = (hooked.house(), &hooked.two.hatter);
    // By the webhook alone.
    house.wish(hatter, r#"{"when":"until-visit","off":["turn","started"]}"#).await;
    let post = house.start_post(&settings());
    let first = hooked.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    assert_eq!(hooked.told().await.len(), 1);
    hooked.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    assert_eq!(hooked.told().await.len(), 1);
    house.look(first, hatter).await;
    house.pass(TimeDelta::minutes(1));
    house.wish(hatter, r#"{"when":"at-once","off":["turn","started"]}"#).await;
    post.stop().await;
    let silent = hooked.two.table(None).await;
    house.tables.store.keep_table_wishes(silent, hatter.caller.player, r#"{"off":true}"#).await.unwrap();
    let heard = hooked.two.table(None).await;
    let post = house.start_post(&settings());
    let told = hooked.told().await;
    assert_eq!(told.len(), 2);
    assert_eq!(body(&told[1])["data"]["table"], heard.to_string());
    assert!(hooked.two.subjects().await.is_empty(), "no letters are wanted");
    post.stop().await;
}

#[actix_web::test]
async fn a_table_with_an_address_of_its_own_is_told_of_there_and_nowhere_else() {
    let hooked = Hooked::at(NOON, &[]).await;
    let house = hooked.house();
    let (own, other) = (hooked.two.table(None).await, hooked.two.table(None).await);
    hooked.add(Some(own), WebhookForm::Discord, "own").await;
    let post = house.start_post(&settings());
    house.pass(TimeDelta::minutes(3));
    let told = hooked.told().await;
    let at = |path: &str| -> Vec<Value> {
        told.iter()
            .filter(|message| message.path == path)
            .map(body)
            .filter(|body| !body.to_string().contains("works"))
            .collect()
    };
    let [general] = &*at("/hook/all") else { panic!("one message") };
    assert_eq!(general["data"]["table"], other.to_string());
    let [special] = &*at("/hook/own") else { panic!("one message") };
    let words = format!("Red Queen: your move (Hatter)\nWith Alice\n{PLACE}/t/{own}");
    assert_eq!(special["content"], words);
    post.stop().await;
}

#[actix_web::test]
async fn a_message_that_could_not_be_delivered_is_tried_again_under_the_same_name() {
    let hooked = Hooked::at(NOON, &[201, 503, 429, 201]).await;
    let house = hooked.house();
    let post = house.start_post(&settings());
    hooked.tried(1).await;
    hooked.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    hooked.tried(2).await;
    letters::until_none(&house.database, "webhook where trouble is null").await;
    assert_eq!(hooked.webhook().await.trouble.as_deref(), Some("the answer is 503"));
    house.pass(TimeDelta::minutes(1));
    hooked.tried(3).await;
    house.pass(TimeDelta::minutes(5));
    let told = hooked.told().await;
    assert_eq!(told.len(), 3);
    assert!(told.iter().all(|message| message.header("webhook-id") == told[0].header("webhook-id")));
    told.iter().for_each(check_signature);
    let webhook = hooked.webhook().await;
    assert_eq!((webhook.trouble, webhook.dead), (None, 0));
    post.stop().await;
}

#[actix_web::test]
async fn after_two_days_a_message_is_given_up_kept_and_can_be_tried_again() {
    let hooked = Hooked::at(NOON, &[201, 503, 500]).await;
    let (house, hatter) = (hooked.house(), &hooked.two.hatter);
    let post = house.start_post(&settings());
    hooked.tried(1).await;
    let table = hooked.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    hooked.tried(2).await;
    house.pass(TimeDelta::days(3));
    hooked.tried(3).await;
    letters::until_none(&house.database, "notice where dead_at is null").await;
    let webhook = hooked.webhook().await;
    assert_eq!((webhook.dead, webhook.trouble.as_deref()), (1, Some("given up: the answer is 500")));
    assert!(webhook.off_since.is_none());
    house.pass(TimeDelta::days(1));
    assert!(house.tables.store.try_webhook_again(hatter.caller.player, webhook.id).await.unwrap());
    let told = hooked.tried(4).await;
    assert_eq!(body(&told[3])["data"]["table"], table.to_string());
    letters::until_none(&house.database, "notice").await;
    // What nobody tries again is forgotten some day.
    post.stop().await;
}

#[actix_web::test]
async fn a_webhook_that_is_gone_or_fails_again_and_again_is_turned_off() {
    for (answer, failures) in [(410, 0), (400, 9), (302, 9)] {
        let hooked = Hooked::at(NOON, &[201, answer]).await;
        let house = hooked.house();
        let post = house.start_post(&settings());
        hooked.tried(1).await;
        letters::until_none(&house.database, "notice").await;
        letters::execute(&house.database, &format!("update webhook set failures = {failures}")).await;
        hooked.two.table(None).await;
        house.pass(TimeDelta::minutes(3));
        assert_eq!(hooked.told().await.len(), 1, "{answer}: it is not followed elsewhere, nor tried again");
        let webhook = hooked.webhook().await;
        assert!(webhook.off_since.is_some() && webhook.dead == 1, "{answer}");
        hooked.two.table(None).await;
        house.pass(TimeDelta::minutes(3));
        assert_eq!(hooked.told().await.len(), 1, "{answer}");
        post.stop().await;
    }
}

#[actix_web::test]
async fn no_message_goes_into_a_private_network() {
    let hooked = Hooked::at(NOON, &[]).await;
    let house = hooked.house();
    // As it is in earnest.
    let post = house.start_post(&post_settings(None));
    hooked.two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    house.settled().await;
    letters::until_none(&house.database, "notice where dead_at is null").await;
    assert!(hooked.receiver.received().is_empty());
    assert_eq!(hooked.webhook().await.trouble.as_deref(), Some("the address leads into a private network"));
    post.stop().await;
}
