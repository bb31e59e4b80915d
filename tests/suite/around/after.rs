//! What comes after: a finished garden, a deleted account, days off in the wrong order.

use chrono::{Days, Utc};
use reqwest::StatusCode;

use crate::harness::{Service, TestDatabase};

#[actix_web::test]
async fn a_finished_garden_leads_on() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    assert!(!visitor.look(&table).await.contains("Another garden"), "not while it is played");
    visitor.end(&table).await;
    let page = visitor.look(&table).await;
    assert!(page.contains("Another garden") && page.contains(">Today's garden</a>"), "{page}");
    let again = visitor.post("/tables", &[("game", "we-are-not-amused"), ("sit", "yes")]).await.location();
    assert!(visitor.look(&again).await.contains("id=\"board\""), "it is dealt at once");
    let today = visitor.post("/daily", &[]).await.location();
    visitor.end(&today).await;
    let page = visitor.look(&today).await;
    assert!(
        page.contains(&format!("/daily/{}", Utc::now().date_naive())) && page.contains("See how others did"),
        "{page}"
    );
    assert!(!service.visitor().look(&table).await.contains("Another garden"), "for whoever played it");
}

#[actix_web::test]
async fn whoever_deletes_the_account_is_told_that_it_is_done() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    visitor.begin().await;
    let farewell = visitor.post("/me/delete", &[("sure", "yes")]).await.location();
    assert!(visitor.look(&farewell).await.contains("Your account is deleted"));
    assert_eq!(visitor.get("/me").await.status, StatusCode::SEE_OTHER);
}

#[actix_web::test]
async fn days_off_in_the_wrong_order_give_the_form_again() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    visitor.begin().await;
    let day = |ahead: u64| (Utc::now().date_naive() + Days::new(ahead)).to_string();
    let (first, last) = (day(9), day(5));
    let answer = visitor.post("/me/days-off", &[("first", &first), ("last", &last)]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    for words in [
        "The last day comes before the first",
        "Take these days off",
        &format!("value=\"{first}\""),
        &format!("value=\"{last}\""),
    ] {
        assert!(answer.body.contains(words), "{words}: {}", answer.body);
    }
    assert_eq!(
        visitor.post("/me/days-off", &[("first", &last), ("last", &first)]).await.location(),
        "/me?done=days-off#my-days-off"
    );
}
