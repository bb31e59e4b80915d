//! Those who are suspended look, and do nothing; others are not held up by them.

use reqwest::{Method, StatusCode};
use wonderpost::players::HostReason;
use wonderpost::tables::PlayerId;
use wonderpost::tables::state::table_state::Status;
use wonderpost_rules::Seat;

use super::{HOST, deeds, hosted, id_of};
use crate::harness::page::Page;
use crate::harness::post_house::{ALICE, PostHouse};
use crate::harness::red_queen::{say, seat_two};
use crate::harness::visitor::Answer;
use crate::harness::{Service, TestDatabase, letters};

const REASON: &str = "Rude to the Dormouse";

fn assert_refused(answer: &Answer, what: &str) {
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{what}: {}", answer.body);
    assert!(answer.body.contains(REASON) && answer.body.contains("suspended you since"), "{what}: {}", answer.body);
}

#[actix_web::test]
async fn whoever_is_suspended_can_look_and_leave_and_nothing_else() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let (alice, bob) = (service.visitor(), service.visitor());
    letters::sign_in(&database, &alice, ALICE).await;
    let form = [("seat-2", "person"), ("option-first", "1")];
    let table = seat_two(&alice, &bob, &form).await;
    let waiting = crate::harness::red_queen::open(&bob, &[("seat-2", "person"), ("seat-3", "person")]).await;
    crate::harness::red_queen::sit(&alice, &waiting).await;
    let token = alice.token().await;
    let id = id_of(&database, ALICE).await;
    let step = Page(&alice.look(&table).await).step();
    // Another process has her in memory.
    let other = Service::start(&database);
    let elsewhere = alice.at(&other.url);
    elsewhere.look(&table).await;

    let suspend = format!("/host/players/{id}/suspend");
    let empty = host.post(&suspend, &[("reason", " ")]).await;
    assert_eq!(empty.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        host.post(&suspend, &[("reason", REASON)]).await.location(),
        format!("/host/players/{id}?done=suspended")
    );
    let again = host.post(&suspend, &[("reason", REASON)]).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(deeds(&database).await, [("suspended".to_owned(), REASON.to_owned())]);

    let step = step.to_string();
    let line = [("step", step.as_str()), ("say", "end"), ("sure", "yes")];
    for (who, visitor) in [("here", &alice), ("elsewhere", &elsewhere)] {
        assert_refused(&visitor.post(&format!("{table}/say"), &line).await, who);
    }
    for (path, form) in [
        (format!("{table}/talk"), vec![("words", "But why?")]),
        (format!("{table}/resign"), vec![]),
        (format!("{table}/return"), vec![]),
        (format!("{waiting}/sit"), vec![("cut", "jam")]),
        ("/tables".to_owned(), vec![("game", "red-queen"), ("seat-2", "easy")]),
        ("/daily".to_owned(), vec![]),
        ("/me/name".to_owned(), vec![("name", "Somebody Else")]),
        ("/me/tokens".to_owned(), vec![("title", "one more")]),
    ] {
        assert_refused(&alice.post(&path, &form).await, &path);
    }
    let api = format!("/api/v1/tables{}", table.trim_start_matches("/t"));
    for (method, path, body) in [
        (Method::POST, format!("{api}/say"), format!("{{\"step\": {step}, \"say\": \"end\"}}")),
        (Method::POST, format!("{api}/talk"), "{\"words\": \"Hm\"}".to_owned()),
        (Method::PATCH, "/api/v1/me".to_owned(), "{\"name\": \"Other\"}".to_owned()),
    ] {
        let request = alice.request(method, &path).bearer_auth(&token).header("content-type", "application/json");
        let answer = alice.send(request.body(body)).await;
        assert_refused(&answer, &path);
        assert_eq!(answer.header("content-type"), "application/problem+json");
    }
    let me = alice.send(alice.request(Method::GET, "/api/v1/me").bearer_auth(&token)).await;
    assert_eq!(me.status, StatusCode::OK);

    // She sees why, everywhere, and what is kept of her.
    for path in ["/", &table, "/me"] {
        assert!(alice.look(path).await.contains(REASON), "{path}");
    }
    assert!(alice.look("/me").await.contains("The host suspended you."));
    assert!(alice.look("/me/export.json").await.contains(REASON));
    let letter = letters::newest(&database, ALICE).await;
    assert!(letter.text.contains("The host suspended you.") && letter.text.contains(REASON), "{}", letter.text);

    // A bot keeps her seat, and the one at the table that has not begun is free.
    let tables = database.tables();
    let kept = tables.load_fresh(table.trim_start_matches("/t/").parse().unwrap()).await.unwrap();
    assert!(kept.now.bot_at(Seat::new(1).unwrap()).is_some());
    assert_eq!(kept.now.status(), Status::Playing);
    let page = bob.look(&table).await;
    assert!(page.contains("a bot plays") && page.contains("The host lets a bot play for"), "{page}");
    assert!(!page.contains(REASON), "why is between the host and her");
    assert!(tables.load_fresh(waiting.trim_start_matches("/t/").parse().unwrap()).await.unwrap().holders.is_empty());

    host.post(&format!("/host/players/{id}/lift"), &[("reason", "Welcome back")]).await.location();
    assert!(!alice.look("/").await.contains(REASON));
    let kept = database.tables().load_fresh(kept.id).await.unwrap();
    assert_eq!(kept.now.bot_at(Seat::new(1).unwrap()), None);
    assert_eq!(alice.post(&format!("{table}/talk"), &[("words", "Here again")]).await.status, StatusCode::SEE_OTHER);
    let said = deeds(&database).await;
    assert_eq!(said.last(), Some(&("lifted".to_owned(), "Welcome back".to_owned())));
    assert!(letters::newest(&database, ALICE).await.text.contains("lifted your suspension"));
    assert!(!tables.check(kept.id).await.unwrap().fails());
}

#[actix_web::test]
async fn signing_in_again_leads_to_ones_own_account_and_no_further() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    letters::sign_in(&database, &service.visitor(), ALICE).await;
    let id = id_of(&database, ALICE).await;
    host.post(&format!("/host/players/{id}/suspend"), &[("reason", REASON)]).await.location();

    let browser = service.visitor();
    browser.post("/sign-in", &[("email", ALICE)]).await.location();
    let link = newest_link(&database).await;
    assert_refused(&browser.post(&link, &[]).await, "signing in");
    assert_refused(&browser.post("/daily", &[]).await, "playing");
    assert!(browser.look("/me").await.contains(REASON));
    assert_eq!(browser.post("/me/delete", &[("sure", "yes")]).await.location(), "/?done=deleted");

    // Leaving and coming back makes no new person.
    let browser = service.visitor();
    browser.post("/sign-in", &[("email", &ALICE.to_uppercase())]).await.location();
    letters::settled(&database).await;
    let link: String = letters::to(&database, "ALICE@example.org").await.first().expect("a letter").link();
    assert_refused(&browser.post(&link, &[]).await, "signing up again");
    // Somebody else is not concerned.
    letters::sign_in(&database, &service.visitor(), "lory@example.org").await;
}

/// The link of the last letter to sign in.
async fn newest_link(database: &TestDatabase) -> String {
    letters::settled(database).await;
    let letters = letters::to(database, ALICE).await;
    letters.iter().find(|letter| letter.text.contains("/sign-in/")).expect("a letter").link()
}

#[actix_web::test]
async fn who_runs_the_house_cannot_be_suspended() {
    let database = TestDatabase::new();
    let (_service, host) = hosted(&database).await;
    let id = id_of(&database, HOST).await;
    let answer = host.post(&format!("/host/players/{id}/suspend"), &[("reason", REASON)]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(host.look("/host/players").await.contains("Nobody."));
}

#[actix_web::test]
async fn a_reply_of_somebody_suspended_is_refused_with_the_reason() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let host = house.player(HOST).await;
    let alice = id_of(&house.database, ALICE).await;
    let reason = HostReason::parse(REASON).unwrap();
    house.tables.suspend(host.player, alice, &reason).await.unwrap();
    assert!(house.letter_to(ALICE).await.text.contains("The host suspended you."));
    assert_eq!(house.reply(&letter, ALICE, "draw\nsay I am still here").await, "refused: suspended");
    assert!(house.letter_to(ALICE).await.text.contains(REASON));
    assert_eq!(house.count("talk").await, 0);
    let said = "event where kind = 'table-said' and body -> 'table-said' ->> 'by' is null";
    assert_eq!(house.count(said).await, 0);
    // What does not go by the letter's own check does not pass the statement that stores it, either.
    let caller =
        wonderpost::tables::Credentials { player: alice, token_digest: session_of(&house.database, alice).await };
    let step = house.moves(table).await;
    assert!(house.tables.submit_moves(&caller, table, step, "draw").await.is_err());
    assert!(house.tables.talk(alice, table, "Hm").await.is_err());
    assert_eq!(house.count(said).await + house.count("talk").await, 0);
}

async fn session_of(database: &TestDatabase, player: PlayerId) -> [u8; 32] {
    let digest: Vec<u8> = sqlx::query_scalar("select token_digest from session where player_id = $1")
        .bind(player)
        .fetch_one(&mut database.connection().await)
        .await
        .expect("a session");
    digest.try_into().expect("a digest")
}

#[actix_web::test]
async fn the_seats_of_somebody_who_leaves_while_suspended_are_given_up() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let (alice, bob) = (service.visitor(), service.visitor());
    letters::sign_in(&database, &alice, ALICE).await;
    let table = seat_two(&alice, &bob, &[("seat-2", "person"), ("option-first", "1")]).await;
    let id = id_of(&database, ALICE).await;
    host.post(&format!("/host/players/{id}/suspend"), &[("reason", REASON)]).await.location();
    alice.post("/me/delete", &[("sure", "yes")]).await.location();
    let page = bob.look(&table).await;
    assert!(page.contains("Ended by resignation") && page.contains("a former player"), "{page}");
    assert_eq!(say(&bob, &table, 0, "end").await, StatusCode::UNPROCESSABLE_ENTITY);
}
