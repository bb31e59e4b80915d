//! People: signing in, names, settings, tokens, leaving.

use reqwest::{Method, StatusCode};
use serde_json::Value;
use uuid::Uuid;
use wonderpost::tables::PlayerId;

use crate::harness::letters::sign_in;
use crate::harness::{Service, TestDatabase, Visitor, letters, log, red_queen};

const ALICE: &str = "alice@example.org";

/// Asks for a letter and gives what it leads to.
async fn ask(visitor: &Visitor, address: &str) -> String {
    visitor.post("/sign-in", &[("email", address)]).await.location()
}

async fn player_of(database: &TestDatabase, address: &str) -> PlayerId {
    sqlx::query_scalar("select id from player where email = $1")
        .bind(address)
        .fetch_one(&mut database.connection().await)
        .await
        .expect("a player")
}

#[actix_web::test]
async fn a_link_signs_in_once_and_only_by_its_button() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    assert_eq!(ask(&visitor, ALICE).await, "/sign-in/code");
    let link = letters::newest(&database, ALICE).await.link();

    // A program that reads mail fetches the link: nothing happens.
    let scanner = service.visitor();
    for _ in 0..3 {
        assert!(scanner.look(&link).await.contains("alice@example.org"));
        assert_eq!(scanner.get("/me").await.location(), "/sign-in?to=/me");
    }
    assert_eq!(visitor.post(&link, &[]).await.location(), "/");
    assert!(visitor.look("/me").await.contains(ALICE));

    let thief = service.visitor();
    assert_eq!(thief.post(&link, &[]).await.status, StatusCode::GONE);
    assert_eq!(thief.get(&link).await.status, StatusCode::GONE);
    assert_eq!(thief.get("/me").await.location(), "/sign-in?to=/me");
}

#[actix_web::test]
async fn a_code_signs_in_where_it_was_asked_for_and_nowhere_else() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, other) = (service.visitor(), service.visitor());
    ask(&visitor, ALICE).await;
    let code = letters::newest(&database, ALICE).await.code();
    ask(&other, "mallory@example.org").await;
    let answer = other.post("/sign-in/code", &[("code", &code)]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(visitor.post("/sign-in/code", &[("code", &code)]).await.location(), "/");
    assert!(visitor.look("/me").await.contains(ALICE));
    // Once.
    letters::execute(&database, "delete from session").await;
    assert_eq!(visitor.post("/sign-in/code", &[("code", &code)]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[actix_web::test]
async fn signing_in_leads_back_to_where_one_was_and_never_to_another_house() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let elsewhere = "https://evil.example/t/1";
    let here = format!("{}/archive?game=red-queen", service.url);
    for (query, referer, expected) in [
        ("", here.as_str(), "/archive?game=red-queen"),
        ("?to=/me", here.as_str(), "/me"),
        ("", elsewhere, "/"),
        ("?to=//evil.example", here.as_str(), "/"),
        ("?to=https://evil.example/", here.as_str(), "/"),
        ("?to=/%5Cevil.example", here.as_str(), "/"),
        ("?to=/%0D%0Ax-evil:yes", here.as_str(), "/"),
    ] {
        let visitor = service.visitor();
        let request = visitor.request(Method::GET, &format!("/sign-in{query}")).header("referer", referer);
        let page = visitor.send(request).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(!page.body.contains("evil"), "{}", page.body);
        let to = page.page().between("name=\"to\" value=\"", "\"").first().map(|to| to.replace("&#38;", "&"));
        let address = format!("{}@example.org", Uuid::now_v7().simple());
        let form = [("email", address.as_str()), ("to", to.as_deref().unwrap_or_default())];
        visitor.post("/sign-in", &form).await.location();
        let link = letters::newest(&database, &address).await.link();
        assert_eq!(visitor.post(&link, &[]).await.location(), expected, "{query} after {referer}");
    }
    // Nor if the form is somebody else's work.
    let visitor = service.visitor();
    visitor.post("/sign-in", &[("email", ALICE), ("to", "//evil.example")]).await.location();
    let link = letters::newest(&database, ALICE).await.link();
    assert_eq!(visitor.post(&link, &[]).await.location(), "/");
    // Where letters lead one is led back to.
    for page in ["/next", "/me/letters"] {
        assert_eq!(service.visitor().get(page).await.location(), format!("/sign-in?to={page}"));
    }
}

#[actix_web::test]
async fn five_wrong_codes_void_the_code_and_not_the_link() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    ask(&visitor, ALICE).await;
    let letter = letters::newest(&database, ALICE).await;
    let wrong = if letter.code() == "000 000" { "111111" } else { "000000" };
    let mut bodies = Vec::new();
    for _ in 0..5 {
        let answer = visitor.post("/sign-in/code", &[("code", wrong)]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        bodies.push(answer.body);
    }
    let answer = visitor.post("/sign-in/code", &[("code", &letter.code())]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    // It does not tell which it was.
    assert!(bodies.iter().all(|body| *body == answer.body));
    // Who guesses may be somebody else than who reads the letter, and nobody guesses the link.
    assert_eq!(service.visitor().post(&letter.link(), &[]).await.location(), "/");
}

#[actix_web::test]
async fn a_letter_is_good_for_an_hour() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    ask(&visitor, ALICE).await;
    let letter = letters::newest(&database, ALICE).await;
    let minutes: f64 =
        sqlx::query_scalar("select (extract(epoch from expires_at - created_at) / 60)::float8 from sign_in")
            .fetch_one(&mut database.connection().await)
            .await
            .unwrap();
    assert!((59.5..60.5).contains(&minutes));
    letters::execute(&database, "update sign_in set expires_at = now() - interval '1 second'").await;
    assert_eq!(visitor.get(&letter.link()).await.status, StatusCode::GONE);
    assert_eq!(visitor.post(&letter.link(), &[]).await.status, StatusCode::GONE);
    let answer = visitor.post("/sign-in/code", &[("code", &letter.code())]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[actix_web::test]
async fn the_answer_never_tells_whether_an_address_is_known_or_written_to() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    sign_in(&database, &service.visitor(), ALICE).await;
    let visitor = service.visitor();
    let mut answers = Vec::new();
    // Known; unknown; and more often than we write to anybody.
    for address in [ALICE, "nobody@example.org", ALICE, ALICE, ALICE, ALICE, ALICE] {
        assert_eq!(ask(&visitor, address).await, "/sign-in/code");
        answers.push(visitor.look("/sign-in/code").await);
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "the answers differ");
    assert!(answers[0].contains("If that is an address we can write to, a letter is on its way"));
    letters::settled(&database).await;
    assert_eq!(letters::to(&database, ALICE).await.len(), 3);
}

#[actix_web::test]
async fn what_is_no_address_is_said_so() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let answer = service.visitor().post("/sign-in", &[("email", "alice\"<b>")]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.body.contains("e-mail address") && !answer.body.contains("<b>"));
}

#[actix_web::test]
async fn a_guest_who_signs_in_with_a_new_address_keeps_everything() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let guest = service.visitor();
    let table = guest.post("/daily", &[]).await.location();
    let page = guest.look("/me").await;
    assert!(page.contains("You are a guest"));
    let before = guest.clone();
    let old: Vec<u8> = session_digest(&database).await;
    sign_in(&database, &guest, ALICE).await;
    assert!(guest.look(&table).await.contains("Your move"));
    assert!(guest.look("/daily").await.contains("Carry on"));
    // The session is another one.
    assert_ne!(session_digest(&database).await, old);
    assert!(before.look("/me").await.contains(ALICE));
    let sessions: i64 =
        sqlx::query_scalar("select count(*) from session").fetch_one(&mut database.connection().await).await.unwrap();
    assert_eq!(sessions, 1);
}

async fn session_digest(database: &TestDatabase) -> Vec<u8> {
    sqlx::query_scalar("select token_digest from session order by created_at desc limit 1")
        .fetch_one(&mut database.connection().await)
        .await
        .expect("a session")
}

#[actix_web::test]
async fn a_guest_who_is_a_player_already_brings_their_seats_along() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let home = service.visitor();
    sign_in(&database, &home, ALICE).await;
    let mine = home.post("/daily", &[]).await.location();
    let alice = player_of(&database, ALICE).await;

    // A guest elsewhere: a game of their own, today's garden, and a seat at a table where the player sits.
    let guest = service.visitor();
    let own = guest.post("/daily", &[]).await.location();
    letters::execute(&database, &format!("update seat set day = null where player_id <> '{alice}'")).await;
    let todays = guest.post("/daily", &[]).await.location();
    assert_ne!(own, todays);
    letters::execute(
        &database,
        &format!(
            "insert into seat (table_id, seat, player_id)
             select '{}', 2, player_id from seat where player_id <> '{alice}' limit 1",
            mine.trim_start_matches("/t/"),
        ),
    )
    .await;
    sign_in(&database, &guest, ALICE).await;

    let seats: Vec<(Uuid, i16)> = sqlx::query_as("select table_id, seat from seat where player_id = $1")
        .bind(alice)
        .fetch_all(&mut database.connection().await)
        .await
        .unwrap();
    let tables: Vec<String> = seats.iter().map(|(table, _)| format!("/t/{}", table.simple())).collect();
    assert_eq!(seats.len(), 2, "{tables:?}");
    assert!(tables.contains(&mine) && tables.contains(&own) && !tables.contains(&todays));
    assert!(guest.look(&own).await.contains("Your move"));
    assert!(home.look(&own).await.contains("Your move"));
    let closed: i64 = sqlx::query_scalar(
        "select count(*) from player where deleted_at is not null and name is null and not exists (select from session where player_id = player.id)",
    )
    .fetch_one(&mut database.connection().await)
    .await
    .unwrap();
    assert_eq!(closed, 1);
}

#[actix_web::test]
async fn whoever_typed_somebody_elses_address_does_not_stay_in() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let mallory = service.visitor();
    mallory.post("/daily", &[]).await.location();
    ask(&mallory, ALICE).await;
    let link = letters::newest(&database, ALICE).await.link();
    let alice = service.visitor();
    assert!(alice.look(&link).await.contains("come along"));
    assert_eq!(alice.post(&link, &[]).await.location(), "/");
    assert!(alice.look("/me").await.contains(ALICE));
    assert_eq!(mallory.get("/me").await.location(), "/sign-in?to=/me");
}

#[actix_web::test]
async fn signing_out_everywhere_ends_all_sessions() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two) = (service.visitor(), service.visitor());
    sign_in(&database, &one, ALICE).await;
    sign_in(&database, &two, ALICE).await;
    assert!(one.look("/me").await.contains("on 2 browsers"));
    assert_eq!(two.post("/sign-out", &[]).await.location(), "/");
    assert_eq!(two.get("/me").await.location(), "/sign-in?to=/me");
    assert!(one.look("/me").await.contains("on this browser only"));
    sign_in(&database, &two, ALICE).await;
    assert_eq!(one.post("/sign-out/everywhere", &[]).await.location(), "/");
    for visitor in [&one, &two] {
        assert_eq!(visitor.get("/me").await.location(), "/sign-in?to=/me");
    }
}

#[actix_web::test]
async fn names_are_unique_and_can_be_changed() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two) = (service.visitor(), service.visitor());
    for visitor in [&one, &two] {
        visitor.post("/daily", &[]).await.location();
    }
    assert_eq!(one.post("/me/name", &[("name", " Zoë  the Hare ")]).await.location(), "/me?done=name");
    assert!(one.look("/").await.contains("Zoë the Hare"));
    for (name, reason) in [
        ("zoe the hare", "Somebody else"),
        ("A Former Player", "The house itself"),
        ("x", "2 to 24"),
        ("Alice\u{202e}", "letters, digits"),
        ("\u{e001}\u{e002}", "letters, digits"),
    ] {
        let answer = two.post("/me/name", &[("name", name)]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        assert!(answer.body.contains(reason), "{name}: {}", answer.body);
    }
    assert_eq!(one.post("/me/name", &[("name", "ZOË THE HARE")]).await.location(), "/me?done=name");
}

#[actix_web::test]
async fn settings_shape_every_page() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    visitor.post("/daily", &[]).await.location();
    assert!(!visitor.look("/").await.contains("data-theme"));
    let form = [("theme", "dark"), ("four_colour_suits", "yes")];
    assert_eq!(visitor.post("/me/settings", &form).await.location(), "/me?done=settings");
    for path in ["/", "/me", "/chance"] {
        let page = visitor.look(path).await;
        assert!(page.contains("<html lang=\"en\" data-theme=\"dark\" data-suits=\"four\">"), "{path}");
    }
    // Also where something is missing.
    assert!(visitor.get("/nowhere").await.body.contains("data-theme=\"dark\""));
    let answer = visitor.post("/me/settings", &[("theme", "mauve")]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[actix_web::test]
async fn a_new_address_counts_when_its_letter_is_answered() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    sign_in(&database, &visitor, ALICE).await;
    let (new, taken) = ("liddell@example.org", "hatter@example.org");
    sign_in(&database, &service.visitor(), taken).await;
    assert_eq!(visitor.post("/me/address", &[("email", new)]).await.location(), "/sign-in/code");
    let link = letters::newest(&database, new).await.link();
    assert!(visitor.look("/me").await.contains(ALICE));
    assert_eq!(visitor.post(&link, &[]).await.location(), "/me?done=address");
    let page = visitor.look("/me").await;
    assert!(page.contains(new) && !page.contains(ALICE));
    assert_eq!(letters::newest(&database, ALICE).await.subject, "Your address at Wonderpost has changed");

    visitor.post("/me/address", &[("email", taken)]).await.location();
    let link = letters::newest(&database, taken).await.link();
    assert_eq!(visitor.post(&link, &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(visitor.look("/me").await.contains(new));
}

#[actix_web::test]
async fn a_token_is_shown_once_and_can_be_revoked() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    sign_in(&database, &visitor, ALICE).await;
    let page = visitor.post("/me/tokens", &[("title", "my robot")]).await;
    assert_eq!(page.status, StatusCode::OK);
    let token = page.page().between("<code class=\"digest\">", "</code>")[0].to_owned();
    assert!(token.starts_with("wonderpost-"));
    let again = visitor.look("/me").await;
    assert!(again.contains("my robot") && !again.contains(&token));

    let bytes = data_encoding::BASE64URL_NOPAD.decode(token.trim_start_matches("wonderpost-").as_bytes()).unwrap();
    let digest: [u8; 32] =
        sha2::Digest::finalize(sha2::Digest::chain_update(<sha2::Sha256 as sha2::Digest>::new(), bytes)).into();
    let store = database.store();
    let holder = store.player_of_api_token(&digest).await.unwrap().map(|holder| holder.player);
    assert_eq!(holder, Some(player_of(&database, ALICE).await));
    let revoke = again.split("action=\"/me/tokens/").nth(1).unwrap().split('"').next().unwrap();
    let stranger = service.visitor();
    stranger.post("/daily", &[]).await.location();
    stranger.post(&format!("/me/tokens/{revoke}"), &[]).await.location();
    assert!(store.player_of_api_token(&digest).await.unwrap().is_some());
    visitor.post(&format!("/me/tokens/{revoke}"), &[]).await.location();
    assert_eq!(store.player_of_api_token(&digest).await.unwrap(), None);
}

#[actix_web::test]
async fn all_that_is_known_of_me_can_be_taken_away() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.post("/daily", &[]).await.location();
    sign_in(&database, &visitor, ALICE).await;
    visitor.post("/me/tokens", &[("title", "my robot")]).await;
    let answer = visitor.get("/me/export.json").await;
    assert!(answer.header("content-disposition").contains("attachment"));
    let export: Value = serde_json::from_str(&answer.body).expect("JSON");
    assert_eq!(export["player"]["email"], ALICE);
    assert_eq!(export["seats"][0]["game"], "we-are-not-amused");
    let id: Uuid = export["seats"][0]["table"].as_str().unwrap().parse().unwrap();
    assert_eq!(format!("/t/{}", id.simple()), table);
    assert_eq!(export["letters"][0]["kind"], "sign-in");
    assert_eq!(export["tokens"][0]["title"], "my robot");
    assert!(!answer.body.contains("digest") && !answer.body.contains("wonderpost-"));
    assert_eq!(service.visitor().get("/me/export.json").await.location(), "/sign-in?to=/me");
}

#[actix_web::test]
async fn a_deleted_account_leaves_its_games_and_nothing_else() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, elsewhere) = (service.visitor(), service.visitor());
    let table = visitor.post("/daily", &[]).await.location();
    sign_in(&database, &visitor, ALICE).await;
    sign_in(&database, &elsewhere, ALICE).await;
    visitor.post("/me/name", &[("name", "Alice Liddell")]).await.location();
    visitor.post("/me/tokens", &[("title", "my robot")]).await;
    assert!(visitor.look("/me/delete").await.contains("a former player"));
    // Asked again, and not without an answer.
    assert_eq!(visitor.post("/me/delete", &[]).await.location(), "/me/delete");
    assert_eq!(visitor.post("/me/delete", &[("sure", "yes")]).await.location(), "/?done=deleted");
    for visitor in [&visitor, &elsewhere] {
        assert_eq!(visitor.get("/me").await.location(), "/sign-in?to=/me");
    }
    let mut connection = database.connection().await;
    for (what, text) in [
        ("names", "select count(*) from player where name is not null or email is not null"),
        ("sessions", "select count(*) from session"),
        ("tokens", "select count(*) from api_token"),
        ("letters to sign in", "select count(*) from sign_in"),
        (
            "letters",
            "select count(*) from letter where to_address is not null or address is not null or text_body is not null",
        ),
    ] {
        let left: i64 = sqlx::query_scalar(text).fetch_one(&mut connection).await.unwrap();
        assert_eq!(left, 0, "{what} are left");
    }
    let seats: i64 = sqlx::query_scalar(
        "select count(*) from seat join player on player.id = seat.player_id where deleted_at is not null",
    )
    .fetch_one(&mut connection)
    .await
    .unwrap();
    assert_eq!(seats, 1);
    // Whoever has the address next is somebody new.
    let newcomer = service.visitor();
    sign_in(&database, &newcomer, ALICE).await;
    assert!(!newcomer.look("/me").await.contains("Alice Liddell"));
    drop(table);
}

#[actix_web::test]
async fn whoever_deletes_their_account_gives_up_their_seats_and_the_others_play_on() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let people: Vec<Visitor> = (0..3).map(|_| service.visitor()).collect();
    let more = [("seat-2", "person"), ("seat-3", "person"), ("option-first", "1")];
    let running = red_queen::open(&people[0], &more).await;
    for visitor in &people {
        red_queen::sit(visitor, &running).await;
    }
    let waiting = red_queen::open(&people[0], &more).await;
    red_queen::sit(&people[0], &waiting).await;
    assert_eq!(people[0].post("/me/delete", &[("sure", "yes")]).await.location(), "/?done=deleted");
    let body = people[1].look(&running).await;
    assert!(body.contains("a former player") && body.contains("resigned"), "{body}");
    // A bot makes the move for which the others would have waited for ever.
    let body = red_queen::until_my_turn(&people[1], &running).await;
    assert!(body.contains("Your move"));
    let body = people[1].look(&waiting).await;
    assert!(!body.contains("a former player"), "the seat is free again: {body}");
}

#[actix_web::test]
async fn a_form_without_our_stamp_changes_nothing() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, other) = (service.visitor(), service.visitor());
    let table = visitor.post("/daily", &[]).await.location();
    let step = visitor.look(&table).await;
    let step = step.as_str();
    let step = crate::harness::page::Page(step).step().to_string();
    let strange = other.stamp().await;
    let forms: [(&str, Vec<(&str, &str)>); 6] = [
        ("/daily", vec![]),
        ("/sign-in", vec![("email", ALICE)]),
        ("/me/name", vec![("name", "Mallory")]),
        ("/me/delete", vec![("sure", "yes")]),
        ("/sign-out/everywhere", vec![]),
        (&format!("{table}/say"), vec![("step", &step), ("say", "pass")]),
    ];
    for (path, form) in forms {
        for stamp in [None, Some(""), Some("AAAA"), Some(strange.as_str())] {
            let mut form = form.clone();
            form.extend(stamp.map(|stamp| ("csrf", stamp)));
            let answer = visitor.send(visitor.request(Method::POST, path).form(&form)).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path} {stamp:?}");
            assert!(answer.body.contains("An old form"), "{path}: {}", answer.body);
        }
    }
    assert!(visitor.look(&table).await.contains("After move 0"));
    // A stamp from before signing in is no good after it.
    let stamp = visitor.stamp().await;
    sign_in(&database, &visitor, ALICE).await;
    let form = [("csrf", stamp.as_str())];
    let answer = visitor.send(visitor.request(Method::POST, "/sign-out").form(&form)).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

#[actix_web::test]
async fn sixty_guests_an_hour_come_in_from_one_network_through_all_processes() {
    let database = TestDatabase::new();
    let start = || Service::start_with(&database, |settings| settings.behind_proxy = true);
    let services = [start(), start()];
    let come_in = async |number: usize, network: &str| {
        let visitor = services[number % 2].visitor();
        let form = [("csrf", visitor.stamp().await)];
        visitor
            .send(visitor.request(Method::POST, "/daily").header("x-forwarded-for", network).form(&form))
            .await
            .status
    };
    for number in 0..60 {
        assert_eq!(come_in(number, "203.0.113.5").await, StatusCode::SEE_OTHER);
    }
    for number in 0..2 {
        assert_eq!(come_in(number, "203.0.113.5").await, StatusCode::TOO_MANY_REQUESTS);
    }
    assert_eq!(come_in(0, "203.0.113.6").await, StatusCode::SEE_OTHER);
}

#[actix_web::test]
async fn neither_addresses_nor_secrets_are_logged() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let address = "very.private@example.org";
    ask(&visitor, address).await;
    let letter = letters::newest(&database, address).await;
    visitor.look(&letter.link()).await;
    visitor.post(&letter.link(), &[]).await.location();
    let page = visitor.post("/me/tokens", &[("title", "my robot")]).await;
    let token = page.page().between("<code class=\"digest\">", "</code>")[0].to_owned();
    let log = log::lines();
    let secret = letter.link().replace("/sign-in/", "");
    for word in [address, "very.private", &secret, &token, token.trim_start_matches("wonderpost-")] {
        assert!(!log.contains(word), "{word} is in the log");
    }
}
