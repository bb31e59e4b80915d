//! Letters: through a mail server, or kept where there is none.

use reqwest::{Method, StatusCode};
use wonderpost::app::settings::ServeSettings;

use crate::harness::sink::{Fate, Sink};
use crate::harness::{Service, TestDatabase, Visitor, letters};

const ALICE: &str = "alice@example.org";

fn with_sink(database: &TestDatabase, sink: &Sink) -> Service {
    let url = sink.url.clone();
    Service::start_with(database, |settings| {
        settings.post.smtp = Some(url);
        settings.post.mail_from = Some("Wonderpost <post@house.example>".into());
        settings.post.hold_seconds = Some(0);
    })
}

async fn ask(visitor: &Visitor) {
    assert_eq!(visitor.post("/sign-in", &[("email", ALICE)]).await.location(), "/sign-in/code");
}

async fn sign_in(database: &TestDatabase, visitor: &Visitor) {
    ask(visitor).await;
    let link = letters::newest(database, ALICE).await.link();
    assert_eq!(visitor.post(&link, &[]).await.location(), "/");
}

/// Lets a letter that waits be tried at once.
async fn hurry(database: &TestDatabase) {
    letters::execute(database, "update letter set send_after = now() where sent_at is null").await;
}

#[actix_web::test]
async fn a_letter_goes_out_through_the_mail_server() {
    let database = TestDatabase::new();
    let sink = Sink::start([]).await;
    let service = with_sink(&database, &sink);
    ask(&service.visitor()).await;
    letters::settled(&database).await;
    let received = sink.received();
    let [letter] = received.as_slice() else { panic!("{received:?}") };
    assert_eq!(letter.to, ALICE);
    for line in [
        "From: Wonderpost <post@house.example>",
        "To: alice@example.org",
        "Subject: Sign in to Wonderpost",
        "Auto-Submitted: auto-generated",
        "Message-ID: <letter-1@house.example>",
        "Content-Type: multipart/alternative",
        "Content-Type: text/plain",
        "Content-Type: text/html",
    ] {
        assert!(letter.data.contains(line), "{line} in {}", letter.data);
    }
    // Nothing of it stays.
    let kept: (String, Option<String>) = sqlx::query_as("select details::text, text_body from letter")
        .fetch_one(&mut database.connection().await)
        .await
        .unwrap();
    assert_eq!(kept, ("{}".into(), None));
}

#[actix_web::test]
async fn a_letter_that_must_wait_or_is_cut_off_is_sent_again_under_the_same_name() {
    let database = TestDatabase::new();
    let sink = Sink::start([Fate::Later, Fate::Dropped]).await;
    let service = with_sink(&database, &sink);
    ask(&service.visitor()).await;
    letters::until(&database, "tries = 1 and trouble like '%not now%'").await;
    // It is not tried again at once.
    letters::until(&database, "send_after > now() + interval '20 seconds'").await;
    hurry(&database).await;
    letters::until(&database, "tries = 2 and trouble is not null and send_after > now() + interval '60 seconds'").await;
    assert!(sink.received().is_empty());
    hurry(&database).await;
    letters::until(&database, "sent_at is not null and trouble is null and tries = 3").await;
    let received = sink.received();
    assert_eq!(received.len(), 1);
    assert!(received[0].data.contains("Message-ID: <letter-1@house.example>"));
}

#[actix_web::test]
async fn a_letter_that_is_refused_for_good_is_not_tried_again() {
    let database = TestDatabase::new();
    let sink = Sink::start([Fate::Never]).await;
    let service = with_sink(&database, &sink);
    ask(&service.visitor()).await;
    letters::until(
        &database,
        "dropped_at is not null and trouble like '%nobody of that name%' and details::text = '{}'",
    )
    .await;
    assert!(sink.received().is_empty());
}

#[actix_web::test]
async fn a_letter_is_given_up_in_the_end() {
    let database = TestDatabase::new();
    let sink = Sink::start([Fate::Later]).await;
    letters::execute(
        &database,
        "insert into letter (kind, address, tries, tried_at) values ('address-changed', 'alice@example.org', 20, now() - interval '3 days')",
    )
    .await;
    let _service = with_sink(&database, &sink);
    letters::until(&database, "dropped_at is not null and trouble like 'given up%'").await;
}

#[actix_web::test]
async fn two_workers_send_each_letter_once() {
    let database = TestDatabase::new();
    let sink = Sink::start([]).await;
    letters::execute(
        &database,
        "insert into letter (kind, address)
         select 'address-changed', 'guest' || n || '@example.org' from generate_series(1, 60) as n",
    )
    .await;
    let (_one, _two) = (with_sink(&database, &sink), with_sink(&database, &sink));
    letters::settled(&database).await;
    let mut to: Vec<String> = sink.received().into_iter().map(|letter| letter.to).collect();
    assert_eq!(to.len(), 60);
    to.sort();
    to.dedup();
    assert_eq!(to.len(), 60);
}

/// Somebody with an address and a letter that it is their turn at the garden of the day, which they have not looked at.
async fn one_with_a_turn(database: &TestDatabase, service: &Service) -> (Visitor, String) {
    let visitor = service.visitor();
    let table = visitor.post("/daily", &[]).await.location();
    sign_in(database, &visitor).await;
    letters::write_turn(database, &table).await;
    (visitor, table)
}

#[actix_web::test]
async fn a_letter_about_a_turn_shows_the_table_as_its_reader_sees_it() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (_, table) = one_with_a_turn(&database, &service).await;
    let letter = letters::newest(&database, ALICE).await;
    assert_eq!(letter.subject, "Your turn: We Are Not Amused");
    assert!(letter.text.contains("It is your turn.") && letter.text.contains(&format!("{}{table}", service.url)));
    assert!(letter.text.contains("YOUR MOVES") && letter.text.contains("\n  pass  (Leave "), "{}", letter.text);
    assert!(letter.html.contains(&format!("href=\"{}{table}\"", service.url)));
    // No marks are left where names belong.
    assert!(!letter.text.chars().any(|sign| ('\u{e000}'..'\u{f8ff}').contains(&sign)));
}

#[actix_web::test]
async fn a_letter_about_a_turn_brings_a_picture_of_the_table() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, _) = one_with_a_turn(&database, &service).await;
    let letter = letters::newest(&database, ALICE).await;
    assert!(letter.html.contains("<img src=\"cid:board\" alt=\"The garden, with the Queen"), "{}", letter.html);
    let (id, picture): (i64, Vec<u8>) = sqlx::query_as("select id, picture from letter where kind = 'turn'")
        .fetch_one(&mut database.connection().await)
        .await
        .unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    // Where letters are kept a browser shows it, too.
    let page = visitor.get(&format!("/mailbox/{id}")).await;
    assert!(page.body.contains("<img src=\"data:image/png;base64,iVBOR"), "{}", page.body);
    assert!(page.header("content-security-policy").contains("img-src data:;"));
}

#[actix_web::test]
async fn a_mail_server_gets_the_picture_beside_the_page_that_shows_it() {
    let database = TestDatabase::new();
    let sink = Sink::start([]).await;
    let service = with_sink(&database, &sink);
    let visitor = service.visitor();
    let table = visitor.post("/daily", &[]).await.location();
    ask(&visitor).await;
    letters::settled(&database).await;
    letters::execute(&database, "update player set email = 'alice@example.org'").await;
    letters::write_turn(&database, &table).await;
    letters::settled(&database).await;
    let received = sink.received();
    let letter = received
        .iter()
        .find(|letter| letter.header("Subject") == "Your turn: We Are Not Amused")
        .expect("a letter about the turn");
    let place = |words: &str| letter.data.find(words).unwrap_or_else(|| panic!("{words} in {}", letter.data));
    let order = ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"].map(place);
    assert!(order.is_sorted(), "{order:?}");
    assert!(letter.data.contains("Content-ID: <board>"));
}

#[actix_web::test]
async fn a_letter_about_a_turn_that_its_reader_knows_of_is_dropped() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.post("/daily", &[]).await.location();
    sign_in(&database, &visitor).await;
    letters::write_turn_as(&database, &table, "now() + interval '1 minute'").await;
    letters::settled(&database).await;
    letters::until(&database, "kind = 'turn' and dropped_at is not null and trouble is null").await;
}

#[actix_web::test]
async fn a_letter_about_a_turn_is_held_for_a_while() {
    let database = TestDatabase::new();
    let service = Service::start_with(&database, |settings| settings.post.hold_seconds = Some(3600));
    one_with_a_turn(&database, &service).await;
    // A later letter overtakes it.
    letters::execute(&database, "insert into letter (kind, address) values ('address-changed', 'hatter@example.org')")
        .await;
    letters::until(&database, "kind = 'address-changed' and sent_at is not null").await;
    letters::until(&database, "kind = 'turn' and tries = 0 and send_after > now() + interval '50 minutes'").await;
}

#[actix_web::test]
async fn guests_get_no_letters() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let table = service.visitor().post("/daily", &[]).await.location();
    letters::write_turn(&database, &table).await;
    letters::until(&database, "kind = 'turn' and dropped_at is not null").await;
}

#[actix_web::test]
async fn the_mailbox_is_there_for_this_machine_alone() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    ask(&visitor).await;
    letters::settled(&database).await;
    let answer = visitor.get("/mailbox").await;
    assert_eq!(answer.status, StatusCode::OK);
    let link = letters::newest(&database, ALICE).await.link();
    assert!(answer.body.contains(ALICE) && answer.body.contains(&format!("<a href=\"{}{link}\">", service.url)));
    assert!(visitor.look("/").await.contains("href=\"/mailbox\""));
    assert!(answer.header("content-security-policy").contains("frame-src 'self'"));
    assert!(answer.header("content-security-policy").contains("script-src 'self'"));

    let page = answer.page().between("src=\"/mailbox/", "\"")[0].to_owned();
    let letter = visitor.get(&format!("/mailbox/{page}")).await;
    assert_eq!(letter.status, StatusCode::OK);
    let policy = letter.header("content-security-policy");
    assert!(
        policy.contains("default-src 'none'") && policy.contains("sandbox") && !policy.contains("script"),
        "{policy}"
    );
    assert_eq!(letter.header("x-frame-options"), "SAMEORIGIN");

    let proxied = [("x-forwarded-for", "192.0.2.1"), ("forwarded", "for=192.0.2.1"), ("via", "1.1 proxy")];
    let more = [("x-real-ip", "192.0.2.1"), ("x-forwarded-proto", "https"), ("host", "games.example")];
    for (header, value) in proxied.into_iter().chain(more) {
        for path in ["/mailbox", "/mailbox/dead", &format!("/mailbox/{page}")] {
            let answer = visitor.send(visitor.request(Method::GET, path).header(header, value)).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{header} {path}");
            assert!(!answer.body.contains("href=\"/mailbox"), "{header} {path}");
        }
    }
}

#[actix_web::test]
async fn a_house_that_others_can_reach_has_no_mailbox_whoever_asks() {
    let database = TestDatabase::new();
    let settings: [fn(&mut ServeSettings); 4] = [
        |settings| settings.public_url = Some("https://games.example".into()),
        |settings| settings.public_url = Some("http://localhost:8080".into()),
        |settings| settings.behind_proxy = true,
        |settings| settings.listen = "0.0.0.0:0".into(),
    ];
    for set in settings {
        let service = Service::start_with(&database, set);
        let visitor = service.visitor();
        for path in ["/mailbox", "/mailbox/dead", "/mailbox/1", "/sign-in"] {
            for method in [Method::GET, Method::HEAD, Method::PUT] {
                let request = visitor.request(method.clone(), path).header("host", "localhost:8080");
                let answer = visitor.send(request).await;
                assert!(!answer.body.contains("href=\"/mailbox"), "{method} {path}");
                if path != "/sign-in" {
                    assert_eq!(answer.status, StatusCode::NOT_FOUND, "{method} {path}");
                }
            }
        }
    }
}

#[actix_web::test]
async fn a_house_with_a_mail_server_has_no_mailbox() {
    let database = TestDatabase::new();
    let sink = Sink::start([]).await;
    let service = with_sink(&database, &sink);
    for path in ["/mailbox", "/mailbox/dead", "/mailbox/1"] {
        assert_eq!(service.visitor().get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert!(!service.visitor().look("/").await.contains("/mailbox"));
}

#[actix_web::test]
async fn somebody_without_an_account_is_invited_by_letter_and_told_when_the_game_is_theirs_to_go_on() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, guest) = (service.visitor(), service.visitor());
    sign_in(&database, &host).await;
    host.post("/me/name", &[("name", "Alice Liddell")]).await.location();
    let table =
        host.post("/tables", &[("game", "red-queen"), ("seat-2", "person"), ("private", "yes")]).await.location();
    host.post(&format!("{table}/sit"), &[("cut", "treacle")]).await.location();
    let address = "hatter@example.org";
    host.post(&format!("{table}/invite"), &[("address", address)]).await.location();
    let letter = letters::newest(&database, address).await;
    assert_eq!(letter.subject, "Alice Liddell invites you to Red Queen");
    assert!(!letter.text.contains(ALICE) && !letter.html.contains(ALICE));
    let link = letter.text.lines().find(|line| line.contains("/i/")).expect("a link").replace(&service.url, "");

    assert!(guest.look(&link).await.contains("Red Queen"));
    guest.post(&link, &[("cut", "jam")]).await.location();
    // One of the two is to move. The guest has no address yet; the host has.
    letters::settled(&database).await;
    let kinds: Vec<String> =
        sqlx::query_scalar("select kind from letter where table_id is not null and kind <> 'invitation' order by id")
            .fetch_all(&mut database.connection().await)
            .await
            .unwrap();
    assert!(!kinds.is_empty(), "nobody was told that the game began");
    let letter = letters::newest(&database, ALICE).await;
    assert!(letter.subject.contains(": Red Queen with "), "{}", letter.subject);
    assert!(letter.text.contains(&table), "{}", letter.text);
}
