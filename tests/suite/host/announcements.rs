//! What the host tells everybody.

use chrono::{TimeDelta, Utc};
use reqwest::StatusCode;

use super::{deeds, hosted};
use crate::harness::TestDatabase;

fn in_form(hours: i64) -> String {
    (Utc::now() + TimeDelta::hours(hours)).format("%Y-%m-%dT%H:%M").to_string()
}

#[actix_web::test]
async fn announcements_are_on_every_page_until_they_end_or_are_dismissed() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let (one, two) = (service.visitor(), service.visitor());
    let (soon, later) = (in_form(2), in_form(5));
    for form in [
        [("words", ""), ("from", ""), ("until", later.as_str())],
        [("words", "Tea"), ("from", ""), ("until", "")],
        [("words", "Tea"), ("from", later.as_str()), ("until", soon.as_str())],
    ] {
        assert_eq!(host.post("/host/announcements", &form).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{form:?}");
    }
    let tea = [("words", "Tea at <six>\nBring jam"), ("from", ""), ("until", later.as_str())];
    for _ in 0..2 {
        assert_eq!(host.post("/host/announcements", &tea).await.location(), "/host/announcements?done=announced");
    }
    let future = [("words", "Croquet tomorrow"), ("from", soon.as_str()), ("until", later.as_str())];
    host.post("/host/announcements", &future).await.location();
    assert_eq!(deeds(&database).await.len(), 2, "a form that is sent twice announces once");
    let table = one.begin().await;
    for path in ["/", "/archive", "/sign-in", &table, "/me"] {
        let page = one.look(path).await;
        assert_eq!(page.matches("Tea at &#60;six&#62;").count(), 1, "{path}: {page}");
        assert!(!page.contains("Croquet"), "{path}");
    }
    assert!(one.get("/no/such/page").await.body.contains("Tea at"));

    let page = two.look("/").await;
    let dismiss =
        page.split("action=\"/announcements/").nth(1).and_then(|rest| rest.split('"').next()).expect("a form");
    assert_eq!(two.post(&format!("/announcements/{dismiss}"), &[]).await.location(), "/");
    for path in ["/", "/archive", "/sign-in"] {
        assert!(!two.look(path).await.contains("Tea at"), "{path}");
    }
    assert!(one.look("/").await.contains("Tea at"), "others still see it");

    let id = dismiss.split('/').next().expect("a number");
    let end = format!("/host/announcements/{id}/end");
    assert_eq!(host.post(&end, &[]).await.location(), "/host/announcements?done=ended");
    assert_eq!(host.post(&end, &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(!one.look("/").await.contains("Tea at"));
    let page = host.look("/host/announcements").await;
    assert!(page.contains("Croquet tomorrow") && page.contains("Tea at"), "{page}");
    assert!(host.look("/host/log").await.contains("ended announcement"));
}
