//! The three ways in.

use std::net::TcpListener;

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Method, StatusCode};
use sha2::Sha256;

use crate::harness::lmtp::Lmtp;
use crate::harness::post_house::{ALICE, DOMAIN, PostHouse};
use crate::harness::program;

#[actix_web::test]
async fn a_mail_server_hears_what_became_of_a_message_for_each_reader() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let to = letter.reply_to.clone().unwrap();
    assert!(to.starts_with("m-") && to.ends_with(&format!("@{DOMAIN}")), "{to}");
    let message = house.write(&letter, ALICE, "draw");
    let mut lmtp = house.lmtp().await;
    let (unknown, elsewhere) = (format!("m-aaaa@{DOMAIN}"), "alice@example.org");
    let verdicts = lmtp.hand_in(ALICE, &[&unknown, &to.to_uppercase(), elsewhere], &message).await;
    let codes: Vec<u16> = verdicts.iter().map(|verdict| verdict.code).collect();
    assert_eq!(codes, [550, 250, 550]);
    assert!(verdicts[0].words.starts_with("5.1.1") && verdicts[2].words.starts_with("5.7.1"));
    house.outcome().await;
    assert_eq!(house.moves(table).await, 1);
    // Nobody at all.
    assert_eq!(lmtp.hand_in(ALICE, &[&unknown], &message).await[0].code, 550);
    assert_eq!(house.count("inbox").await, 1);
}

#[actix_web::test]
async fn a_mail_server_may_change_its_mind_and_must_keep_to_the_form() {
    let house = PostHouse::open().await;
    let mut lmtp = house.lmtp().await;
    assert_eq!(lmtp.ask("EHLO mx.example.org").await.code, 500);
    assert_eq!(lmtp.ask("DATA").await.code, 503);
    assert_eq!(lmtp.ask("RCPT TO:<a@b>").await.code, 503);
    assert_eq!(lmtp.ask("MAIL FROM:<a@b.example>").await.code, 250);
    assert_eq!(lmtp.ask("MAIL FROM:<a@b.example>").await.code, 503);
    assert_eq!(lmtp.ask("RSET").await.code, 250);
    assert_eq!(lmtp.ask("MAIL FROM:<a@b.example> SIZE=99999999").await.code, 552);
    assert_eq!(lmtp.ask("MAIL FROM:a").await.code, 501);
    assert_eq!(lmtp.ask("NOOP").await.code, 250);
    assert_eq!(lmtp.ask(&format!("NOOP {}", "x".repeat(9000))).await.code, 500);
    assert_eq!(lmtp.ask("QUIT").await.code, 221);
}

#[actix_web::test]
async fn a_message_that_is_too_large_is_refused_and_the_next_is_taken() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let to = letter.reply_to.clone().unwrap();
    let message = house.write(&letter, ALICE, "draw");
    let mut lmtp = house.lmtp().await;
    let large = format!("{message}\n{}", "a line of a picture\n".repeat(60_000));
    let verdicts = lmtp.hand_in(ALICE, &[&to], &large).await;
    assert_eq!(verdicts[0].code, 552);
    assert_eq!(lmtp.hand_in(ALICE, &[&to], &message).await[0].code, 250);
    house.outcome().await;
    assert_eq!((house.moves(table).await, house.count("inbox").await), (1, 1));
}

#[actix_web::test]
async fn a_reply_with_a_photo_is_read_and_the_photo_is_not_kept() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let photo = "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUG\n".repeat(60_000);
    let message = format!(
        "From: {ALICE}\nSubject: Re: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b1\n\n\
         --b1\nContent-Type: image/jpeg; name=\"IMG_1.jpg\"\nContent-Transfer-Encoding: base64\n\n{photo}\n\
         --b1\nContent-Type: text/plain; charset=utf-8\n\ndraw\n\n--b1--\n"
    );
    assert!(message.len() > 4_000_000);
    assert_eq!(house.hand_in(&letter, &message).await, "done, and still to move");
    assert_eq!(house.moves(table).await, 1);
    assert_eq!(house.count("inbox where length(raw) < 1000").await, 1);
}

#[actix_web::test]
async fn what_cannot_be_kept_is_not_taken() {
    let mut house = PostHouse::open().await;
    let (_, letter) = house.alice_to_move().await;
    let to = letter.reply_to.clone().unwrap();
    let message = house.write(&letter, ALICE, "draw");
    let mut lmtp = house.lmtp().await;
    house.database.go_away().await;
    assert_eq!(lmtp.hand_in(ALICE, &[&to], &message).await[0].code, 451);
    house.database.come_back().await;
    assert_eq!(lmtp.hand_in(ALICE, &[&to], &message).await[0].code, 250);
    assert_eq!(house.outcome().await, "done, and still to move");
}

#[actix_web::test]
async fn mail_comes_in_over_tcp_too() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut house = PostHouse::open_with(|settings| settings.post.receive.lmtp_listen = Some(port.to_string())).await;
    let (table, letter) = house.alice_to_move().await;
    let message = house.write(&letter, ALICE, "draw");
    let to = letter.reply_to.clone().unwrap();
    let mut lmtp = Lmtp::over_tcp(&port.to_string()).await;
    assert_eq!(lmtp.hand_in(ALICE, &[&to], &message).await[0].code, 250);
    house.outcome().await;
    assert_eq!(house.moves(table).await, 1);
}

#[actix_web::test]
async fn a_message_is_delivered_by_a_pipe_with_an_exit_code() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let folder = tempfile::tempdir().unwrap();
    let message = house.write(&letter, ALICE, "draw");
    let url = house.database.url();
    let deliver = |url: &str, to: &str, message: &str| {
        let arguments = ["deliver", to, "--sender", ALICE, "--reply-domain", DOMAIN, "--database-url", url];
        program::run_with_input(folder.path(), &arguments, message.as_bytes()).status.code()
    };
    let to = letter.reply_to.as_deref().unwrap();
    let piped = format!("From alice@example.org Mon Nov 16 09:00:00 2026\n{message}");
    assert_eq!(deliver(&url, to, &piped), Some(0));
    house.outcome().await;
    assert_eq!(house.moves(table).await, 1);
    assert_eq!(deliver(&url, &format!("m-aaaa@{DOMAIN}"), &message), Some(67));
    assert_eq!(deliver(&url, to, "\n"), Some(65));
    assert_eq!(deliver(&url, to, &"x".repeat(2_000_000)), Some(65));
    assert_eq!(deliver("postgres://nobody@127.0.0.1:1/none", to, &message), Some(75));
    let slip = program::run_with_input(folder.path(), &["deliver", "--no-such-flag"], b"");
    assert_eq!(slip.status.code(), Some(75));
}

#[actix_web::test]
async fn a_pipe_hands_a_message_to_the_service_where_it_cannot_reach_the_database() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let folder = tempfile::tempdir().unwrap();
    let message = format!("{}\n.a line that begins with a dot\n", house.write(&letter, ALICE, "draw"));
    let deliver = |place: &str, to: &str, message: &str| {
        let arguments = ["deliver", to, "--sender", ALICE, "--reply-domain", DOMAIN, "--lmtp-listen", place];
        program::run_with_input(folder.path(), &arguments, message.as_bytes()).status.code()
    };
    let (place, to) = (house.socket.display().to_string(), letter.reply_to.as_deref().unwrap());
    assert_eq!(deliver(&place, to, &message), Some(0));
    assert_eq!(house.outcome().await, "done, and still to move");
    assert_eq!(house.moves(table).await, 1);
    assert_eq!(deliver(&place, &format!("m-aaaa@{DOMAIN}"), &message), Some(67));
    assert_eq!(deliver(&place, to, "\n"), Some(65));
    assert_eq!(deliver(&format!("{place}-none"), to, &message), Some(75));
}

#[actix_web::test]
async fn the_settings_for_mail_are_checked_and_a_test_letter_is_sent() {
    let house = PostHouse::open().await;
    let folder = tempfile::tempdir().unwrap();
    let url = house.sink.url.clone();
    let place = house.socket.display().to_string();
    let check = |smtp: &str, lmtp: &str| {
        let from = "Wonderpost <post@house.invalid>";
        let to = "dodo@example.com";
        let arguments = ["mail-check", "--smtp", smtp, "--mail-from", from, "--to", to, "--lmtp-listen", lmtp];
        String::from_utf8(program::run(folder.path(), &arguments).stdout).unwrap()
    };
    let found = check(&url, &place);
    assert!(found.contains("good     The service takes mail at"), "{found}");
    assert!(found.contains("good     A test letter went to dodo@example.com."), "{found}");
    assert!(house.sink.received().iter().any(|letter| letter.to == "dodo@example.com"));
    let found = check("smtp://127.0.0.1:1", &format!("{place}-none"));
    assert!(found.contains("wrong    Nothing takes mail at"), "{found}");
    assert!(found.contains("wrong    The test letter was not taken"), "{found}");
}

fn signature(secret: &str, parts: &[&str], body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    for part in parts {
        mac.update(format!("{part}\n").as_bytes());
    }
    mac.update(body.as_bytes());
    HEXLOWER.encode(&mac.finalize().into_bytes())
}

#[actix_web::test]
async fn a_message_is_handed_in_over_http_with_a_signature() {
    let secret = "a secret that both know";
    let mut house = PostHouse::open_with(|settings| settings.post.receive.webhook_secret = Some(secret.into())).await;
    let (table, letter) = house.alice_to_move().await;
    let to = letter.reply_to.clone().unwrap();
    let message = house.write(&letter, ALICE, "draw");
    let visitor = house.service.visitor();
    let now = chrono::Utc::now().timestamp();
    let hand_in = async |at: i64, to: &str, signature: &str, body: &str| {
        let request = visitor
            .request(Method::POST, "/in/mail")
            .header("x-wonderpost-timestamp", at.to_string())
            .header("x-wonderpost-sender", ALICE)
            .header("x-wonderpost-recipient", to)
            .header("x-wonderpost-signature", signature)
            .body(body.to_owned());
        visitor.send(request).await.status
    };
    let sign = |at: i64, to: &str| signature(secret, &[&at.to_string(), ALICE, to], &message);
    let good = sign(now, &to);
    assert_eq!(hand_in(now, &to, &good, &format!("{message} ")).await, StatusCode::UNAUTHORIZED);
    assert_eq!(hand_in(now + 1, &to, &good, &message).await, StatusCode::UNAUTHORIZED);
    assert_eq!(hand_in(now, "x", &good, &message).await, StatusCode::UNAUTHORIZED);
    assert_eq!(hand_in(now, &to, "", &message).await, StatusCode::UNAUTHORIZED);
    assert_eq!(hand_in(now - 600, &to, &sign(now - 600, &to), &message).await, StatusCode::UNAUTHORIZED);
    let unknown = format!("m-aaaa@{DOMAIN}");
    assert_eq!(hand_in(now, &unknown, &sign(now, &unknown), &message).await, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(house.count("inbox").await, 0);
    assert_eq!(hand_in(now, &to, &good, &message).await, StatusCode::OK);
    assert_eq!(hand_in(now, &to, &good, &message).await, StatusCode::OK);
    house.outcome().await;
    assert_eq!((house.moves(table).await, house.count("inbox").await), (1, 1));
}

#[actix_web::test]
async fn without_a_secret_nothing_comes_in_over_http() {
    let house = PostHouse::open().await;
    let visitor = house.service.visitor();
    let answer = visitor.send(visitor.request(Method::POST, "/in/mail").body("x")).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}
