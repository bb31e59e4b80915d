//! Sessions last as long as they are used.

use super::count;
use crate::harness::letters::{execute, sign_in};
use crate::harness::{Service, TestDatabase};

const ALICE: &str = "alice@example.org";

#[actix_web::test]
async fn a_session_is_renewed_once_a_day_while_it_is_used() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    sign_in(&database, &visitor, ALICE).await;
    let fresh =
        "session where expires_at > now() + interval '89 days 23 hours' and expires_at < now() + interval '91 days'";
    assert_eq!(count(&database, fresh).await, 1);
    assert_eq!(visitor.get("/me").await.header("set-cookie"), "");
    execute(&database, "update session set expires_at = now() + interval '1 hour'").await;
    let cookie = visitor.get("/").await.header("set-cookie").to_owned();
    for word in ["wonderpost=", "HttpOnly", "SameSite=Lax", "Max-Age=7776000", "Path=/"] {
        assert!(cookie.contains(word), "{cookie}");
    }
    assert_eq!(count(&database, fresh).await, 1);
    assert_eq!(visitor.get("/").await.header("set-cookie"), "");
    assert!(visitor.look("/me").await.contains(ALICE));
}

#[actix_web::test]
async fn a_session_that_nobody_uses_ends_after_ninety_days() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    sign_in(&database, &visitor, ALICE).await;
    execute(&database, "update session set expires_at = expires_at - interval '90 days'").await;
    assert_eq!(visitor.get("/me").await.location(), "/sign-in?to=/me");
}

#[actix_web::test]
async fn signing_out_takes_the_cookie_of_a_session_that_was_due_to_be_renewed() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    sign_in(&database, &visitor, ALICE).await;
    let stamp = visitor.stamp().await;
    execute(&database, "update session set expires_at = now() + interval '1 hour'").await;
    let answer = visitor.post_stamped("/sign-out", &[], &stamp).await;
    assert_eq!(answer.headers.get_all("set-cookie").iter().count(), 1);
    assert!(answer.header("set-cookie").contains("Max-Age=0"), "{}", answer.header("set-cookie"));
    assert_eq!(count(&database, "session").await, 0);
}

#[actix_web::test]
async fn signing_out_everywhere_ends_tokens_too() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    for by_page in [true, false] {
        let visitor = service.visitor();
        sign_in(&database, &visitor, ALICE).await;
        assert!(visitor.look("/me").await.contains("also ends your programs' tokens"));
        let token = visitor.token().await;
        let call = async |method, path: &str| {
            visitor.send(visitor.request(method, path).bearer_auth(&token)).await.status.as_u16()
        };
        assert_eq!(call(reqwest::Method::GET, "/api/v1/me").await, 200);
        if by_page {
            visitor.post("/sign-out/everywhere", &[]).await.location();
        } else {
            assert_eq!(call(reqwest::Method::DELETE, "/api/v1/me/sessions").await, 204);
        }
        assert_eq!(call(reqwest::Method::GET, "/api/v1/me").await, 401);
        assert_eq!(visitor.get("/me").await.location(), "/sign-in?to=/me");
    }
}
