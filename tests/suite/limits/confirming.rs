//! Is it you? Deleting the account, changing the address and making a token need a sign-in of today.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::count;
use crate::harness::letters::{self, execute, sign_in};
use crate::harness::page::Page;
use crate::harness::{Service, TestDatabase, Visitor};

const ALICE: &str = "alice@example.org";
const NEW: &str = "liddell@example.org";

/// Somebody who signed in two days ago.
async fn signed_in_long_ago(database: &TestDatabase, service: &Service) -> Visitor {
    let visitor = service.visitor();
    sign_in(database, &visitor, ALICE).await;
    grow_old(database).await;
    visitor
}

async fn grow_old(database: &TestDatabase) {
    for table in ["session", "api_token"] {
        let text = format!("update {table} set created_at = now() - interval '2 days', confirmed_at = null");
        execute(database, &text).await;
    }
}

/// The secret in the form of the page that asks.
fn ask_of(body: &str) -> String {
    assert!(body.contains("Is it you?"), "{body}");
    Page(body).between("name=\"ask\" value=\"", "\"")[0].to_owned()
}

#[actix_web::test]
async fn an_account_is_deleted_with_the_code_of_a_letter() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = signed_in_long_ago(&database, &service).await;
    let answer = visitor.post("/me/delete", &[("sure", "yes")]).await;
    assert_eq!(answer.status, StatusCode::OK);
    let ask = ask_of(&answer.body);
    let letter = letters::newest(&database, ALICE).await;
    assert_eq!(letter.subject, "Is it you? Please confirm");
    let wrong = if letter.code() == "000 000" { "111111" } else { "000000" };
    for code in ["", wrong, "tarts"] {
        let answer = visitor.post("/me/delete", &[("sure", "yes"), ("ask", &ask), ("code", code)]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(ask_of(&answer.body), ask);
    }
    assert!(visitor.look("/me").await.contains(ALICE));
    // Somebody else's page is no good with it.
    let other = service.visitor();
    sign_in(&database, &other, NEW).await;
    grow_old(&database).await;
    let answer = other.post("/me/delete", &[("sure", "yes"), ("ask", &ask), ("code", &letter.code())]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let answer = visitor.post("/me/delete", &[("sure", "yes"), ("ask", &ask), ("code", &letter.code())]).await;
    assert_eq!(answer.location(), "/?done=deleted");
    assert_eq!(visitor.get("/me").await.location(), "/sign-in?to=/me");
    assert!(other.look("/me").await.contains(NEW));
}

#[actix_web::test]
async fn an_address_is_changed_after_the_link_was_followed_elsewhere() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = signed_in_long_ago(&database, &service).await;
    let answer = visitor.post("/me/address", &[("email", NEW)]).await;
    let ask = ask_of(&answer.body);
    assert!(answer.body.contains(&format!("name=\"email\" value=\"{NEW}\"")), "{}", answer.body);
    letters::settled(&database).await;
    assert!(letters::to(&database, NEW).await.is_empty());
    let link = letters::newest(&database, ALICE).await.link();
    let telephone = service.visitor();
    for _ in 0..2 {
        assert!(telephone.look(&link).await.contains("Yes, it is me"));
    }
    let form = [("email", NEW), ("ask", &ask), ("code", "")];
    assert_eq!(visitor.post("/me/address", &form).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let answer = telephone.post(&link, &[]).await;
    assert!(answer.body.contains("go back to the page that asked you"), "{}", answer.body);
    // The link signs nobody in.
    assert_eq!(telephone.get("/me").await.location(), "/sign-in?to=/me");
    assert_eq!(telephone.post(&link, &[]).await.status, StatusCode::GONE);
    assert_eq!(visitor.post("/me/address", &form).await.location(), "/sign-in/code");
    let link = letters::newest(&database, NEW).await.link();
    assert_eq!(visitor.post(&link, &[]).await.location(), "/me?done=address");
}

#[actix_web::test]
async fn a_token_is_made_by_those_who_signed_in_today_or_confirm_it() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = signed_in_long_ago(&database, &service).await;
    let answer = visitor.post("/me/tokens", &[("title", "my \"robot\"")]).await;
    let ask = ask_of(&answer.body);
    assert!(answer.body.contains("my &#34;robot&#34;"), "{}", answer.body);
    assert_eq!(count(&database, "api_token").await, 0);
    let code = letters::newest(&database, ALICE).await.code();
    let answer = visitor.post("/me/tokens", &[("title", "my robot"), ("ask", &ask), ("code", &code)]).await;
    assert!(answer.body.contains("Your new token"));
    // For a day nothing more is asked.
    assert!(visitor.post("/me/tokens", &[("title", "another")]).await.body.contains("Your new token"));
    // A guest has no address to write to.
    let guest = service.visitor();
    guest.begin().await;
    grow_old(&database).await;
    assert!(guest.post("/me/tokens", &[("title", "mine")]).await.body.contains("Your new token"));
    assert_eq!(guest.post("/me/delete", &[("sure", "yes")]).await.location(), "/?done=deleted");
}

#[actix_web::test]
async fn a_program_confirms_with_a_code_or_its_player_with_the_link() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    sign_in(&database, &visitor, ALICE).await;
    let token = visitor.token().await;
    let call = async |method: Method, path: &str, body: Value| {
        let request = visitor.request(method, &format!("/api/v1{path}")).bearer_auth(&token);
        let request = request.header("content-type", "application/json").body(body.to_string());
        visitor.send(request).await
    };
    // A token that was made today needs nothing.
    assert_eq!(call(Method::POST, "/me/tokens", json!({"title": "a second"})).await.status, StatusCode::OK);
    assert_eq!(call(Method::POST, "/me/confirm", Value::Null).await.body, r#"{"ask":null}"#);
    grow_old(&database).await;
    for (method, path, body) in [
        (Method::POST, "/me/tokens", json!({"title": "a third"})),
        (Method::POST, "/me/address", json!({"address": NEW})),
        (Method::DELETE, "/me", Value::Null),
    ] {
        let answer = call(method, path, body).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        assert!(answer.body.contains("/api/v1/me/confirm"), "{}", answer.body);
    }
    let asked: Value = serde_json::from_str(&call(Method::POST, "/me/confirm", Value::Null).await.body).unwrap();
    let letter = letters::newest(&database, ALICE).await;
    let wrong = if letter.code() == "000 000" { "111111" } else { "000000" };
    let answer = call(Method::PUT, "/me/confirm", json!({"ask": asked["ask"], "code": wrong})).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let answer = call(Method::PUT, "/me/confirm", json!({"ask": asked["ask"], "code": letter.code()})).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.body);
    assert_eq!(call(Method::POST, "/me/tokens", json!({"title": "a third"})).await.status, StatusCode::OK);
    // By the link.
    grow_old(&database).await;
    assert_eq!(call(Method::DELETE, "/me", Value::Null).await.status, StatusCode::FORBIDDEN);
    call(Method::POST, "/me/confirm", Value::Null).await;
    let link = letters::newest(&database, ALICE).await.link();
    service.visitor().post(&link, &[]).await;
    assert_eq!(call(Method::DELETE, "/me", Value::Null).await.status, StatusCode::NO_CONTENT);
}
