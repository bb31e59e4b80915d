//! What goes as one letter and what never does, and by which subjects letters are told apart.

use std::collections::BTreeSet;

use chrono::TimeDelta;

use super::when::{DAY, NOON, Two};
use crate::harness::timed_house::{post_settings, utc};

const DIGEST: &str = r#"{"when":"digest","digest":{"at":"18:30","days":[1,2,3,4,5,6,7]}}"#;

#[actix_web::test]
async fn a_digest_never_swallows_the_end_of_a_game() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    house.wish(hatter, DIGEST).await;
    for _ in 0..2 {
        two.table(None).await;
    }
    let ending = two.table(None).await;
    house.tables.resign(&two.people()[0].caller, ending).await.expect("an end");
    let post = house.start_post(&post_settings(None));
    house.clock.advance(utc("2026-11-16T18:31:00Z") - house.clock.now());
    let letters = house.letters_to(hatter).await;
    let subjects: Vec<&str> = letters.iter().map(|letter| letter.subject.as_str()).collect();
    assert_eq!(letters.len(), 2, "{subjects:?}");
    let of_end = letters.iter().find(|letter| letter.subject.starts_with("You won: Red Queen with Alice"));
    assert!(of_end.expect("the end").text.starts_with("The game is over: you won!"), "{subjects:?}");
    let digest = letters.iter().find(|letter| letter.subject == "2 tables wait for you").expect("a digest");
    assert!(!digest.text.contains(&ending.to_string()), "{}", digest.text);
    post.stop().await;
}

#[actix_web::test]
async fn a_digest_does_not_hold_back_a_reminder_and_one_waiting_table_is_a_full_letter() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    house.wish(hatter, DIGEST).await;
    two.table(Some(DAY)).await;
    let post = house.start_post(&post_settings(None));
    house.clock.advance(utc("2026-11-16T18:31:00Z") - house.clock.now());
    let letters = house.letters_to(hatter).await;
    let [letter] = letters.as_slice() else { panic!("{} letters", letters.len()) };
    assert_eq!(letter.subject, "Your turn: Red Queen with Alice");
    assert!(letter.text.contains("draw"), "it can be played from: {}", letter.text);
    // A quarter of the day before its end, long before the next evening.
    house.clock.advance(utc("2026-11-17T06:10:00Z") - house.clock.now());
    let subjects = two.subjects().await;
    assert_eq!(subjects.len(), 2, "{subjects:?}");
    assert!(subjects[0].ends_with(" left: Red Queen with Alice"), "{subjects:?}");
    post.stop().await;
}

#[actix_web::test]
async fn who_wants_letters_at_once_gets_one_for_each_table_with_subjects_that_differ() {
    let two = Two::at(NOON).await;
    let (house, hatter) = (&two.house, &two.hatter);
    house.wish(hatter, r#"{"when":"at-once"}"#).await;
    for _ in 0..3 {
        two.table(None).await;
    }
    let post = house.start_post(&post_settings(None));
    house.pass(TimeDelta::minutes(3));
    let subjects = two.subjects().await;
    assert_eq!(subjects.len(), 3, "{subjects:?}");
    assert!(subjects.iter().all(|subject| subject.starts_with("Your turn: Red Queen with Alice (")), "{subjects:?}");
    assert_eq!(subjects.iter().collect::<BTreeSet<_>>().len(), 3, "{subjects:?}");
    post.stop().await;
}
