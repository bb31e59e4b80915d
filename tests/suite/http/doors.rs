//! Doors that are there for the host alone, and what browsers are told where people come over https.

use reqwest::{Method, StatusCode};

use crate::harness::{Service, TestDatabase};

#[tokio::test]
async fn figures_are_for_this_machine_and_for_the_token_of_the_host() {
    let database = TestDatabase::new();
    let open = Service::start(&database);
    let closed = Service::start_with(&database, |settings| settings.metrics_token = Some("jabberwock".into()));
    for service in [&open, &closed] {
        let visitor = service.visitor();
        assert!(visitor.look("/metrics").await.contains("wonderpost_"), "on this machine");
        for (header, value) in [
            ("host", "games.example"),
            ("x-forwarded-for", "192.0.2.1"),
            ("via", "1.1 proxy"),
            ("forwarded", "for=192.0.2.1"),
        ] {
            for authorization in [None, Some("Bearer "), Some("Bearer jabber"), Some("Basic jabberwock")] {
                for method in [Method::GET, Method::PUT] {
                    let mut request = visitor.request(method.clone(), "/metrics").header(header, value);
                    if let Some(authorization) = authorization {
                        request = request.header("authorization", authorization);
                    }
                    let answer = visitor.send(request).await;
                    assert_eq!(answer.status, StatusCode::NOT_FOUND, "{method} {header} {authorization:?}");
                    assert!(!answer.body.contains("wonderpost_"));
                }
            }
            let request = visitor.request(Method::GET, "/metrics").header(header, value).bearer_auth("jabberwock");
            let answer = visitor.send(request).await;
            let expected = if service.url == closed.url { StatusCode::OK } else { StatusCode::NOT_FOUND };
            assert_eq!(answer.status, expected, "{header} with the token");
        }
    }
}

#[tokio::test]
async fn browsers_are_told_to_stay_with_https_where_there_is_https() {
    let database = TestDatabase::new();
    for (public_url, told) in
        [(None, ""), (Some("http://games.example"), ""), (Some("https://games.example"), "max-age=31536000")]
    {
        let service = Service::start_at(&database, public_url);
        for path in ["/", "/nothing", "/healthz", "/api/v1/games"] {
            let answer = service.visitor().get(path).await;
            let header = answer.headers.get("strict-transport-security").map_or("", |it| it.to_str().unwrap());
            assert_eq!(header, told, "{public_url:?} {path}");
        }
    }
}
