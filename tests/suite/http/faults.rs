//! The database goes away, and comes back.

use std::time::Duration;

use reqwest::StatusCode;

use crate::harness::{Service, TestDatabase};

#[tokio::test]
async fn without_its_database_the_house_asks_for_a_moment_and_goes_on_when_it_is_back() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    visitor.move_on(&table).await.expect("a move");
    let stamp = visitor.stamp().await;
    database.go_away().await;
    let began = std::time::Instant::now();
    for path in ["/", &table, &format!("{table}/at/0"), "/daily"] {
        let answer = visitor.get(path).await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{path}: {}", answer.body);
        assert_eq!(answer.header("retry-after"), "2");
        assert!(answer.body.contains("We cannot reach our database just now"), "{}", answer.body);
        assert!(!answer.body.contains("test_"), "no word of which database: {}", answer.body);
    }
    let form = [("step", "1"), ("say", "pass all")];
    let answer = visitor.post_stamped(&format!("{table}/say"), &form, &stamp).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{}", answer.body);
    assert_eq!(visitor.get("/healthz").await.status, StatusCode::OK);
    let ready = visitor.get("/readyz").await;
    assert_eq!((ready.status, &*ready.body), (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n"));
    assert!(began.elapsed() < Duration::from_secs(60), "it took {:?}", began.elapsed());
    database.come_back().await;
    assert_eq!(visitor.look("/readyz").await, "ready\n");
    let (step, _) = visitor.move_on(&table).await.expect("a move");
    assert_eq!(step, 1);
}
