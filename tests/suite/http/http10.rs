//! Clients that speak HTTP/1.0, such as w3m and proxies by default.

use crate::harness::raw::{Raw, ask};
use crate::harness::{Service, TestDatabase};

/// The length that a head names.
fn length(head: &str) -> usize {
    let line = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
    line.parse().expect("a number")
}

#[tokio::test]
async fn an_old_client_gets_a_whole_answer_with_its_length() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    let paths = ["/", &table, &format!("{table}/export.jsonl"), "/nothing", "/healthz", "/api/v1/games", "/metrics"];
    for path in paths {
        for encoding in ["", "Accept-Encoding: gzip, compress, bzip, bzip2, deflate\r\n"] {
            let (head, body) = ask(&service.url, &format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n{encoding}\r\n"));
            assert!(head.starts_with("http/1.0 "), "{head}");
            assert!(!head.contains("transfer-encoding"), "{path}: {head}");
            assert_eq!(length(&head), body.len(), "{path}: {head}");
            assert!(!body.is_empty(), "{path}");
            // Packed only for those who asked for it.
            assert_eq!(head.contains("content-encoding"), body.starts_with(b"\x1f\x8b"), "{path}: {head}");
            assert!(!head.contains("content-encoding") || !encoding.is_empty(), "{path}: {head}");
        }
        // Some know no Host, either.
        let (head, body) = ask(&service.url, &format!("HEAD {path} HTTP/1.0\r\n\r\n"));
        assert!(!head.contains("transfer-encoding") && body.is_empty(), "{head}");
    }
    let (head, body) = ask(&service.url, "GET / HTTP/1.0\r\n\r\n");
    assert!(head.starts_with("http/1.0 200"), "{head}");
    assert!(String::from_utf8_lossy(&body).contains("</html>"));
}

#[tokio::test]
async fn an_old_client_can_watch_a_table() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    let mut raw = Raw::connect(&service.url);
    raw.send(&format!("GET {table}/live HTTP/1.0\r\n\r\n"));
    let head = raw.read_until("\r\n\r\n").to_lowercase();
    assert!(!head.contains("transfer-encoding") && !head.contains("content-length"), "{head}");
    assert!(raw.read_until("\n\n").starts_with("event: moved\ndata: "));
    visitor.move_on(&table).await.expect("a move");
    assert!(raw.read_until("\n\n").starts_with("event: moved\ndata: "));
}

#[tokio::test]
async fn a_new_client_is_told_the_length_of_a_compressed_page() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n";
    let (head, _) = ask(&service.url, request);
    assert!(head.contains("content-length: ") && head.contains("content-encoding: gzip"), "{head}");
}
