//! The garden of the day as a habit: how I did, beside the best, day by day; and former gardens.

use chrono::{Days, Utc};
use reqwest::StatusCode;

use crate::harness::{Service, TestDatabase};
use crate::store::days::a_day_ahead;

#[actix_web::test]
async fn after_it_a_player_sees_how_they_did_and_has_a_result_to_pass_on() {
    a_day_ahead().await;
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two) = (service.visitor(), service.visitor());
    assert!(!one.look("/daily").await.contains("id=\"my-result\""), "nothing before it is finished");
    let first = one.post("/daily", &[]).await.location();
    one.end(&first).await;
    let page = one.look("/daily").await;
    assert!(page.contains("id=\"my-result\"") && page.contains("0 of 12 roses"), "{page}");
    assert!(page.contains("▫️▫️") && !page.contains("🌹"), "{page}");
    assert!(page.contains("id=\"my-days\"") && page.contains(&first), "my own row of days: {page}");
    let other = two.look("/daily").await;
    assert!(!other.contains("id=\"my-result\"") && !other.contains(&first), "others see neither: {other}");
}

#[actix_web::test]
async fn a_former_garden_is_played_for_its_own_sake() {
    a_day_ahead().await;
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let yesterday = Utc::now().date_naive().checked_sub_days(Days::new(1)).unwrap();
    assert!(visitor.look("/daily/former").await.contains("There is none yet"));
    assert_eq!(visitor.post(&format!("/daily/{yesterday}"), &[]).await.status, StatusCode::NOT_FOUND);
    database.tamper(&format!("insert into garden_of_the_day (day, secret) values ('{yesterday}', sha256('x'))")).await;
    assert!(visitor.look("/daily/former").await.contains(&format!("/daily/{yesterday}")));
    let [table, again] = [
        visitor.post(&format!("/daily/{yesterday}"), &[]).await.location(),
        visitor.post(&format!("/daily/{yesterday}"), &[]).await.location(),
    ];
    assert_ne!(table, again, "as often as one likes");
    let page = visitor.look(&table).await;
    assert!(page.contains("the former garden of"), "{page}");
    let boards = [visitor.look(&format!("{table}/board.svg")).await, visitor.look(&format!("{again}/board.svg")).await];
    assert_eq!(boards[0], boards[1], "the same garden");
    assert_eq!(boards[0], visitor.look(&format!("/daily/{yesterday}/garden.svg")).await);
    visitor.end(&table).await;
    assert!(visitor.look(&format!("{table}/check")).await.contains("everything checks out"));
    let results = visitor.look(&format!("/daily/{yesterday}")).await;
    assert!(results.contains("Nobody has played it yet"), "it does not count: {results}");
    // Today's garden, and what is still to come, cannot be had that way.
    for day in [Utc::now().date_naive(), Utc::now().date_naive().checked_add_days(Days::new(1)).unwrap()] {
        assert_eq!(visitor.post(&format!("/daily/{day}"), &[]).await.status, StatusCode::NOT_FOUND, "{day}");
    }
}
