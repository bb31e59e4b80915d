//! Invitations that are answered by reply, also by people whom the house does not know.

use serde_json::json;
use wonderpost::players::EmailAddress;
use wonderpost::tables::lifecycle::invite::Host;
use wonderpost::tables::state::table_state::Status;
use wonderpost::tables::{Credentials, TableId};

use crate::harness::mail_programs::Letter;
use crate::harness::post_house::{HATTER, PostHouse};
use crate::harness::table;

const DODO: &str = "dodo@example.com";

/// The Hatter sits at a table for two and has invited somebody: the table, and the letter.
async fn invite(house: &mut PostHouse, hatter: &Credentials, whom: &str) -> (TableId, Letter) {
    let table = table::open(&house.tables, "off-with-their-heads", json!({}), &[hatter, hatter]).await;
    house.tables.sit(hatter.player, table, "treacle").await.expect("a seat");
    let host = Host { player: hatter.player, is_guest: false, network: "192.0.2.0".to_owned() };
    let cached = house.tables.load_fresh(table).await.expect("a table");
    let address = EmailAddress::parse(whom).expect("an address");
    house.tables.invite(&host, &cached, &address, None).await.expect("an invitation");
    let letter = house.letter_to(whom).await;
    assert!(letter.text.contains("Answer this letter with “yes”"), "{}", letter.text);
    (table, letter)
}

async fn status(house: &PostHouse, table: TableId) -> Status {
    house.tables.load_fresh(table).await.expect("a table").now.status()
}

#[actix_web::test]
async fn somebody_new_says_yes_and_plays_by_letter() {
    let mut house = PostHouse::empty().await;
    let hatter = house.player(HATTER).await;
    let (table, letter) = invite(&mut house, &hatter, DODO).await;
    // Anybody else's word does not count.
    assert_eq!(house.reply(&letter, HATTER, "yes").await, "not from the one who was invited");
    assert_eq!(status(&house, table).await, Status::Open);
    for _ in 0..2 {
        assert_eq!(house.reply(&letter, DODO, "Yes, please!").await, "an invitation was accepted");
        assert_eq!(status(&house, table).await, Status::Playing);
    }
    assert_eq!(house.count("player where email = 'dodo@example.com'").await, 1);
    assert_eq!(house.count("invitation where answer = 'accepted'").await, 1);
    let mut turn = house.letter_to(DODO).await;
    while !turn.reply_to.as_deref().is_some_and(|address| address.starts_with("m-")) {
        turn = house.letter_to(DODO).await;
    }
    let choice = turn.text.lines().find(|line| line.starts_with("  play ")).expect("a move").trim().to_owned();
    assert_eq!(house.reply(&turn, DODO, &choice).await, "done: 1 moves, 1 lines");
    assert_eq!(house.moves(table).await, 1);
}

#[actix_web::test]
async fn an_invitation_is_declined_by_letter_and_a_riddle_is_asked_about() {
    let mut house = PostHouse::empty().await;
    let hatter = house.player(HATTER).await;
    let (table, letter) = invite(&mut house, &hatter, DODO).await;
    assert_eq!(house.reply(&letter, DODO, "Perhaps").await, "unread: neither yes nor no to an invitation");
    let question = house.letter_to(DODO).await;
    assert!(question.text.contains("Write “yes” or “no” on the first line."), "{}", question.text);
    assert_eq!(house.reply(&question, DODO, "No, thank you").await, "an invitation was declined");
    assert_eq!(house.count("invitation where answer = 'declined'").await, 1);
    assert_eq!(status(&house, table).await, Status::Open);
    assert_eq!(house.count("player where email = 'dodo@example.com'").await, 0);
}

#[actix_web::test]
async fn whoever_comes_too_late_is_told() {
    let mut house = PostHouse::empty().await;
    let (hatter, alice) = (house.player(HATTER).await, house.player("alice@example.org").await);
    let (table, letter) = invite(&mut house, &hatter, DODO).await;
    house.tables.sit(alice.player, table, "treacle").await.expect("the last seat");
    assert_eq!(house.reply(&letter, DODO, "yes").await, "an invitation was accepted too late");
    let answer = house.letter_to(DODO).await;
    assert!(answer.text.contains("Too late for"), "{}", answer.text);
    assert_eq!(house.count("player where email = 'dodo@example.com'").await, 0);
}

#[actix_web::test]
async fn machines_do_not_answer_invitations() {
    let mut house = PostHouse::empty().await;
    let hatter = house.player(HATTER).await;
    let (table, letter) = invite(&mut house, &hatter, DODO).await;
    let message = house.write(&letter, DODO, "yes");
    let outcome = house.hand_in(&letter, &format!("Auto-Submitted: auto-replied\n{message}")).await;
    assert!(outcome.starts_with("not read: automatic"), "{outcome}");
    assert_eq!(status(&house, table).await, Status::Open);
}
