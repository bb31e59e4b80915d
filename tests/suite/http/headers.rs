//! Headers: trust nobody, keep nothing private, keep for ever what never changes.

use reqwest::{Method, StatusCode};

use crate::harness::page::Page;
use crate::harness::{Service, TestDatabase};

#[tokio::test]
async fn every_answer_carries_the_headers_that_protect_it() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    let front = visitor.look("/").await;
    let style = Page(&front).between("<link rel=\"stylesheet\" href=\"", "\"")[0].to_owned();
    for path in [
        "/",
        "/daily",
        "/daily/2020-01-01",
        "/chance",
        "/tables",
        &table,
        &format!("{table}/at/0"),
        &format!("{table}/at/9"),
        &format!("{table}/say"),
        &format!("{table}/check"),
        &format!("{table}/export.jsonl"),
        &style,
        "/favicon.ico",
        "/healthz",
        "/readyz",
        "/metrics",
        "/nothing",
        "/%ff",
    ] {
        for method in [Method::GET, Method::POST, Method::HEAD, Method::OPTIONS] {
            let answer = visitor.send(visitor.request(method.clone(), path)).await;
            for (name, value) in [
                ("content-security-policy", "default-src 'none'"),
                ("x-content-type-options", "nosniff"),
                ("x-frame-options", "DENY"),
                ("referrer-policy", "same-origin"),
                ("cross-origin-opener-policy", "same-origin"),
                ("cross-origin-resource-policy", "same-origin"),
                ("permissions-policy", "camera=()"),
            ] {
                assert!(answer.header(name).contains(value), "{method} {path} {name}: {:?}", answer.headers);
            }
            assert_eq!(answer.header("x-request-id").len(), 16, "{method} {path}");
            let keeps = if path == style && answer.status == StatusCode::OK {
                "public, max-age=31536000, immutable"
            } else if path == "/favicon.ico" {
                continue;
            } else {
                "no-store"
            };
            assert_eq!(answer.header("cache-control"), keeps, "{method} {path}");
        }
    }
    let policy = visitor.get("/").await.header("content-security-policy").to_owned();
    assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{policy}");
}

#[tokio::test]
async fn assets_are_named_after_their_content_and_pages_are_sent_small() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    let front = visitor.look("/").await;
    let assets: Vec<&str> = Page(&front).between("\"/static/", "\"");
    // Stylesheet and script, two fonts, the icon three times, the manifest, a picture of each game.
    assert_eq!(assets.len(), 13, "{assets:?}");
    for asset in assets {
        let answer = reqwest::get(format!("{}/static/{asset}", service.url)).await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{asset}");
        let bytes = answer.bytes().await.expect("a body");
        let (digest, name) = asset.split_once('/').expect("a digest and a name");
        use sha2::Digest;
        assert_eq!(digest, data_encoding::HEXLOWER.encode(&sha2::Sha256::digest(&bytes)[..8]), "{name}");
        let other = visitor.get(&format!("/static/0123456789abcdef/{name}")).await;
        assert_eq!(other.status, StatusCode::NOT_FOUND);
    }
    // Not even the board has anything that the policy would forbid.
    let page = visitor.look(&table).await;
    let (_, page) = page.split_once("</head>").expect("a page");
    for forbidden in [" style=\"", "<style", "onclick=", "<script>", "http://", "javascript:"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    let plain = reqwest::Client::builder().no_gzip().build().expect("a client");
    let fetch = async |encoding: &str| {
        let request = plain.get(format!("{}{table}", service.url)).header("accept-encoding", encoding);
        let answer = request.send().await.expect("an answer");
        let headers = answer.headers().clone();
        (headers, answer.bytes().await.expect("a page").len())
    };
    let (headers, small) = fetch("gzip").await;
    assert_eq!(headers["content-encoding"], "gzip");
    assert!(headers["vary"].to_str().expect("text").to_lowercase().contains("accept-encoding"), "{headers:?}");
    let (headers, large) = fetch("identity").await;
    assert!(!headers.contains_key("content-encoding"));
    assert!(small * 3 < large, "{small} of {large} bytes");
}

#[tokio::test]
async fn the_cookie_is_for_the_browser_alone_and_over_https_where_there_is_https() {
    let database = TestDatabase::new();
    for (public_url, secure) in
        [(None, false), (Some("http://games.example"), false), (Some("https://games.example"), true)]
    {
        let service = Service::start_at(&database, public_url);
        let visitor = service.visitor();
        // Looking around leaves nothing but what the page's forms are bound to.
        let page = visitor.get("/sign-in").await;
        let visit = page.header("set-cookie").to_owned();
        assert!(visit.starts_with("wonderpost-visit="), "{visit}");
        assert_eq!(visit.contains("Secure"), secure, "{visit}");
        // The client keeps no cookies of a house on https that it meets over http.
        let request = service.visitor().request(Method::POST, "/daily").form(&[("csrf", page.page().stamp())]);
        let request = request.header("cookie", visit.split(';').next().expect("a cookie"));
        let answer = visitor.send(request).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        let cookie = answer.header("set-cookie").to_owned();
        assert!(cookie.starts_with("wonderpost="), "{cookie}");
        for flag in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=7776000"] {
            assert!(cookie.contains(flag), "{flag}: {cookie}");
        }
        assert_eq!(cookie.contains("Secure"), secure, "{cookie}");
        assert!(!cookie.contains("Domain"), "{cookie}");
        let token = cookie.trim_start_matches("wonderpost=").split(';').next().expect("a token");
        assert_eq!(token.len(), 43, "32 bytes");
        // One session will do.
        if !secure {
            visitor.begin().await;
            let answer = visitor.post(&format!("{}/sit", visitor.open().await), &[]).await;
            assert!(!answer.headers.contains_key("set-cookie"));
        }
    }
}
