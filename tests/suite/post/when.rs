//! When letters come: held, merged, gathered, quiet, reminding. Days pass in a moment.

use chrono::TimeDelta;

use crate::harness::letters::Letter;
use crate::harness::timed_house::{Person, TimedHouse, post_settings, utc};

pub(super) const NOON: &str = "2026-11-16T12:00:00Z";
pub(super) const DAY: u32 = 86_400;

pub(super) struct Two {
    pub house: TimedHouse,
    alice: Person,
    pub hatter: Person,
}

impl Two {
    pub async fn at(now: &str) -> Two {
        let house = TimedHouse::new(now);
        let (alice, hatter) = (house.person("Alice").await, house.person("Hatter").await);
        // What happens to the one is looked at; the other gets nothing.
        house.wish(&alice, r#"{"off":["turn","started","over","reminder"]}"#).await;
        Two { house, alice, hatter }
    }

    pub fn people(&self) -> [&Person; 2] {
        [&self.alice, &self.hatter]
    }

    /// A table at which it is the hatter's turn.
    pub async fn table(&self, seconds_a_move: Option<u32>) -> wonderpost::tables::TableId {
        let table = self.house.begin("red-queen", &self.people(), seconds_a_move).await;
        self.house.play_turn_of(table, &self.people(), &self.hatter).await;
        self.house.pass(TimeDelta::seconds(1));
        self.house.play_until_turn_of(table, &self.people(), &self.hatter).await;
        table
    }

    pub async fn subjects(&self) -> Vec<String> {
        self.house.letters_to(&self.hatter).await.into_iter().map(|letter| letter.subject).collect()
    }
}

#[actix_web::test]
async fn a_letter_waits_a_while_and_is_dropped_if_its_reader_looks_at_that_table() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    let table = two.table(None).await;
    let other = two.table(None).await;
    let post = house.start_post(&post_settings(None));
    assert!(two.subjects().await.is_empty());
    house.pass(TimeDelta::seconds(60));
    house.look(table, hatter).await;
    house.pass(TimeDelta::seconds(70));
    // The other table was not looked at.
    let letters = house.letters_to(hatter).await;
    let [letter] = letters.as_slice() else { panic!("{} letters", letters.len()) };
    assert!(letter.text.contains(&other.to_string()) && !letter.text.contains(&table.to_string()));
    post.stop().await;
}

#[actix_web::test]
async fn who_always_wants_letters_gets_them_though_they_looked_but_not_once_they_have_moved() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    house.wish(hatter, r#"{"though_i_looked":true}"#).await;
    let table = two.table(None).await;
    let post = house.start_post(&post_settings(None));
    house.pass(TimeDelta::seconds(60));
    house.look(table, hatter).await;
    house.pass(TimeDelta::seconds(70));
    assert_eq!(two.subjects().await, ["Your turn: Red Queen with Alice"]);
    house.play_turn_of(table, &two.people(), hatter).await;
    house.play_until_turn_of(table, &two.people(), hatter).await;
    house.play_turn_of(table, &two.people(), hatter).await;
    house.pass(TimeDelta::minutes(5));
    assert_eq!(two.subjects().await.len(), 1);
    post.stop().await;
}

#[actix_web::test]
async fn several_tables_that_wait_are_told_of_in_one_letter_with_the_least_time_first() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    let unhurried = two.table(Some(7 * DAY)).await;
    let urgent = two.table(Some(DAY)).await;
    let post = house.start_post(&post_settings(None));
    house.settled().await;
    house.pass(TimeDelta::seconds(150));
    let letters = house.letters_to(hatter).await;
    let [letter] = letters.as_slice() else { panic!("{} letters", letters.len()) };
    assert_eq!(letter.subject, "2 tables wait for you");
    let place = |table: wonderpost::tables::TableId| letter.text.find(&table.to_string()).expect("the table");
    assert!(place(urgent) < place(unhurried), "{}", letter.text);
    assert!(letter.text.contains("SINCE YOU LAST MOVED") || letter.text.contains("SO FAR"), "{}", letter.text);
    assert_eq!(house.count("kind = 'turn' and sent_at is not null and merged_into is not null").await, 2);
    post.stop().await;
}

#[actix_web::test]
async fn a_digest_comes_at_the_readers_hour_over_a_change_of_clocks() {
    // Saturday in Berlin; the clocks go forward in the night.
    let two = Two::at("2027-03-27T19:00:00Z").await;
    let (house, hatter) = (&two.house, &two.hatter);
    house
        .wish(hatter, r#"{"when":"digest","zone":"Europe/Berlin","digest":{"at":"18:30","days":[1,2,3,4,5,7]}}"#)
        .await;
    let tables = [two.table(None).await, two.table(None).await];
    let post = house.start_post(&post_settings(None));
    house.settled().await;
    house.clock.advance(utc("2027-03-28T16:29:00Z") - house.clock.now());
    assert!(two.subjects().await.is_empty());
    house.pass(TimeDelta::minutes(1));
    assert_eq!(two.subjects().await, ["2 tables wait for you"]);
    // What was told once is not told again by itself, and what is new waits for the next evening.
    house.play_turn_of(tables[0], &two.people(), hatter).await;
    house.play_until_turn_of(tables[0], &two.people(), hatter).await;
    house.pass(TimeDelta::hours(20));
    assert_eq!(two.subjects().await.len(), 1);
    house.pass(TimeDelta::hours(4));
    assert_eq!(two.subjects().await, ["2 tables wait for you", "2 tables wait for you"]);
    house.pass(TimeDelta::days(2));
    assert_eq!(two.subjects().await.len(), 2);
    post.stop().await;
}

#[actix_web::test]
async fn one_letter_comes_until_its_reader_visits() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    house.wish(hatter, r#"{"when":"until-visit"}"#).await;
    let post = house.start_post(&post_settings(None));
    let first = two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    assert_eq!(two.subjects().await.len(), 1);
    two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    assert_eq!(two.subjects().await.len(), 1);
    house.look(first, hatter).await;
    house.pass(TimeDelta::minutes(1));
    two.table(None).await;
    house.pass(TimeDelta::minutes(3));
    assert_eq!(two.subjects().await.len(), 2);
    post.stop().await;
}

#[actix_web::test]
async fn nothing_comes_in_quiet_hours_and_what_gathered_comes_after_them() {
    let two = Two::at("2026-11-16T22:00:00Z").await;
    let (house, hatter) = (&two.house, &two.hatter);
    house.wish(hatter, r#"{"when":"at-once","zone":"Europe/Berlin","quiet":{"from":"22:00","until":"07:00"}}"#).await;
    let post = house.start_post(&post_settings(None));
    two.table(None).await;
    house.pass(TimeDelta::hours(3));
    two.table(None).await;
    house.pass(TimeDelta::hours(3));
    assert!(two.subjects().await.is_empty());
    house.clock.advance(utc("2026-11-17T06:00:00Z") - house.clock.now());
    // Who wants letters at once gets one for each table, with names to tell them apart.
    let subjects = two.subjects().await;
    assert_eq!(subjects.len(), 2);
    assert!(subjects.iter().all(|subject| subject.starts_with("Your turn: Red Queen with Alice (")), "{subjects:?}");
    post.stop().await;
}

#[actix_web::test]
async fn a_table_can_be_an_exception() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    house.wish(hatter, r#"{"when":"digest","digest":{"at":"18:30","days":[1,2,3,4,5,6,7]}}"#).await;
    let usual = two.table(None).await;
    let exception = two.table(None).await;
    let silent = two.table(None).await;
    let player = hatter.caller.player;
    house.tables.store.keep_table_wishes(exception, player, r#"{"when":"at-once"}"#).await.unwrap();
    house.tables.store.keep_table_wishes(silent, player, r#"{"off":true}"#).await.unwrap();
    let post = house.start_post(&post_settings(None));
    let letters = house.letters_to(hatter).await;
    let [letter] = letters.as_slice() else { panic!("{} letters", letters.len()) };
    assert!(letter.text.contains(&exception.to_string()));
    house.pass(TimeDelta::hours(7));
    let letters = house.letters_to(hatter).await;
    assert_eq!(letters.len(), 2);
    assert!(letters[0].text.contains(&usual.to_string()) && !letters[0].text.contains(&silent.to_string()));
    post.stop().await;
}

#[actix_web::test]
async fn a_table_can_have_reminders_and_kinds_of_letters_of_its_own() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    house.wish(hatter, r#"{"when":"at-once","off":["turn","started","reminder"]}"#).await;
    let usual = two.table(Some(DAY)).await;
    let exception = two.table(Some(DAY)).await;
    let wishes = r#"{"reminders":["two-hours"],"without":["started","over"]}"#;
    house.tables.store.keep_table_wishes(exception, hatter.caller.player, wishes).await.unwrap();
    let post = house.start_post(&post_settings(None));
    let are_reminders = |letters: &[Letter]| -> Vec<bool> {
        assert!(letters.iter().all(|letter| !letter.text.contains(&usual.to_string())));
        letters.iter().map(|letter| letter.subject.contains(" left: ")).collect()
    };
    assert_eq!(are_reminders(&house.letters_to(hatter).await), [false]);
    house.pass(TimeDelta::hours(21));
    assert_eq!(two.subjects().await.len(), 1);
    house.pass(TimeDelta::hours(2));
    assert_eq!(are_reminders(&house.letters_to(hatter).await), [true, false]);
    post.stop().await;
}

#[actix_web::test]
async fn a_reminder_comes_when_a_quarter_of_the_time_is_left_although_the_reader_looked() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    let table = two.table(Some(4 * DAY)).await;
    let post = house.start_post(&post_settings(None));
    house.settled().await;
    house.pass(TimeDelta::seconds(1));
    house.look(table, hatter).await;
    house.pass(TimeDelta::hours(71));
    assert!(two.subjects().await.is_empty());
    house.pass(TimeDelta::hours(2));
    let letters = house.letters_to(hatter).await;
    let [letter] = letters.as_slice() else { panic!("{} letters", letters.len()) };
    assert!(letter.text.starts_with("It is still your turn: your time ends in 2"), "{}", letter.text);
    assert!(letter.subject.ends_with(" left: Red Queen with Alice"), "{}", letter.subject);
    house.pass(TimeDelta::hours(20));
    assert_eq!(two.subjects().await.len(), 1);
    post.stop().await;
}

#[actix_web::test]
async fn no_reminder_comes_once_the_move_is_made() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    let table = two.table(Some(4 * DAY)).await;
    let post = house.start_post(&post_settings(None));
    house.pass(TimeDelta::minutes(5));
    assert_eq!(two.subjects().await.len(), 1);
    house.play_turn_of(table, &two.people(), hatter).await;
    house.pass(TimeDelta::hours(80));
    assert_eq!(two.subjects().await.len(), 1);
    post.stop().await;
}

#[actix_web::test]
async fn after_an_outage_of_days_each_reader_gets_one_letter_and_not_a_flood() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    house.wish(hatter, r#"{"reminders":["day","eight-hours","two-hours"]}"#).await;
    for _ in 0..3 {
        two.table(Some(4 * DAY)).await;
    }
    // The reminders are planned, and then the house is closed for days.
    let post = house.start_post(&post_settings(None));
    house.settled().await;
    post.stop().await;
    house.pass(TimeDelta::hours(92));
    let post = house.start_post(&post_settings(None));
    assert_eq!(two.subjects().await, ["3 tables wait for you"]);
    house.pass(TimeDelta::minutes(30));
    assert_eq!(two.subjects().await.len(), 1);
    // The last reminder of each is still to come, and none is lost among others.
    house.pass(TimeDelta::minutes(100));
    let subjects = two.subjects().await;
    assert_eq!(subjects.len(), 4);
    assert!(subjects[..3].iter().all(|subject| subject.contains(" left: Red Queen with Alice (")), "{subjects:?}");
    post.stop().await;
}
