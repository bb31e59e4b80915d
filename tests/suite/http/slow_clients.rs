//! Clients that take their time, or everything: they are cut off, and nobody else is kept waiting.

use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use wonderpost::app::settings::WatcherLimits;

use crate::harness::raw::{Raw, split};
use crate::harness::{Service, TestDatabase};

/// A service with little patience.
fn impatient(database: &TestDatabase) -> Service {
    Service::start_with(database, |settings| {
        settings.timeouts.head = Duration::from_secs(1);
        settings.timeouts.body = Duration::from_secs(1);
        settings.timeouts.keep_alive = Duration::from_secs(1);
        settings.timeouts.answer = Duration::from_secs(2);
    })
}

#[tokio::test]
async fn slow_bodies_are_answered_408_and_cut_off() {
    let database = TestDatabase::new();
    let service = impatient(&database);
    let length = "POST PATH HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\na=";
    let chunked = "POST PATH HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na=\r\n";
    let begun = Instant::now();
    let mut slow: Vec<Raw> = Vec::new();
    for path in ["/sign-in", "/nothing", "/api/v1/tables", "/in/mail", "/t/none/say"] {
        for request in [length, chunked] {
            for _ in 0..10 {
                let mut raw = Raw::connect(&service.url);
                raw.send(&request.replace("PATH", path));
                slow.push(raw);
            }
        }
    }
    // Others are served meanwhile.
    assert_eq!(service.visitor().get("/").await.status, StatusCode::OK);
    for mut raw in slow {
        let (head, _) = split(&raw.read_to_end());
        assert!(head.starts_with("http/1.1 408") && head.contains("connection: close"), "{head}");
    }
    assert!(begun.elapsed() < Duration::from_secs(30), "it took {:?}", begun.elapsed());
}

#[tokio::test]
async fn connections_that_never_finish_a_request_are_cut_off() {
    let database = TestDatabase::new();
    let service = impatient(&database);
    let whole = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut waiting = Vec::new();
    // Nothing; half a head; a whole request and then half a head, or nothing; a body that nobody asked for and that has no end.
    let unasked =
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na=\r\n".to_owned();
    for words in [String::new(), whole[..20].to_owned(), format!("{whole}{}", &whole[..20]), whole.to_owned(), unasked]
    {
        let mut raw = Raw::connect(&service.url);
        raw.send(&words);
        waiting.push(raw);
    }
    let begun = Instant::now();
    for mut raw in waiting {
        raw.read_to_end();
    }
    assert!(begun.elapsed() < Duration::from_secs(30), "it took {:?}", begun.elapsed());
}

#[tokio::test]
async fn somebody_who_watches_is_not_cut_off() {
    let database = TestDatabase::new();
    let service = impatient(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    let mut raw = Raw::connect(&service.url);
    raw.send(&format!("GET {table}/live HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    raw.read_until("event: moved\ndata: ");
    tokio::time::sleep(Duration::from_secs(4)).await;
    visitor.move_on(&table).await.expect("a move");
    raw.read_until("event: moved\ndata: ");
}

#[tokio::test]
async fn only_so_many_watch_at_a_time() {
    let database = TestDatabase::new();
    let limits = WatcherLimits { per_table: 2, per_network: 3 };
    let service = Service::start_with(&database, |settings| {
        settings.watchers = limits;
        settings.behind_proxy = true;
    });
    let visitor = service.visitor();
    let (table, other) = (visitor.begin().await, visitor.begin().await);
    let watch = async |table: &str, network: &str| {
        let request = visitor.request(Method::GET, &format!("{table}/live")).header("x-forwarded-for", network);
        request.send().await.expect("an answer")
    };
    let one = "192.0.2.1";
    let first = watch(&table, one).await;
    let mut others = vec![watch(&table, one).await, watch(&other, one).await];
    assert!(others.iter().all(|answer| answer.status() == StatusCode::OK));
    for (table, network) in [(&other, one), (&table, "192.0.2.2")] {
        let refused = watch(table, network).await;
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS, "{network}");
        assert_eq!(refused.headers()["retry-after"], "30");
    }
    others.push(watch(&other, "192.0.2.2").await);
    assert_eq!(others[2].status(), StatusCode::OK);
    // Those who leave make room, as soon as it is seen that they left.
    drop(first);
    let begun = Instant::now();
    loop {
        visitor.move_on(&table).await.expect("a move");
        let answer = watch(&table, "192.0.2.3").await;
        if answer.status() == StatusCode::OK {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "there is no room again");
    }
}

#[tokio::test]
async fn a_token_that_asks_too_often_is_told_when_to_come_back() {
    let database = TestDatabase::new();
    let service = Service::start_with(&database, |settings| settings.api_rate = 1);
    let visitor = service.visitor();
    let (token, other) = (visitor.token().await, visitor.token().await);
    let ask = async |token: &str| visitor.send(visitor.request(Method::GET, "/api/v1/me").bearer_auth(token)).await;
    let mut answered = 0;
    let refused = loop {
        let answer = ask(&token).await;
        if answer.status != StatusCode::OK {
            break answer;
        }
        answered += 1;
        assert!(answered < 1_000, "there is no limit");
    };
    assert!(answered >= 10, "only {answered}");
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| (1..=2).contains(&seconds)));
    assert_eq!(refused.header("content-type"), "application/problem+json");
    assert_eq!(ask(&other).await.status, StatusCode::OK, "another token is not concerned");
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert_eq!(ask(&token).await.status, StatusCode::OK);
}
