//! What is only proposed, and done when its writer says yes; and replies as people type them.

use wonderpost::tables::Credentials;
use wonderpost::tables::state::table_state::Status;

use crate::harness::post_house::{ALICE, PostHouse};
use crate::harness::{letters, table};

#[actix_web::test]
async fn a_near_miss_is_asked_about_and_made_after_a_yes() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    assert_eq!(house.reply(&letter, ALICE, "Drwa").await, "a near miss: asked what was meant");
    assert_eq!(house.moves(table).await, 0);
    let question = house.letter_to(ALICE).await;
    for words in ["Did you mean this?", "You wrote “Drwa”", "    draw\n", "Nothing has been done yet."] {
        assert!(question.text.contains(words), "{words} in {}", question.text);
    }
    assert_eq!(house.reply(&question, ALICE, "no").await, "what was proposed is not meant");
    assert_eq!(house.moves(table).await, 0);
    for _ in 0..2 {
        assert_eq!(house.reply(&question, ALICE, "Yes, please!").await, "done, and still to move");
    }
    assert_eq!(house.moves(table).await, 1);
    // A yes to any other letter means nothing.
    assert_eq!(house.reply(&letter, ALICE, "yes").await, "unread: the first line is no move");
}

#[actix_web::test]
async fn a_question_can_be_answered_with_a_move() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    house.reply(&letter, ALICE, "drwa").await;
    let question = house.letter_to(ALICE).await;
    assert_eq!(house.reply(&question, ALICE, "draw\nend").await, "done: 2 moves, 2 lines");
    assert_eq!(house.moves(table).await, 2);
    // What was proposed is out of date now.
    assert_eq!(house.reply(&question, ALICE, "yes").await, "the table had moved on");
}

#[actix_web::test]
async fn resigning_by_letter_is_confirmed_by_a_second_one() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let status = async |house: &PostHouse| house.tables.load_fresh(table).await.unwrap().now.status();
    assert_eq!(house.reply(&letter, ALICE, "Resign.").await, "asked whether it is meant");
    assert_eq!(status(&house).await, Status::Playing);
    let question = house.letter_to(ALICE).await;
    assert!(question.text.contains("Do you really want to give up?"), "{}", question.text);
    house.reply(&question, ALICE, "yes").await;
    assert_eq!(status(&house).await, Status::Over);
    letters::settled(&house.database).await;
    assert_eq!(house.count("letter where kind = 'over' and sent_at is not null").await, 2);
    // Whoever moves now is told once that it is over, and sees no board that says something else.
    assert_eq!(house.reply(&letter, ALICE, "draw").await, "refused");
    let mut answer = house.letter_to(ALICE).await;
    while !answer.text.contains("That could not be done.") {
        answer = house.letter_to(ALICE).await;
    }
    assert_eq!(answer.text.matches("The game is over.").count(), 1, "{}", answer.text);
    assert!(!answer.text.contains("Your turn"), "{}", answer.text);
}

#[actix_web::test]
async fn a_resignation_counts_only_for_how_the_table_stood() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    house.reply(&letter, ALICE, "draw").await;
    assert_eq!(house.reply(&letter, ALICE, "resign").await, "the table had moved on");
    let now = house.letter_to(ALICE).await;
    assert_eq!(house.reply(&now, ALICE, "resign").await, "asked whether it is meant");
    let mut question = house.letter_to(ALICE).await;
    while !question.text.contains("Do you really want to give up?") {
        question = house.letter_to(ALICE).await;
    }
    house.reply(&now, ALICE, "end").await;
    assert_eq!(house.reply(&question, ALICE, "yes").await, "the table had moved on");
    assert_eq!(house.tables.load_fresh(table).await.unwrap().now.status(), Status::Playing);
}

#[actix_web::test]
async fn whoever_skips_is_offered_the_harmless_move() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    assert_eq!(house.reply(&letter, ALICE, "skip").await, "a move was proposed");
    let question = house.letter_to(ALICE).await;
    assert!(question.text.contains("Shall we move for you?"), "{}", question.text);
    house.reply(&question, ALICE, "ok").await;
    assert_eq!(house.moves(table).await, 1);
}

#[actix_web::test]
async fn replies_are_read_as_people_type_them() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let head = format!("From: {ALICE}\nContent-Type: text/plain; charset=utf-8; format=flowed\n\n");
    let bottom =
        format!("{head}On Monday, Wonderpost wrote:\n> It is your turn.\n>   end\n\nHi!\n\n- “Draw.” \nThanks\n");
    assert_eq!(house.hand_in(&letter, &bottom).await, "done, and still to move");
    let now = house.letter_to(ALICE).await;
    assert_eq!(house.hand_in(&now, &format!("{head}*END!* \nCheers, Alice\n")).await, "done: 1 moves, 1 lines");
    assert_eq!(house.moves(table).await, 2);
}

#[actix_web::test]
async fn letters_are_put_off_refused_and_wanted_again_and_days_are_taken_off() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    assert_eq!(house.reply(&letter, ALICE, "later 6h").await, "letters put off");
    let answer = house.letter_to(ALICE).await;
    assert!(answer.text.contains("No letters about this table until"), "{}", answer.text);
    assert_eq!(house.count("seat where letters::jsonb ->> 'later' is not null").await, 1);
    assert_eq!(house.reply(&letter, ALICE, "STOP").await, "no more letters about the table");
    assert_eq!(house.count("seat where letters::jsonb ->> 'off' = 'true'").await, 1);
    assert_eq!(house.reply(&letter, ALICE, "start").await, "letters about the table come again");
    assert_eq!(house.count("seat where letters::jsonb ->> 'off' = 'true'").await, 0);
    let player = house.tables.load_fresh(table).await.unwrap().holders[0].player.unwrap();
    for _ in 0..2 {
        assert_eq!(house.reply(&letter, ALICE, "Vacation 3 days!").await, "days off announced");
    }
    let days = house.tables.store.days_off(player, chrono::Utc::now()).await.unwrap();
    assert_eq!(days.len(), 1);
    assert_eq!((days[0].last - days[0].first).num_days(), 2);
    assert_eq!(house.moves(table).await, 0);
}

#[actix_web::test]
async fn a_reply_to_a_digest_names_its_table() {
    let mut house = PostHouse::open().await;
    let (first, letter) = house.alice_to_move().await;
    let holders = house.tables.load_fresh(first).await.unwrap().holders.clone();
    let seats = holders.iter().filter_map(|holder| holder.player);
    let seats: Vec<Credentials> = seats.map(|player| Credentials { player, token_digest: [0; 32] }).collect();
    let game = "off-with-their-heads";
    let second = table::begin_together(&house.tables, game, serde_json::json!({}), &[&seats[0], &seats[1]]).await;
    let mut other = house.letter_to(ALICE).await;
    while !other.text.lines().any(|line| line.starts_with("  play ")) {
        other = house.letter_to(ALICE).await;
    }
    let choice = other.text.lines().find(|line| line.starts_with("  play ")).unwrap().trim().to_owned();
    let (one, two) = (letter.reply_to.clone().unwrap(), other.reply_to.clone().unwrap());
    let quotation =
        format!("On Monday, Wonderpost wrote:\n> 1. Send your move to {one}\n> 2. Send your move to {two}\n");
    // Without the letter nobody can tell which the second table is.
    let message = format!("From: {ALICE}\n\n2: {choice}\n");
    assert_eq!(house.hand_in(&letter, &message).await, "unread: the first line is no move");
    let message = format!("From: {ALICE}\n\n2: {choice}\n\n{quotation}");
    assert_eq!(house.hand_in(&letter, &message).await, "done: 1 moves, 1 lines");
    assert_eq!((house.moves(first).await, house.moves(second).await), (0, 1));
    let message = format!("From: {ALICE}\n\n1: draw\n\n{quotation}");
    assert_eq!(house.hand_in(&letter, &message).await, "done, and still to move");
    assert_eq!(house.moves(first).await, 1);
}

#[actix_web::test]
async fn whoever_seems_to_be_away_is_offered_days_off_once() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let message = house.write(&letter, ALICE, "draw");
    let outcome = house.hand_in(&letter, &format!("Auto-Submitted: auto-replied (vacation)\n{message}")).await;
    assert_eq!(outcome, "not read: out of office");
    assert_eq!(house.moves(table).await, 0);
    let holders = house.tables.load_fresh(table).await.unwrap().holders.clone();
    let (alice, hatter) = (holders[0].player.unwrap(), holders[1].player.unwrap());
    assert!(house.tables.store.absence_of(alice).await.unwrap().is_some());
    assert!(house.tables.store.absence_of(hatter).await.unwrap().is_none());
    for is_offered in [true, false] {
        house.tables.talk(hatter, table, if is_offered { "Hello?" } else { "Anybody?" }).await.unwrap();
        let letter = house.letter_to(ALICE).await;
        assert_eq!(letter.text.contains("answer with “vacation 3 days”"), is_offered, "{}", letter.text);
        letters::settled(&house.database).await;
    }
    house.reply(&letter, ALICE, "vacation 2 days").await;
    assert!(house.tables.store.absence_of(alice).await.unwrap().is_none());
}
