//! Who gets in.

use reqwest::{Method, StatusCode};

use super::{HOST, deeds, hosted};
use crate::harness::{Service, TestDatabase, Visitor, letters};
use crate::outsiders::host_routes;

/// A page without what differs from request to request.
fn without_ids(body: &str, path: &str) -> String {
    let (before, rest) = body.split_once("<code>").unwrap_or((body, ""));
    let after = rest.split_once("</code>").map_or("", |(_, after)| after);
    format!("{before}{after}").replace(path, "")
}

#[actix_web::test]
async fn to_everybody_but_the_hosts_no_route_of_the_console_exists() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let player = service.visitor();
    letters::sign_in(&database, &player, "alice@example.org").await;
    let guest = service.visitor();
    guest.begin().await;
    for (who, visitor) in [("nobody", service.visitor()), ("a guest", guest), ("a player", player)] {
        // Something known is looked at first, so that all pages are made for the same visitor.
        let stamp = visitor.stamp().await;
        for route in host_routes() {
            let ask = async |method: &str, path: &str| {
                let request = visitor.request(method.parse().unwrap(), path);
                let request = if method == "GET" { request } else { request.form(&[("csrf", stamp.as_str())]) };
                visitor.send(request).await
            };
            let path = route.address("01a1e2cd-1a47-7173-a748-989ab4da1ea4", 0);
            for method in ["GET", "POST", "PUT", "DELETE", "OPTIONS"] {
                let (there, unknown) = (ask(method, &path).await, ask(method, "/hostess").await);
                assert_eq!(there.status, unknown.status, "{who}: {method} {path}");
                assert_eq!(there.status, StatusCode::NOT_FOUND, "{who}: {method} {path}");
                let names = |answer: &crate::harness::visitor::Answer| {
                    let mut names: Vec<String> = answer.headers.keys().map(ToString::to_string).collect();
                    // That is about the connection, not about the page.
                    names.retain(|name| name != "connection");
                    names.sort();
                    names
                };
                assert_eq!(names(&there), names(&unknown), "{who}: {method} {path}");
                assert_eq!(without_ids(&there.body, &path), without_ids(&unknown.body, "/hostess"), "{who}: {path}");
            }
        }
        assert!(!visitor.look("/").await.contains("href=\"/host\""));
    }
    assert!(host.look("/").await.contains("href=\"/host\""));
    assert!(deeds(&database).await.is_empty());
}

#[actix_web::test]
async fn a_host_is_who_has_confirmed_one_of_the_addresses() {
    let database = TestDatabase::new();
    let nobodys = Service::start(&database);
    let visitor = nobodys.visitor();
    letters::sign_in(&database, &visitor, HOST).await;
    assert_eq!(visitor.get("/host").await.status, StatusCode::NOT_FOUND, "no hosts are named");

    let service = Service::start_with(&database, |settings| settings.hosts = "HOST@example.org".parse().unwrap());
    let host: Visitor = visitor.at(&service.url);
    assert_eq!(host.get("/host").await.status, StatusCode::OK);
    // An address that was asked for and not confirmed is nobody's.
    let claimant = service.visitor();
    claimant.begin().await;
    claimant.post("/me/address", &[("email", HOST)]).await;
    assert_eq!(claimant.get("/host").await.status, StatusCode::NOT_FOUND);
    // Whoever signs out is a host no more.
    host.post("/sign-out", &[]).await;
    assert_eq!(host.get("/host").await.status, StatusCode::NOT_FOUND);
    let answer = service.visitor();
    assert_eq!(answer.send(answer.request(Method::GET, "/host/nothing")).await.status, StatusCode::NOT_FOUND);
}
