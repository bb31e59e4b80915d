//! Without a network: the desk as last seen, and of everything else nothing.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::browser::{Browser, Setup, browse};
use crate::harness::letters::execute;
use crate::harness::{Service, TestDatabase, Visitor};

const GAME: &str = "We Are Not Amused";

/// From nobody to a guest with a table that waits for them.
async fn begin(browser: &Browser, service: &Service) -> String {
    browser.goto(&format!("{}/games/we-are-not-amused", service.url)).await;
    browser.click("form[action='/tables'] button.primary").await;
    if browser.count("#cut").await > 0 {
        browser.click("main form button.primary").await;
    }
    browser.path().await
}

/// The names of what the browser has stored, once its worker is at work.
async fn stores(browser: &Browser) -> Vec<String> {
    let script = "const done = arguments[0]; navigator.serviceWorker.ready.then(() => caches.keys()).then(done);";
    let names = browser.client.execute_async(script, vec![]).await.expect("names");
    let names = names.as_array().cloned().unwrap_or_default();
    names.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Waits until the worker answers for this page, and has a copy of the desk, or has none.
async fn until_kept(browser: &Browser, is_kept: bool) {
    let begun = Instant::now();
    loop {
        let controls = browser.client.execute("return navigator.serviceWorker.controller !== null", vec![]).await;
        let names = stores(browser).await;
        let ready =
            controls.is_ok_and(|controls| controls == true) && names.iter().any(|name| name.starts_with("assets"));
        if ready && names.iter().any(|name| name == "desk") == is_kept {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(15), "{names:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// All that the browser has stored, in words.
async fn all_that_is_stored(browser: &Browser) -> String {
    let script = "const done = arguments[0];
        (async () => {
          let all = '';
          for (const name of await caches.keys()) {
            const cache = await caches.open(name);
            for (const request of await cache.keys()) {
              const answer = await cache.match(request);
              const text = /html|json/.test(answer.headers.get('content-type')) ? await answer.text() : '';
              all += request.url + '\\n' + text + '\\n';
            }
          }
          return all;
        })().then(done);";
    let all = browser.client.execute_async(script, vec![]).await.expect("words");
    all.as_str().expect("words").to_owned()
}

/// A service at the address that another one had.
fn start_again(database: &TestDatabase, url: &str) -> Service {
    let listen = url.trim_start_matches("http://").to_owned();
    Service::start_with(database, |settings| settings.listen = listen)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn offline_the_desk_is_shown_as_last_seen_and_signing_out_ends_that() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::PHONE, |browser| async move {
        let url = service.url.clone();
        let table = begin(&browser, &service).await;
        browser.goto(&url).await;
        until_kept(&browser, true).await;
        let stored = all_that_is_stored(&browser).await;
        assert!(stored.contains("/desk/offline") && stored.contains(GAME));
        assert!(!stored.contains("/t/") && !stored.contains("csrf"), "no table, no stamp: {stored}");
        drop(service);
        browser.goto(&url).await;
        let text = browser.text().await;
        assert!(text.starts_with("You are offline. This is your desk as of "), "{text}");
        let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
        assert!(days.iter().any(|day| text.contains(&format!("as of {day}"))), "{text}");
        assert!(text.contains("Your move") && text.contains(GAME), "{text}");
        assert_eq!(browser.count("main a[href^='/t/'], main form").await, 0);
        let (page, window) = browser.widths().await;
        assert!(page <= window, "it fits a phone");
        for path in [table.as_str(), "/me", "/chance"] {
            browser.goto(&format!("{url}{path}")).await;
            let text = browser.text().await;
            assert!(text.starts_with("You are offline") && !text.contains(GAME), "{path}: {text}");
            assert_eq!(browser.path().await, path);
        }
        let service = start_again(&database, &url);
        browser.goto(&format!("{url}/me")).await;
        browser.click("form[action='/sign-out'] button").await;
        until_kept(&browser, false).await;
        assert!(!all_that_is_stored(&browser).await.contains(GAME));
        drop(service);
        browser.goto(&url).await;
        let text = browser.text().await;
        assert!(text.starts_with("You are offline") && !text.contains("as of") && !text.contains(GAME), "{text}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_was_ended_elsewhere_ends_the_copy_with_the_next_page() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::DESKTOP, |browser| async move {
        begin(&browser, &service).await;
        browser.goto(&service.url).await;
        until_kept(&browser, true).await;
        execute(&database, "delete from session").await;
        browser.goto(&service.url).await;
        until_kept(&browser, false).await;
        crate::browser::assert_no_complaints(&browser).await;
    })
    .await;
}

/// What the browser's push service would say is made up: there is none in a test.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notices_are_turned_on_with_one_click_in_a_browser() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::PHONE, |browser| async move {
        begin(&browser, &service).await;
        browser.goto(&format!("{}/me/letters", service.url)).await;
        assert!(browser.find("form[data-key] button").await.is_displayed().await.expect("a button"));
        let script = "Notification.requestPermission = async () => 'granted';
            PushManager.prototype.subscribe = async (options) => ({ toJSON: () => ({
              endpoint: 'https://push.example.org/' + (options.applicationServerKey.length === 87),
              keys: { p256dh: options.applicationServerKey, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
            }) });";
        browser.client.execute(script, vec![]).await.expect("script");
        browser.click("form[data-key] button").await;
        let text = browser.text().await;
        assert!(text.contains("Notices are on for this device.") && text.contains("Turn off"), "{text}");
        let (page, window) = browser.widths().await;
        assert!(page <= window, "it fits a phone");
        let endpoint: String = sqlx::query_scalar("select endpoint from device")
            .fetch_one(&mut database.connection().await)
            .await
            .expect("a device");
        assert_eq!(endpoint, "https://push.example.org/true");
        browser.click("form[data-here] button").await;
        assert!(browser.text().await.contains("Notices are off there."));
        crate::browser::assert_no_complaints(&browser).await;
    })
    .await;
}

/// The titles of the notices that the browser shows.
async fn shown_notices(browser: &Browser) -> Vec<String> {
    let script = "const done = arguments[0];
        navigator.serviceWorker.ready.then((there) => there.getNotifications()).then((all) => done(all.map((one) => one.title)));";
    let titles = browser.client.execute_async(script, vec![]).await.expect("notices");
    titles.as_array().expect("a list").iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_notice_that_comes_is_shown_until_its_table_is_opened() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::DESKTOP, |browser| async move {
        let table = begin(&browser, &service).await;
        browser.goto(&service.url).await;
        until_kept(&browser, true).await;
        let allowed = json!({"origin": service.url, "permissions": ["notifications"]});
        browser.devtools("Browser.grantPermissions", allowed).await;
        let permission = browser.client.execute("return Notification.permission", vec![]).await.expect("a word");
        assert_eq!(permission, "granted");
        browser.devtools("ServiceWorker.enable", json!({})).await;
        let words = json!({"title": "Red Queen: your move", "body": "With Alice", "path": table}).to_string();
        // The only worker of this browser.
        let message = json!({"origin": service.url, "registrationId": "0", "data": words});
        let begun = Instant::now();
        // A worker that has only just begun may miss one; a second is the same notice.
        while shown_notices(&browser).await != ["Red Queen: your move"] {
            let shown = shown_notices(&browser).await;
            assert!(begun.elapsed() < Duration::from_secs(10), "{shown:?}, {:?}", browser.complaints().await);
            browser.devtools("ServiceWorker.deliverPushMessage", message.clone()).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        browser.goto(&format!("{}{table}", service.url)).await;
        while !shown_notices(&browser).await.is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the notice stays");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
}

#[actix_web::test]
async fn the_copy_of_the_desk_has_names_and_times_and_nothing_to_click() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let nobody = visitor.get("/desk/offline").await;
    assert_eq!((nobody.status.as_u16(), nobody.body.as_str()), (204, ""));
    let table = visitor.begin().await;
    let copy = visitor.get("/desk/offline").await;
    assert_eq!(copy.header("cache-control"), "no-store");
    assert!(copy.body.contains(GAME) && copy.body.contains("Your move"), "{}", copy.body);
    assert!(!copy.body.contains(&table) && !copy.body.contains("csrf") && !copy.body.contains("<form"));
    visitor.post("/sign-out", &[]).await.location();
    assert_eq!(visitor.get("/desk/offline").await.status, 204);
}

#[actix_web::test]
async fn the_worker_is_asked_for_anew_each_time_and_keeps_what_is_the_same_for_everybody() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor: Visitor = service.visitor();
    let worker = visitor.get("/service-worker.js").await;
    assert_eq!(worker.header("cache-control"), "no-cache");
    assert!(worker.header("content-type").starts_with("text/javascript"));
    assert!(worker.header("content-security-policy").contains("worker-src 'self'"));
    let list = worker.body.split("const assets = ").nth(1).unwrap().split(';').next().unwrap();
    let assets: Vec<String> = serde_json::from_str(list).expect("a list");
    assert!(assets.len() > 5);
    for asset in assets {
        assert_eq!(visitor.get(&asset).await.status, 200, "{asset}");
    }
    let before = visitor.look("/offline").await;
    visitor.begin().await;
    assert_eq!(visitor.look("/offline").await, before, "whoever looks");
}
