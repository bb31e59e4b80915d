//! A private table answers as if it did not exist.

use uuid::Uuid;

use super::other_people;
use super::routes::{Route, Walker};
use crate::harness::page::Page;
use crate::harness::red_queen::{open, sit};
use crate::harness::visitor::Answer;
use crate::harness::{Service, TestDatabase};

/// What an answer tells, but for what differs from request to request anyway.
fn told(answer: &Answer, table: &str) -> (u16, Vec<String>, String) {
    let plain = |text: &str| text.replace(table, "TABLE").replace(answer.header("x-request-id"), "REQUEST");
    let mut headers: Vec<String> = answer
        .headers
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "date" | "connection" | "x-request-id"))
        .map(|(name, value)| format!("{name}: {}", plain(value.to_str().unwrap_or_default())))
        .collect();
    headers.sort_unstable();
    (answer.status.as_u16(), headers, plain(&answer.body))
}

#[actix_web::test]
async fn a_private_table_is_nowhere_for_those_who_are_not_invited() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, guest) = (service.visitor(), service.visitor());
    let more = [("seat-2", "person"), ("private", "yes"), ("option-first", "1")];
    let mut hidden = Vec::new();
    let mut tables = Vec::new();
    for begins in [false, true] {
        let table = open(&host, &more).await;
        sit(&host, &table).await;
        let body = host.look(&table).await;
        let link = Page(&body).between("/i/", "\"")[0].to_owned();
        if begins {
            guest.post(&format!("/i/{link}"), &[("cut", "jam")]).await.location();
        }
        let id = table.trim_start_matches("/t/").to_owned();
        hidden.extend([link, id.clone()]);
        tables.push(id);
    }
    for (visitor, name) in [(&host, "Wilhelmina Snark"), (&guest, "Ottoline Tove")] {
        assert_eq!(visitor.post("/me/name", &[("name", name)]).await.location(), "/me?done=name");
        hidden.push(name.to_owned());
    }
    assert!(
        host.look(&format!("/t/{}", tables[1])).await.contains("Ottoline Tove"),
        "it is there for those who sit there"
    );

    let others = other_people(&database, &service).await;
    let nowhere = Uuid::now_v7().simple().to_string();
    for route in Route::all() {
        // Whoever does something becomes somebody, so nobody comes anew each time.
        let nobody = Walker::nobody(&service.url).await;
        for walker in others.iter().chain([&nobody]) {
            if route.is_of_a_table() {
                let expected = told(&walker.ask(&route, &nowhere, 0).await, &nowhere);
                assert_ne!(expected.0, 200, "{route:?} shows {} a table that is not there", walker.name);
                for table in &tables {
                    let answer = walker.ask(&route, table, 0).await;
                    assert_eq!(told(&answer, table), expected, "{route:?} tells {} of a private table", walker.name);
                }
            } else {
                let answer = walker.ask(&route, &nowhere, 0).await;
                let text = format!("{:?}\n{}", answer.headers, answer.body);
                for hidden in &hidden {
                    assert!(!text.contains(hidden.as_str()), "{route:?} tells {} “{hidden}”", walker.name);
                }
            }
        }
    }
    let there = host.look(&format!("/t/{}", tables[0])).await;
    assert!(there.contains("Wilhelmina Snark") && !there.contains("jam"), "all is as it was");
}
