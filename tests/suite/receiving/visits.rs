//! Who plays by mail alone visits by writing.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use wonderpost::post::receive::{Intake, Way};

use crate::harness::mail_programs::{Letter, MailProgram};
use crate::harness::sink::Sink;
use crate::harness::timed_house::{Person, TimedHouse, post_settings};

const NOON: &str = "2026-11-16T12:00:00Z";

/// Hands in a reply, and waits until it was seen to.
async fn reply(house: &TimedHouse, intake: &Intake, letter: &Letter, from: &Person, number: usize, lines: &str) {
    let message = MailProgram::Plain.reply(letter, &from.address, number, lines);
    let to = letter.reply_to.as_deref().expect("it can be answered");
    intake.take(Way::Deliver, false, to, message.as_bytes()).await.expect("it is taken");
    let mut connection = house.database.connection().await;
    for _ in 0..400 {
        let waiting: i64 = sqlx::query_scalar("select count(*) from inbox where done_at is null")
            .fetch_one(&mut connection)
            .await
            .expect("a count");
        if waiting == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("a reply was not seen to");
}

#[actix_web::test]
async fn one_letter_until_i_visit_goes_on_for_those_who_answer_by_mail() {
    let house = TimedHouse::new(NOON);
    let sink = Sink::start([]).await;
    let (alice, hatter) = (house.person("Alice").await, house.person("Hatter").await);
    let people = [&alice, &hatter];
    house.wish(&alice, r#"{"off":["turn","started","talk"]}"#).await;
    house.wish(&hatter, r#"{"when":"until-visit","reminders":[]}"#).await;
    let mut settings = post_settings(Some(&sink));
    settings.receive.reply_domain = Some("in.house.example".into());
    let addresses = settings.receive.addresses().expect("a domain");
    let intake = Intake { store: house.tables.store.clone(), addresses, arrivals: Arc::default() };
    let post = house.start_post(&settings);
    let letters = || -> Vec<Letter> {
        let received = sink.received();
        received.iter().filter(|letter| letter.to == hatter.address).map(Letter::open).collect()
    };

    let table = house.begin("red-queen", &people, None).await;
    house.play_until_turn_of(table, &people, &hatter).await;
    house.settled().await;
    house.pass(TimeDelta::minutes(3));
    house.settled().await;
    assert_eq!(letters().len(), 1);
    // He does not answer, and gets no other letter.
    let other = house.begin("red-queen", &people, None).await;
    house.play_until_turn_of(other, &people, &hatter).await;
    house.pass(TimeDelta::minutes(3));
    house.settled().await;
    assert_eq!(letters().len(), 1);

    // He answers: that was a visit.
    reply(&house, &intake, &letters()[0], &hatter, 1, "draw\nend").await;
    assert_eq!(house.awaited(table, &people).await.map(|(_, person)| person.name), Some("Alice"));
    house.pass(TimeDelta::minutes(1));
    house.play_until_turn_of(table, &people, &hatter).await;
    // While the next letter is held he says something, in answer to the old one. He has not seen that it is his turn.
    house.pass(TimeDelta::seconds(60));
    reply(&house, &intake, &letters()[0], &hatter, 2, "say Twinkle, twinkle").await;
    house.pass(TimeDelta::seconds(70));
    house.settled().await;
    let letters = letters();
    assert_eq!(letters.len(), 2);
    assert!(letters[1].text.contains(&format!("/t/{table}")), "{}", letters[1].text);
    post.stop().await;
}
