//! Names, settings, addresses and tokens.

use super::*;

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
