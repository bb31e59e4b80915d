//! Letters that come back.

use crate::harness::letters;
use crate::harness::post_house::{ALICE, DOMAIN, PostHouse};

/// A report as a mail server writes it.
fn report(action: &str, status: &str) -> String {
    format!(
        "From: MAILER-DAEMON@mx.example.org (Mail Delivery System)\nSubject: Undelivered Mail Returned to Sender\n\
         Auto-Submitted: auto-replied\nMIME-Version: 1.0\nMessage-ID: <{status}.{action}@mx.example.org>\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"B\"\n\n--B\nContent-Type: text/plain\n\n\
         I'm sorry to have to inform you.\n\n--B\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n\
         Final-Recipient: rfc822; {ALICE}\nAction: {action}\nStatus: {status}\nDiagnostic-Code: smtp; 550 nobody\n\n\
         --B\nContent-Type: message/rfc822\n\nSubject: Your turn\n\nHello\n\n--B--\n"
    )
}

/// A complaint as a mail provider writes it when its user calls a letter spam.
const COMPLAINT: &str = include_str!("complaint.eml");

/// The senders on the envelopes of letters to Alice.
fn senders(house: &PostHouse) -> Vec<String> {
    let received = house.sink.received();
    received.into_iter().filter(|letter| letter.to == ALICE).map(|letter| letter.from).collect()
}

#[actix_web::test]
async fn an_address_is_turned_off_after_two_letters_came_back_for_good_and_on_again_by_its_player() {
    let mut house = PostHouse::open().await;
    let (_, letter) = house.alice_to_move().await;
    house.reply(&letter, ALICE, "help").await;
    house.letter_to(ALICE).await;
    let senders = senders(&house);
    let [first, second] = senders.as_slice() else { panic!("{senders:?}") };
    assert!(first.starts_with("b-") && first.ends_with(&format!("@{DOMAIN}")) && first != second, "{senders:?}");
    let mut lmtp = house.lmtp().await;
    for (to, report, outcome) in [
        (first, report("delayed", "4.4.1"), "a report that changes nothing"),
        (first, report("failed", "5.1.1"), "a letter came back (5.1.1)"),
        // The same letter counts once.
        (first, report("failed", "5.1.2"), "a letter came back (5.1.2)"),
        (second, report("failed", "5.1.1"), "a letter came back (5.1.1): no more are sent"),
    ] {
        assert_eq!(lmtp.hand_in("", &[to], &report).await[0].code, 250);
        assert_eq!(house.outcome().await, outcome);
    }

    let sent = house.letters_to(ALICE).await;
    house.reply(&letter, ALICE, "help").await;
    assert_eq!(house.letters_to(ALICE).await, sent);
    assert_eq!(house.count("letter where kind = 'answer' and dropped_at is not null").await, 1);

    // To sign in she still gets a letter; then her desk and her page tell her.
    let alice = house.service.visitor();
    alice.post("/sign-in", &[("email", ALICE)]).await.location();
    let link = house.letter_to(ALICE).await.text;
    let link =
        link.split("/sign-in/").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a link").to_owned();
    alice.post(&format!("/sign-in/{link}"), &[]).await.location();
    for page in ["/", "/me"] {
        assert!(alice.look(page).await.contains("Our letters don't reach you"), "{page}");
    }
    assert_eq!(alice.post("/me/mail-on", &[]).await.location(), "/me?done=mail-on");
    for page in ["/", "/me"] {
        assert!(!alice.look(page).await.contains("Our letters don't reach you"), "{page}");
    }
    let sent = house.letters_to(ALICE).await;
    house.reply(&letter, ALICE, "help").await;
    assert_eq!(house.letters_to(ALICE).await, sent + 1);
}

#[actix_web::test]
async fn what_comes_back_to_somebody_with_a_new_address_does_not_count() {
    let mut house = PostHouse::open().await;
    let (_, letter) = house.alice_to_move().await;
    house.reply(&letter, ALICE, "help").await;
    house.letter_to(ALICE).await;
    let senders = senders(&house);
    letters::execute(&house.database, "update player set email = 'new@example.org' where email like 'alice%'").await;
    let mut lmtp = house.lmtp().await;
    for sender in &senders {
        lmtp.hand_in("", &[sender], &report("failed", "5.1.1")).await;
        assert_eq!(house.outcome().await, "a letter came back: its reader is nobody we know");
    }
    assert_eq!(house.count("player where mail_off_since is not null").await, 0);
    assert_eq!(lmtp.hand_in("", &[&senders[0]], "Subject: hello\n\ndraw\n").await[0].code, 250);
    assert_eq!(house.outcome().await, "not read: no report on a letter");
}

#[actix_web::test]
async fn who_calls_a_letter_spam_gets_no_more_until_they_want_them_again() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let sender = senders(&house).remove(0);
    let mut lmtp = house.lmtp().await;
    // That it was no spam is no complaint.
    let praise = COMPLAINT.replace("Feedback-Type: abuse", "Feedback-Type: not-spam");
    for (report, outcome) in [
        (praise.as_str(), "a report that changes nothing"),
        (COMPLAINT, "a letter was called spam (complaint): no more are sent"),
    ] {
        assert_eq!(lmtp.hand_in("complaints@mail.example", &[&sender], report).await[0].code, 250);
        assert_eq!(house.outcome().await, outcome);
    }
    assert_eq!(house.count(&format!("player where mail_off_since is not null and email = '{ALICE}'")).await, 1);
    let sent = house.letters_to(ALICE).await;
    let turn = format!(
        "insert into letter (kind, player_id, table_id, move_no) select 'turn', player_id, table_id, 0
         from seat where table_id = '{table}' and seat = 1"
    );
    letters::execute(&house.database, &turn).await;
    house.reply(&letter, ALICE, "help").await;
    assert_eq!(house.letters_to(ALICE).await, sent);
    // The page says so, and has the button.
    let alice = house.service.visitor();
    alice.post("/sign-in", &[("email", ALICE)]).await.location();
    let link = house.letter_to(ALICE).await.text;
    let link = link.split("/sign-in/").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a link");
    alice.post(&format!("/sign-in/{link}"), &[]).await.location();
    assert!(alice.look("/me").await.contains("were marked as spam"));
    alice.post("/me/mail-on", &[]).await.location();
    let sent = house.letters_to(ALICE).await;
    letters::execute(&house.database, &turn).await;
    assert_eq!(house.letters_to(ALICE).await, sent + 1);
}
