//! Feeds and webhooks as their players set them up, and as readers and calendars read them.

use chrono::{DateTime, Days, Utc};
use reqwest::{Method, StatusCode};
use resvg::usvg::roxmltree::{Document, Node};
use serde_json::{Value, json};

use crate::harness::letters::{execute, sign_in};
use crate::harness::page::Page;
use crate::harness::push_service::PushService;
use crate::harness::visitor::Answer;
use crate::harness::{Service, TestDatabase, Visitor, red_queen};
use crate::store::days::a_day_ahead;

const ALICE: &str = "alice@example.org";
const ATOM: &str = "http://www.w3.org/2005/Atom";

/// The paths of the feeds that a page has just made: the calendar and the tables.
fn new_feeds(page: &Answer) -> [String; 2] {
    let addresses = page.page().between("<code class=\"digest\">", "</code>");
    let [deadlines, tables] = &*addresses else { panic!("two addresses: {}", page.body) };
    [deadlines, tables].map(|address| format!("/feeds/{}", address.split_once("/feeds/").expect("an address").1))
}

fn child<'a>(node: Node<'a, 'a>, name: &str) -> &'a str {
    let found = node.children().find(|child| child.has_tag_name((ATOM, name)));
    found.and_then(|found| found.text()).unwrap_or_else(|| panic!("no {name}"))
}

/// Reads a feed as strict readers do, and gives the ids, titles and summaries of its entries.
fn entries(text: &str) -> Vec<[String; 3]> {
    let document = Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let feed = document.root_element();
    assert!(feed.has_tag_name((ATOM, "feed")));
    let (id, updated) = (child(feed, "id"), child(feed, "updated"));
    assert!((id.contains("://") || id.starts_with("urn:uuid:")) && !child(feed, "title").is_empty(), "{text}");
    assert!(DateTime::parse_from_rfc3339(updated).is_ok(), "{updated}");
    let mut ids = Vec::new();
    let entries = feed.children().filter(|node| node.has_tag_name((ATOM, "entry")));
    let entries: Vec<[String; 3]> = entries
        .map(|entry| {
            assert!(DateTime::parse_from_rfc3339(child(entry, "updated")).is_ok());
            let link = entry.children().find(|node| node.has_tag_name((ATOM, "link"))).expect("a link");
            assert!(link.attribute("href").is_some_and(|href| href.starts_with("http")));
            ids.push(child(entry, "id").to_owned());
            ["id", "title", "summary"].map(|name| child(entry, name).to_owned())
        })
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), entries.len(), "each has an id of its own");
    entries
}

/// Reads a calendar as strict programs do, and gives its unfolded lines.
fn calendar(text: &str) -> Vec<String> {
    assert!(text.ends_with("END:VCALENDAR\r\n"));
    assert!(!text.replace("\r\n", "").contains(['\r', '\n']), "lines end with CRLF");
    assert!(text.split("\r\n").all(|line| line.len() <= 75), "long lines are folded");
    let lines: Vec<String> = text.replace("\r\n ", "").split_terminator("\r\n").map(str::to_owned).collect();
    for needed in ["BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:PUBLISH"] {
        assert!(lines.iter().any(|line| line == needed), "{needed}");
    }
    assert!(lines.iter().any(|line| line.starts_with("PRODID:")));
    lines
}

/// The value of a property of the first event.
fn value<'a>(lines: &'a [String], name: &str) -> Option<&'a str> {
    let event = lines.iter().skip_while(|line| *line != "BEGIN:VEVENT");
    event.into_iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
}

#[actix_web::test]
async fn a_player_reads_their_deadlines_and_tables_at_addresses_that_nobody_guesses() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (alice, companion, reader) = (service.visitor(), service.visitor(), service.visitor());
    sign_in(&database, &alice, ALICE).await;
    companion.begin().await;
    companion.post("/me/name", &[("name", "Tove & Raths")]).await.location();
    let table =
        red_queen::seat_two(&alice, &companion, &[("seat-2", "person"), ("option-first", "1"), ("pace", "move-86400")])
            .await;
    assert!(alice.look("/me/letters").await.contains("Make the addresses of my feeds"));
    let page = alice.post("/me/letters/feeds", &[]).await;
    assert_eq!(page.status, StatusCode::OK);
    let [deadlines, tables] = new_feeds(&page);
    assert!(!alice.look("/me/letters").await.contains("/feeds/mine/"), "they are shown once");

    let answer = reader.get(&deadlines).await;
    assert_eq!(answer.header("content-type"), "text/calendar; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "private, no-cache");
    let lines = calendar(&answer.body);
    assert_eq!(lines.iter().filter(|line| *line == "BEGIN:VEVENT").count(), 1, "the solitaire has no deadline");
    let id = table.trim_start_matches("/t/");
    assert_eq!(value(&lines, "UID"), Some(&*format!("deadline-{id}@wonderpost")));
    assert_eq!(value(&lines, "SUMMARY"), Some("Your move: Red Queen with Tove & Raths"));
    assert_eq!(value(&lines, "URL"), Some(&*format!("{}{table}", service.url)));
    let due = value(&lines, "DTSTART").expect("a time");
    let due = chrono::NaiveDateTime::parse_from_str(due, "%Y%m%dT%H%M%SZ").expect("a moment").and_utc();
    assert!((due - Utc::now()).num_hours() >= 23 && value(&lines, "DTSTAMP").is_some());
    let known = reader.request(Method::GET, &deadlines).header("if-none-match", answer.header("etag"));
    assert_eq!(reader.send(known).await.status, StatusCode::NOT_MODIFIED);

    let feed = reader.look(&tables).await;
    let [entry] = &*entries(&feed) else { panic!("{feed}") };
    assert_eq!(entry[1], "Your move: Red Queen with Tove & Raths");
    assert!(entry[2].starts_with("It is your move. Time runs out on "), "{entry:?}");
    for card in ["7H", "♥", "♠", "coterie", "hand"] {
        assert!(!feed.contains(card) && !answer.body.contains(card), "{card} is nobody's business");
    }

    for (step, line) in ["draw", "end"].iter().enumerate() {
        assert_eq!(red_queen::say(&alice, &table, step as u32, line).await, 303, "{line}");
    }
    assert!(value(&calendar(&reader.look(&deadlines).await), "UID").is_none(), "nobody waits for her");
    let [after] = &*entries(&reader.look(&tables).await) else { panic!("one table") };
    assert!(after[0] != entry[0] && after[2].starts_with("Tove & Raths to move."), "{after:?}");

    let [renewed, _] = new_feeds(&alice.post("/me/letters/feeds", &[]).await);
    for old in [&deadlines, &tables] {
        assert_eq!(reader.get(old).await.status, StatusCode::NOT_FOUND, "an old address leads nowhere");
    }
    reader.look(&renewed).await;
    assert_eq!(alice.post("/me/letters/feeds/remove", &[]).await.location(), "/me/letters?done=feeds-off#feeds");
    assert_eq!(reader.get(&renewed).await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn feeds_and_webhooks_end_with_the_account_and_feeds_with_all_sessions() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let reader = service.visitor();
    for way in ["/sign-out/everywhere", "/me/delete"] {
        let alice = service.visitor();
        sign_in(&database, &alice, ALICE).await;
        let [deadlines, _] = new_feeds(&alice.post("/me/letters/feeds", &[]).await);
        let form = [("form", "json"), ("url", "https://hook.example.invalid/a")];
        assert_eq!(alice.post("/me/letters/webhooks", &form).await.status, StatusCode::OK);
        reader.look(&deadlines).await;
        alice.post(way, &[("sure", "yes")]).await.location();
        assert_eq!(reader.get(&deadlines).await.status, StatusCode::NOT_FOUND, "{way}");
    }
    for table in ["webhook", "feed_token", "notice"] {
        assert_eq!(execute(&database, &format!("delete from {table}")).await, 0, "{table}");
    }
}

#[actix_web::test]
async fn finished_games_are_told_to_everybody_and_private_ones_to_nobody() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, reader) = (service.visitor(), service.visitor(), service.visitor());
    assert!(entries(&reader.look("/feeds/finished.atom").await).is_empty());
    let public = red_queen::seat_two(&one, &two, &[("seat-2", "person"), ("option-first", "1")]).await;
    let private = private_table(&one, &two).await;
    let running = red_queen::seat_two(&one, &two, &[("seat-2", "person"), ("option-first", "1")]).await;
    for table in [&public, &private] {
        two.post(&format!("{table}/resign"), &[]).await.location();
    }
    let answer = reader.get("/feeds/finished.atom").await;
    assert_eq!(answer.header("content-type"), "application/atom+xml; charset=utf-8");
    let told = entries(&answer.body);
    assert!(told.iter().any(|entry| entry[1].starts_with("Red Queen: ")), "{told:?}");
    assert!(answer.body.contains(&public), "{}", answer.body);
    for hidden in [&private, &running] {
        assert!(!answer.body.contains(hidden.as_str()), "{hidden}");
        assert!(!answer.body.contains(&uuid::Uuid::parse_str(&hidden[3..]).unwrap().hyphenated().to_string()));
    }
    let page = reader.look("/archive").await;
    assert!(page.contains("type=\"application/atom+xml\"") && page.contains("/archive.atom"));
    let found = reader.look("/archive.atom").await;
    assert!(found.contains(&public) && !found.contains(&private) && !found.contains(&running), "{found}");
}

/// A private table for two, to which the second is invited.
async fn private_table(one: &Visitor, two: &Visitor) -> String {
    let table = red_queen::open(one, &[("seat-2", "person"), ("private", "yes"), ("option-first", "1")]).await;
    red_queen::sit(one, &table).await;
    let body = one.look(&table).await;
    let link = Page(&body).between("/i/", "\"")[0].to_owned();
    two.post(&format!("/i/{link}"), &[("cut", "jam")]).await.location();
    table
}

#[actix_web::test]
async fn the_results_of_former_gardens_are_told_and_those_of_today_are_not() {
    a_day_ahead().await;
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (player, reader) = (service.visitor(), service.visitor());
    let table = player.post("/daily", &[]).await.location();
    player.end(&table).await;
    assert!(entries(&reader.look("/feeds/gardens.atom").await).is_empty(), "today is not over");
    let yesterday = Utc::now().date_naive().checked_sub_days(Days::new(1)).unwrap();
    database.tamper(&format!("insert into garden_of_the_day (day, secret) values ('{yesterday}', sha256('x'))")).await;
    let [entry] = &*entries(&reader.look("/feeds/gardens.atom").await) else { panic!("one day") };
    assert!(
        entry[0].ends_with(&format!("/daily/{yesterday}")) && entry[2] == "Nobody played it to the end.",
        "{entry:?}"
    );
    // As if it had been yesterday.
    execute(&database, &format!("update game_table set day = '{yesterday}' where day is not null")).await;
    let [entry] = &*entries(&reader.look("/feeds/gardens.atom").await) else { panic!("one day") };
    assert!(entry[2].starts_with("One player played it to the end: 0 of 12 roses"), "{entry:?}");
}

#[actix_web::test]
async fn a_webhook_is_set_up_on_the_page_and_an_opponents_move_comes_there() {
    let database = TestDatabase::new();
    let receiver = PushService::start([]).await;
    let service = Service::start_with(&database, |settings| settings.post.allow_local_webhooks = true);
    let (queen, companion, table) = red_queen::two_at_a_table(&service).await;
    let url = format!("{}/room", receiver.url);
    let page = companion.post("/me/letters/webhooks", &[("form", "slack"), ("url", &url)]).await;
    assert!(page.status == StatusCode::OK && page.body.contains("whsec_"), "{}", page.body);
    let page = companion.look("/me/letters").await;
    assert!(
        !page.contains("whsec_") && !page.contains("/room"),
        "neither the secret nor the whole address is shown again"
    );
    assert!(page.contains("All my tables") && page.contains(&receiver.url));
    for (step, line) in ["draw", "end"].iter().enumerate() {
        assert_eq!(red_queen::say(&queen, &table, step as u32, line).await, 303, "{line}");
    }
    for _ in 0..400 {
        if receiver.received().len() >= 2 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    let received = receiver.received();
    let told: Vec<Value> = received.iter().map(|message| serde_json::from_slice(&message.body).unwrap()).collect();
    let told: Vec<&str> = told.iter().filter_map(|body| body["text"].as_str()).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().any(|words| words.starts_with("Wonderpost: this address works")), "{told:?}");
    let of_turn = |words: &&str| words.starts_with("Red Queen: your move (") && words.ends_with(&table);
    assert!(told.iter().any(of_turn), "{told:?}");

    let page = companion.post(&format!("{table}/webhook"), &[("form", "matrix"), ("url", &url)]).await;
    assert!(page.status == StatusCode::OK && page.body.contains("whsec_"));
    let page = companion.look(&format!("{table}/letters")).await;
    let removal = Page(&page).between("action=\"/me/letters/webhooks/", "\"")[0].to_owned();
    let removal = format!("/me/letters/webhooks/{removal}");
    queen.post(&removal, &[]).await.location();
    assert!(companion.look(&format!("{table}/letters")).await.contains(&removal), "nobody else removes it");
    companion.post(&removal, &[]).await.location();
    assert!(!companion.look(&format!("{table}/letters")).await.contains(&removal));
}

#[actix_web::test]
async fn webhooks_into_private_networks_are_refused_and_so_are_forms_that_are_none() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let alice = service.visitor();
    sign_in(&database, &alice, ALICE).await;
    let token = alice.token().await;
    let bad = [
        "https://10.0.0.1/a",
        "https://127.0.0.1/a",
        "https://[::1]/a",
        "https://169.254.169.254/latest",
        "https://localhost/a",
        "https://0x7f000001/a",
        "https://intranet/a",
        "http://hook.example.org/a",
        "https://hook.example.org:8443/a",
        "https://alice:secret@hook.example.org/a",
        "file:///etc/passwd",
        "gopher://hook.example.org/",
        "",
    ];
    for url in bad {
        let answer = alice.post("/me/letters/webhooks", &[("form", "json"), ("url", url)]).await;
        assert_eq!(answer.status, 422, "{url}");
        assert!(answer.body.contains("A webhook is an https address on the Internet"), "{}", answer.body);
        let request = alice.request(Method::PUT, "/api/v1/me/webhooks").bearer_auth(&token);
        let body = json!({"form": "json", "url": url}).to_string();
        assert_eq!(
            alice.send(request.header("content-type", "application/json").body(body)).await.status,
            422,
            "{url}"
        );
    }
    let answer = alice.post("/me/letters/webhooks", &[("form", "teams"), ("url", "https://hook.example.org/a")]).await;
    assert_eq!(answer.status, 422);
    assert_eq!(execute(&database, "delete from webhook").await, 0);
}

#[actix_web::test]
async fn feeds_and_webhooks_are_in_the_export_and_in_the_api() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (alice, other, table) = red_queen::two_at_a_table(&service).await;
    let (token, stranger) = (alice.token().await, other.token().await);
    let ask = async |token: &str, method: Method, path: &str, body: Option<Value>| -> (u16, Value) {
        let mut request = alice.request(method, &format!("/api/v1{path}")).bearer_auth(token);
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let answer = alice.send(request).await;
        (answer.status.as_u16(), serde_json::from_str(&answer.body).unwrap_or_default())
    };
    assert_eq!(ask(&token, Method::GET, "/me/feeds", None).await, (200, json!({"since": null})));
    let (_, feeds) = ask(&token, Method::POST, "/me/feeds", Some(json!({}))).await;
    let path = feeds["deadlines"].as_str().unwrap().strip_prefix(&service.url).unwrap();
    calendar(&alice.look(path).await);
    let hook = json!({"form": "discord", "url": "https://hook.example.invalid/a?key=jam"});
    let (status, made) = ask(&token, Method::PUT, "/me/webhooks", Some(hook.clone())).await;
    assert!(status == 200 && made["secret"].as_str().unwrap().starts_with("whsec_"), "{made}");
    let (status, _) = ask(&token, Method::PUT, &format!("/tables/{}/webhook", &table[3..]), Some(hook)).await;
    assert_eq!(status, 200);
    let (_, list) = ask(&token, Method::GET, "/me/webhooks", None).await;
    assert_eq!((&list["webhooks"][0]["table"], &list["webhooks"][0]["form"]), (&Value::Null, &json!("discord")));
    assert_eq!(list["webhooks"][1]["table"], table[3..]);
    let export: Value = serde_json::from_str(&alice.look("/me/export.json").await).unwrap();
    assert_eq!(export["webhooks"][0]["url"], "https://hook.example.invalid/a?key=jam");
    assert!(export["feeds_since"].is_string() && !export.to_string().contains("whsec_"));
    let id = list["webhooks"][0]["id"].as_str().unwrap();
    assert_eq!(ask(&stranger, Method::DELETE, &format!("/me/webhooks/{id}"), None).await.0, 204);
    let (_, list) = ask(&token, Method::GET, "/me/webhooks", None).await;
    assert_eq!(list["webhooks"].as_array().unwrap().len(), 2, "strangers remove nothing");
    assert_eq!(ask(&token, Method::POST, &format!("/me/webhooks/{id}/try-again"), Some(json!({}))).await.0, 204);
    assert_eq!(ask(&token, Method::DELETE, &format!("/me/webhooks/{id}"), None).await.0, 204);
    assert_eq!(ask(&token, Method::DELETE, "/me/feeds", None).await.0, 204);
    assert_eq!(alice.get(path).await.status, StatusCode::NOT_FOUND);
}
