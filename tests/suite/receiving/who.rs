//! Who may speak for a seat, and what is held until its player confirms it.

use reqwest::StatusCode;

use crate::harness::post_house::{ALICE, HATTER, PostHouse};

/// The path of the page that confirms a held reply.
fn confirming(text: &str) -> String {
    let token = text.split("/held/").nth(1).unwrap_or_else(|| panic!("no link: {text}"));
    format!("/held/{}", token.split_whitespace().next().unwrap())
}

#[actix_web::test]
async fn a_reply_from_another_address_is_held_until_the_player_confirms_it() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    assert_eq!(house.reply(&letter, "cheshire@cat.example", "draw").await, "held until its player confirms it");
    assert_eq!(house.moves(table).await, 0);

    let asking = house.letter_to(ALICE).await;
    assert!(asking.text.contains("Was that you?") && asking.text.contains("    draw"), "{}", asking.text);
    assert!(asking.reply_to.is_none() && !asking.raw.contains("cheshire"), "{}", asking.raw);
    let (visitor, path) = (house.service.visitor(), confirming(&asking.text));
    // Looking does nothing, however often.
    for _ in 0..2 {
        let page = visitor.look(&path).await;
        assert!(page.contains("<pre>draw</pre>"), "{page}");
    }
    assert_eq!(house.moves(table).await, 0);
    assert_eq!(visitor.post(&path, &[]).await.status, StatusCode::OK);
    assert_eq!(house.outcome().await, "done, and still to move");
    assert_eq!(house.moves(table).await, 1);
    assert_eq!(visitor.post(&path, &[]).await.status, StatusCode::GONE);
    assert_eq!(visitor.get(&path).await.status, StatusCode::GONE);
    assert_eq!(visitor.get("/held/nonsense").await.status, StatusCode::GONE);
}

#[actix_web::test]
async fn a_held_reply_cannot_be_confirmed_for_ever() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    house.reply(&letter, HATTER, "draw").await;
    let path = confirming(&house.letter_to(ALICE).await.text);
    crate::harness::letters::execute(&house.database, "update held_reply set expires_at = now()").await;
    let visitor = house.service.visitor();
    assert_eq!(visitor.get(&path).await.status, StatusCode::GONE);
    assert_eq!(visitor.post(&path, &[]).await.status, StatusCode::GONE);
    assert_eq!(house.moves(table).await, 0);
}

#[actix_web::test]
async fn a_held_reply_that_comes_too_late_is_answered_like_any_other() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    house.reply(&letter, HATTER, "draw").await;
    let path = confirming(&house.letter_to(ALICE).await.text);
    assert_eq!(house.reply(&letter, ALICE, "draw\nend").await, "done: 2 moves, 2 lines");
    assert_eq!(house.service.visitor().post(&path, &[]).await.status, StatusCode::OK);
    assert_eq!(house.outcome().await, "the table had moved on");
    assert_eq!(house.moves(table).await, 2);
}

#[actix_web::test]
async fn what_says_nothing_and_comes_from_elsewhere_is_not_asked_about() {
    let mut house = PostHouse::open().await;
    let (_, letter) = house.alice_to_move().await;
    let before = house.letters_to(ALICE).await;
    let outcome = house.reply(&letter, "spam@example.com", "Buy our tarts!").await;
    assert_eq!(outcome, "not from the player, and says nothing");
    assert_eq!(house.letters_to(ALICE).await, before);
}

#[actix_web::test]
async fn where_a_mail_server_is_trusted_it_must_vouch_for_the_writer() {
    let mut house = PostHouse::open_with(|settings| {
        settings.post.receive.authserv_id = Some("mx.house.example".into());
    })
    .await;
    let (table, letter) = house.alice_to_move().await;
    let pass = "Authentication-Results: mx.house.example; dkim=pass header.d=example.org\n";
    let fail = "Authentication-Results: mx.house.example; dkim=fail header.d=example.org; spf=pass smtp.mailfrom=evil.example\n";
    let held = "held until its player confirms it";
    let message = house.write(&letter, ALICE, "draw");
    assert_eq!(house.hand_in(&letter, &message).await, held);
    // A note that came with the message stands below our server's own.
    let message = house.write(&letter, ALICE, "draw");
    assert_eq!(house.hand_in(&letter, &format!("{fail}{pass}{message}")).await, held);
    let message = house.write(&letter, ALICE, "draw");
    let elsewhere = pass.replace("mx.house.example", "mx.evil.example");
    assert_eq!(house.hand_in(&letter, &format!("{elsewhere}{message}")).await, held);
    assert_eq!(house.moves(table).await, 0);
    let message = house.write(&letter, ALICE, "draw");
    assert_eq!(house.hand_in(&letter, &format!("{pass}{fail}{message}")).await, "done, and still to move");
    assert_eq!(house.moves(table).await, 1);
}

#[actix_web::test]
async fn a_reply_speaks_for_whoever_holds_the_seat_now() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let message = house.write(&letter, ALICE, "draw");
    crate::harness::letters::execute(
        &house.database,
        "update player set email = 'new@example.org' where email like 'alice%'",
    )
    .await;
    assert_eq!(house.hand_in(&letter, &message).await, "held until its player confirms it");
    assert_eq!(house.moves(table).await, 0);
    assert_eq!(house.reply(&letter, "New@Example.org", "draw").await, "done, and still to move");
}
