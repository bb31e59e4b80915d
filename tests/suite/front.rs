//! The front page: what it weighs, where its one click leads, and what it shows of games that are being played.

use reqwest::StatusCode;
use serde_json::Value;

use crate::browser::assert_no_complaints;
use crate::harness::browser::{Setup, browse};
use crate::harness::page::Page;
use crate::harness::red_queen::{say, two_at_a_table};
use crate::harness::{Service, TestDatabase};

/// What has been loaded so far, once every picture is there: each address and its bytes.
const LOADED: &str = "
    const pictures = [...document.images].filter((image) => image.loading !== 'lazy');
    if (document.readyState !== 'complete' || !pictures.every((image) => image.complete)) return null;
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return entries.map((entry) => [entry.name, entry.transferSize]);";

/// Looks at the front page for the first time. `most` bytes may come, as they are sent and with their headers.
async fn weigh(setup: Setup, most: u64) {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(setup, move |browser| async move {
        browser.goto(&service.url).await;
        let loaded = loop {
            match browser.client.execute(LOADED, vec![]).await.expect("script") {
                Value::Array(loaded) => break loaded,
                _ => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
            }
        };
        let bytes: u64 = loaded.iter().filter_map(|entry| entry[1].as_u64()).sum();
        assert!(loaded.len() > 5 && bytes > 20_000, "all is counted: {loaded:?}");
        assert!(bytes < most, "{bytes} bytes: {loaded:?}");
        assert_no_complaints(&browser).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_visit_loads_less_than_60_kilobytes_on_a_phone() {
    weigh(Setup::PHONE, 60_000).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_visit_loads_less_than_80_kilobytes_where_all_pictures_are_in_sight() {
    weigh(Setup::DESKTOP, 80_000).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_click_leads_from_the_front_page_to_a_dealt_board() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::PHONE, move |browser| async move {
        for (game, board) in [("red-queen", "#board"), ("messenger-rabbits", "#board"), ("we-are-not-amused", "#board")]
        {
            browser.goto(&service.url).await;
            browser.click(&format!("form[action='/tables']:has([value='{game}']) button")).await;
            assert!(browser.path().await.starts_with("/t/"));
            browser.find(board).await;
            let text = browser.text().await;
            assert!(!text.contains("Sit down"), "nothing else is asked: {text}");
            assert!(game == "we-are-not-amused" || text.contains("easy bot"), "it suits a beginner: {text}");
        }
        assert_no_complaints(&browser).await;
    })
    .await;
}

#[actix_web::test]
async fn every_game_has_a_picture_that_browsers_keep_for_ever() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let home = visitor.look("/").await;
    let pictures: Vec<&str> =
        Page(&home).between("<img src=\"", "\"").into_iter().filter(|url| url.starts_with("/static/")).collect();
    assert_eq!(pictures.len(), 5, "{home}");
    for url in pictures {
        let answer = visitor.get(url).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.headers["content-type"], "image/svg+xml");
        assert!(answer.headers["cache-control"].to_str().unwrap().contains("immutable"));
        assert!(answer.body.starts_with("<svg") && !answer.body.contains("script"), "{url}");
    }
    let garden = Page(&home).between("<img src=\"/daily/", "\"")[0].to_owned();
    assert!(visitor.look(&format!("/daily/{garden}")).await.starts_with("<svg"), "today's garden is drawn");
    assert_eq!(
        visitor.get("/daily/2031-01-01/garden.svg").await.status,
        StatusCode::NOT_FOUND,
        "no other is known yet"
    );
}

#[actix_web::test]
async fn a_running_public_game_can_be_watched_from_the_front_page_and_a_private_one_cannot() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let newcomer = service.visitor();
    assert!(!newcomer.look("/").await.contains("Being played now"));
    let (one, two, table) = two_at_a_table(&service).await;
    let body = one.look(&table).await;
    assert_eq!(say(&one, &table, Page(&body).step(), "draw").await, StatusCode::SEE_OTHER);
    // Those who listen are told a moment later.
    let mut home = newcomer.look("/").await;
    for _ in 0..200 {
        if home.contains("Being played now") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        home = newcomer.look("/").await;
    }
    assert!(home.contains(&format!("href=\"{table}\">Watch it live")), "{home}");
    let board = newcomer.look(&format!("{table}/board.svg")).await;
    for player in [&one, &two] {
        assert_eq!(player.look(&format!("{table}/board.svg")).await, board, "the same for everybody");
    }

    let host = service.visitor();
    let private =
        crate::harness::red_queen::open(&host, &[("seat-2", "easy"), ("private", "yes"), ("sit", "yes")]).await;
    assert_eq!(host.get(&format!("{private}/board.svg")).await.status, StatusCode::OK);
    assert_eq!(newcomer.get(&format!("{private}/board.svg")).await.status, StatusCode::NOT_FOUND);
    assert!(!newcomer.look("/").await.contains(&private));
}
