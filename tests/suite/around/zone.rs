//! One time zone for each player, proposed by the browser.

use reqwest::StatusCode;

use crate::harness::page::Page;
use crate::harness::{Service, TestDatabase, Visitor, letters};

async fn zones(database: &TestDatabase) -> Vec<(Option<String>, Option<String>, Option<String>)> {
    sqlx::query_as("select zone, letters ->> 'zone', waking ->> 'zone' from player order by created_at")
        .fetch_all(&mut database.connection().await)
        .await
        .unwrap()
}

fn all(zone: &str) -> (Option<String>, Option<String>, Option<String>) {
    let zone = Some(zone.to_owned());
    (zone.clone(), zone.clone(), zone)
}

async fn chosen(visitor: &Visitor) -> String {
    let page = visitor.look("/me").await;
    let select = Page(&page).between("<select id=\"zone\"", "</select>")[0].to_owned();
    let before = select.split(" selected").next().unwrap().to_owned();
    before.rsplit("value=\"").next().unwrap().trim_end_matches('"').to_owned()
}

#[actix_web::test]
async fn a_guest_lives_where_the_browser_says() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    visitor.post("/daily", &[("zone", "Europe/Berlin")]).await.location();
    assert_eq!(zones(&database).await[0].0.as_deref(), Some("Europe/Berlin"));
    assert_eq!(chosen(&visitor).await, "Europe/Berlin");
    assert!(visitor.look("/me/letters").await.contains("All times are Berlin time"));
    // What a browser makes up is no zone, and an older name is the newer one's.
    let other = service.visitor();
    other.post("/daily", &[("zone", "Wonderland/Hole")]).await.location();
    assert_eq!(zones(&database).await[1].0, None);
    let third = service.visitor();
    third.post("/daily", &[("zone", "Asia/Calcutta")]).await.location();
    assert_eq!(chosen(&third).await, "Asia/Kolkata");
}

#[actix_web::test]
async fn signing_in_presets_the_zone_once() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    for zone in ["America/New_York", "Asia/Tokyo"] {
        let visitor = service.visitor();
        visitor.post("/sign-in", &[("email", "alice@example.org")]).await.location();
        let link = letters::newest(&database, "alice@example.org").await.link();
        visitor.post(&link, &[("zone", zone)]).await.location();
        assert_eq!(chosen(&visitor).await, "America/New_York", "who travels has not moved");
    }
}

#[actix_web::test]
async fn there_is_one_zone_for_hours_letters_and_days_off() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    visitor.begin().await;
    visitor.post("/me/zone", &[("zone", "Europe/Berlin")]).await.location();
    visitor.post("/me/hours", &[("from", "08:00"), ("until", "23:00")]).await.location();
    assert_eq!(zones(&database).await[0], all("Europe/Berlin"));
    // Moving moves all of them.
    assert_eq!(visitor.post("/me/zone", &[("zone", "Asia/Tokyo")]).await.location(), "/me?done=zone#my-time");
    assert_eq!(zones(&database).await[0], all("Asia/Tokyo"));
    let page = visitor.look("/me").await;
    assert!(page.contains("from 08:00 to 23:00 Tokyo time") && page.contains("From midnight to midnight, Tokyo time"));
    // Settings of letters leave it as it is.
    visitor.post("/me/letters", &[("when", "at-once"), ("digest_at", "18:00"), ("day", "1")]).await.location();
    assert_eq!(zones(&database).await[0], all("Asia/Tokyo"));
    let refused = visitor.post("/me/zone", &[("zone", "Wonderland/Hole")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[actix_web::test]
async fn zones_are_listed_by_city_without_older_names() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    visitor.begin().await;
    let page = visitor.look("/me").await;
    assert_eq!(page.matches("<optgroup label=\"Europe\">").count(), 1, "there is one list");
    assert!(page.contains(">Berlin</option>") && page.contains(">Buenos Aires, Argentina</option>"));
    for older in ["US/Pacific", "Asia/Calcutta", "\"GB\"", "Etc/GMT"] {
        assert!(!page.contains(older), "{older}");
    }
}
