//! The program stops: no request is lost, nobody who watches is kept hanging, and it does not take long.

use std::time::{Duration, Instant};

use reqwest::StatusCode;

use crate::harness::program::Program;
use crate::harness::raw::{Raw, split};
use crate::harness::{TestDatabase, Visitor};

/// Three seconds, on a machine that has other things to do.
const SOON: Duration = Duration::from_secs(8);

/// The program on a test's database, with more settings.
fn serve(database: &TestDatabase, more: &[&str]) -> Program {
    let url = database.url();
    let mut settings = vec!["--database-url", &url];
    settings.extend(more);
    Program::serve_with(&std::env::temp_dir(), &settings)
}

/// Watches a table, and has heard its first word.
fn watch(url: &str, table: &str) -> Raw {
    let mut raw = Raw::connect(url);
    raw.send(&format!("GET {table}/live HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    raw.read_until("event: moved\ndata: ");
    raw.read_until("\n\n");
    raw
}

/// Sends a form but for its last byte.
async fn begin_slowly(visitor: &Visitor, url: &str) -> (Raw, String) {
    let page = visitor.get("/sign-in").await;
    let cookie = page.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    let form = format!("email=&csrf={}", page.page().stamp());
    let mut raw = Raw::connect(url);
    raw.send(&format!(
        "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n",
        form.len()
    ));
    let (most, last) = form.split_at(form.len() - 1);
    raw.send(most);
    (raw, last.to_owned())
}

#[tokio::test]
async fn it_ends_within_seconds_though_somebody_watches() {
    let database = TestDatabase::new();
    let mut program = serve(&database, &[]);
    let visitor = program.visitor();
    let table = visitor.begin().await;
    let mut watchers: Vec<Raw> = (0..5).map(|_| watch(&program.url, &table)).collect();
    let asked = Instant::now();
    program.terminate();
    for watcher in &mut watchers {
        let last = String::from_utf8(watcher.read_to_end()).expect("text");
        assert!(last.contains("retry: ") && last.contains("event: restart\n"), "{last}");
        assert!(last.ends_with("0\r\n\r\n"), "the stream has an end: {last}");
    }
    assert!(program.wait().success());
    assert!(asked.elapsed() < SOON, "it took {:?}", asked.elapsed());
}

#[tokio::test]
async fn during_the_grace_it_serves_on_and_asks_for_no_more() {
    let database = TestDatabase::new();
    let mut program = serve(&database, &["--grace-seconds", "30"]);
    let (visitor, stranger) = (program.visitor(), program.visitor());
    let table = visitor.begin().await;
    assert_eq!(visitor.get("/readyz").await.status, StatusCode::OK);
    let mut watcher = watch(&program.url, &table);
    let (mut slow, last) = begin_slowly(&stranger, &program.url).await;
    program.terminate();
    let begun = Instant::now();
    let ready = loop {
        let ready = visitor.get("/readyz").await;
        if ready.status != StatusCode::OK {
            break ready;
        }
        assert!(begun.elapsed() < SOON, "it goes on as if nothing had been asked");
    };
    assert_eq!((ready.status, &*ready.body), (StatusCode::SERVICE_UNAVAILABLE, "stopping\n"));
    // The port is open, moves are made, watchers are told, and connections are not kept.
    let page = visitor.get(&table).await;
    assert_eq!((page.status, page.header("connection")), (StatusCode::OK, "close"));
    visitor.move_on(&table).await.expect("a move");
    watcher.read_until("event: moved\ndata: ");
    assert_eq!(visitor.get("/healthz").await.status, StatusCode::OK);
    // Asked again, it waits no longer: the port closes, and what had begun is finished.
    program.terminate();
    let asked = Instant::now();
    assert!(String::from_utf8_lossy(&watcher.read_to_end()).contains("event: restart\n"));
    while std::net::TcpStream::connect(&slow.host).is_ok() {
        assert!(asked.elapsed() < SOON, "the port stays open");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    slow.send(&last);
    let (head, _) = split(&slow.read_to_end());
    assert!(head.starts_with("http/1.1 422") && head.contains("connection: close"), "{head}");
    assert!(program.wait().success());
    assert!(asked.elapsed() < SOON, "it took {:?}", asked.elapsed());
}

#[tokio::test]
async fn the_last_move_reaches_those_who_watch_at_another_service() {
    let database = TestDatabase::new();
    let (mut one, other) = (serve(&database, &[]), serve(&database, &[]));
    let visitor = one.visitor();
    let table = visitor.begin().await;
    let mut watcher = watch(&other.url, &table);
    visitor.move_on(&table).await.expect("a move");
    one.terminate();
    watcher.read_until("event: moved\ndata: ");
    assert!(one.wait().success());
}
