//! Devices with notices: turned on and off by their player, ended with the session, and nobody's way into our network.

use serde_json::Value;
use wonderpost::push::endpoint::Reach;

use crate::harness::letters::{execute, sign_in, until_none};
use crate::harness::push_service::{PushBrowser, PushService};
use crate::harness::visitor::Answer;
use crate::harness::{Service, TestDatabase, Visitor, red_queen};

const ALICE: &str = "alice@example.org";

async fn turn_on(visitor: &Visitor, browser: &PushBrowser) -> Answer {
    let form = browser.form();
    let fields: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
    visitor.post("/me/letters/devices", &fields).await
}

async fn count(database: &TestDatabase) -> i64 {
    sqlx::query_scalar("select count(*) from device").fetch_one(&mut database.connection().await).await.unwrap()
}

/// The address that turns the first listed device off.
fn way_off(page: &str) -> String {
    let action = page.split("action=\"/me/letters/devices/").nth(1).expect("a device is listed");
    format!("/me/letters/devices/{}", action.split('"').next().unwrap())
}

#[actix_web::test]
async fn notices_are_turned_on_and_off_with_one_click_each() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, elsewhere, stranger) = (service.visitor(), service.visitor(), service.visitor());
    sign_in(&database, &visitor, ALICE).await;
    sign_in(&database, &elsewhere, ALICE).await;
    stranger.begin().await;
    let page = visitor.look("/me/letters").await;
    assert!(page.contains("Notices on this device") && page.contains("data-key=\"B") && !page.contains("Turn off"));
    let browser = PushBrowser::at("https://push.example.org/alice");
    assert_eq!(turn_on(&visitor, &browser).await.location(), "/me/letters?done=notices-on#devices");
    // The same once more, as after a double click.
    turn_on(&visitor, &browser).await.location();
    assert_eq!(count(&database).await, 1);
    let page = visitor.look("/me/letters?done=notices-on").await;
    assert!(page.contains("Notices are on for this device.") && page.contains("Notices are on here, since"));
    assert!(!page.contains("push.example.org"), "where notices go is nobody's business");
    let page = elsewhere.look("/me/letters").await;
    assert!(page.contains("On other devices") && page.contains("data-key="));
    stranger.post(&way_off(&page), &[]).await.location();
    assert_eq!(count(&database).await, 1, "strangers turn nothing off");
    assert_eq!(elsewhere.post(&way_off(&page), &[]).await.location(), "/me/letters?done=notices-off#devices");
    assert_eq!(count(&database).await, 0);
}

#[actix_web::test]
async fn notices_end_with_the_session_and_with_the_account() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    for way in ["/sign-out", "/sign-out/everywhere", "/me/delete"] {
        let (visitor, elsewhere) = (service.visitor(), service.visitor());
        sign_in(&database, &visitor, ALICE).await;
        sign_in(&database, &elsewhere, ALICE).await;
        turn_on(&visitor, &PushBrowser::at("https://push.example.org/here")).await.location();
        turn_on(&elsewhere, &PushBrowser::at("https://push.example.org/there")).await.location();
        assert_eq!(count(&database).await, 2);
        let answer = visitor.post(way, &[("sure", "yes")]).await;
        assert_eq!(answer.location().split('?').next(), Some("/"));
        assert_eq!(answer.header("clear-site-data"), "\"storage\"");
        let left = i64::from(way == "/sign-out");
        assert_eq!(count(&database).await, left, "{way}");
        elsewhere.post("/sign-out", &[]).await;
    }
    // Whoever comes next at the same browser does not get what was meant for another.
    let visitor = service.visitor();
    sign_in(&database, &visitor, ALICE).await;
    turn_on(&visitor, &PushBrowser::at("https://push.example.org/shared")).await.location();
    sign_in_over(&database, &visitor, "hatter@example.org").await;
    assert_eq!(count(&database).await, 0);
}

/// Signs somebody in at a browser where somebody else is.
async fn sign_in_over(database: &TestDatabase, visitor: &Visitor, address: &str) {
    visitor.post("/sign-in", &[("email", address)]).await.location();
    let link = crate::harness::letters::newest(database, address).await.link();
    visitor.post(&link, &[]).await.location();
}

#[actix_web::test]
async fn a_guest_who_signs_in_keeps_their_notices() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (known, guest) = (service.visitor(), service.visitor());
    sign_in(&database, &known, ALICE).await;
    guest.begin().await;
    turn_on(&guest, &PushBrowser::at("https://push.example.org/guest")).await.location();
    sign_in(&database, &guest, ALICE).await;
    assert!(guest.look("/me/letters").await.contains("Notices are on here"));
    assert!(known.look("/me/letters").await.contains("On other devices"));
}

#[actix_web::test]
async fn addresses_in_private_networks_are_refused_and_so_is_an_eleventh_device() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    sign_in(&database, &visitor, ALICE).await;
    for place in ["10.0.0.1", "127.0.0.1", "[::1]", "169.254.169.254", "localhost", "192.168.0.1"] {
        for scheme in ["http", "https"] {
            let answer = turn_on(&visitor, &PushBrowser::at(&format!("{scheme}://{place}/push"))).await;
            assert_eq!(answer.status, 422, "{place}");
            assert!(answer.body.contains("did not say where its notices go"), "{}", answer.body);
        }
    }
    assert_eq!(turn_on(&visitor, &PushBrowser::at("http://push.example.org/a")).await.status, 422);
    assert_eq!(count(&database).await, 0);
    for number in 0..10 {
        let elsewhere = service.visitor();
        execute(&database, "update sign_in set used_at = now()").await;
        sign_in(&database, &elsewhere, ALICE).await;
        turn_on(&elsewhere, &PushBrowser::at(&format!("https://push.example.org/{number}"))).await.location();
    }
    let answer = turn_on(&visitor, &PushBrowser::at("https://push.example.org/eleven")).await;
    assert_eq!(answer.status, 422);
    assert!(answer.body.contains("You have notices on 10 devices already"));
    assert_eq!(count(&database).await, 10);
}

#[actix_web::test]
async fn devices_are_in_the_export_and_in_the_api() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    sign_in(&database, &visitor, ALICE).await;
    let browser = PushBrowser::at("https://push.example.org/alice");
    turn_on(&visitor, &browser).await.location();
    let export: Value = serde_json::from_str(&visitor.look("/me/export.json").await).unwrap();
    assert_eq!(export["devices"][0]["endpoint"], "https://push.example.org/alice");
    let form = browser.form();
    assert!(form[1..].iter().all(|(_, key)| !export.to_string().contains(key.as_str())));
    let token = visitor.token().await;
    let ask = |method: reqwest::Method, path: &str| visitor.request(method, path).bearer_auth(&token);
    let list = visitor.send(ask(reqwest::Method::GET, "/api/v1/me/devices")).await;
    let list: Value = serde_json::from_str(&list.body).unwrap();
    assert_eq!(list["devices"][0]["title"], "A browser");
    let path = format!("/api/v1/me/devices/{}", list["devices"][0]["id"].as_str().unwrap());
    assert_eq!(visitor.send(ask(reqwest::Method::DELETE, &path)).await.status, 204);
    assert_eq!(count(&database).await, 0);
}

#[actix_web::test]
async fn an_opponents_move_on_a_page_is_told_on_the_device() {
    let database = TestDatabase::new();
    let push = PushService::start([]).await;
    let service = Service::start_with(&database, |settings| settings.post.push_reach = Reach::Anywhere);
    let browser = PushBrowser::new(&push, "companion");
    let (queen, companion, table) = red_queen::two_at_a_table(&service).await;
    turn_on(&companion, &browser).await.location();
    for (step, line) in ["draw", "end"].iter().enumerate() {
        assert_eq!(red_queen::say(&queen, &table, step as u32, line).await, 303, "{line}");
    }
    for _ in 0..400 {
        if !push.received().is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    until_none(&database, "notice").await;
    let [notice] = &*push.received() else { panic!("{:?}", push.received()) };
    let words = browser.read(notice);
    assert_eq!((&words["title"], &words["path"]), (&"Red Queen: your move".into(), &table.clone().into()));
    assert!(companion.look("/me/letters").await.contains("Notices are on here"));
}
