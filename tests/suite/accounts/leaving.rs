//! Taking everything along, and leaving.

use super::*;

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
