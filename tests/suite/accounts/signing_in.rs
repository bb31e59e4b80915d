//! Signing in and out.

use super::*;

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
