//! A mark in the middle of a chain is known to its player alone: until the bout is shown nothing changes for anybody else, anywhere.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use wonderpost::app::clock::Clock;
use wonderpost::tables::audit::rebuild::Comparison;
use wonderpost::tables::clock::pace::{Bank, Pace};
use wonderpost::tables::state::record::{By, TableFact};
use wonderpost::tables::state::table_state::TableState;
use wonderpost::tables::{Credentials, TableId, TableOptions, Tables};
use wonderpost_rules::{Seat, Viewer};

use super::routes::{Route, Walker};
use crate::harness::page::Page;
use crate::harness::red_queen::say;
use crate::harness::rehearsal::{Rehearsal, search};
use crate::harness::table::guest;
use crate::harness::{Service, TestDatabase, Visitor, letters};

const GAME: &str = "off-with-their-heads";
const ONE: Seat = Seat::new(1).unwrap();
const TWO: Seat = Seat::new(2).unwrap();
const THREE_DAYS: u32 = 3 * 24 * 3_600;

/// A first bout in which both get a biscuit.
struct Bout {
    /// What each plays, and the mark that brings the biscuit.
    cards: [String; 2],
    marks: [String; 2],
}

fn with_two_biscuits(rehearsal: Rehearsal) -> Option<Bout> {
    for first in rehearsal.position.legal_moves(ONE) {
        for second in rehearsal.position.legal_moves(TWO) {
            let mut bout = rehearsal.copy();
            bout.say(ONE, &first);
            bout.say(TWO, &second);
            let biscuit = |seat: Seat| {
                bout.position.legal_moves(seat).into_iter().find(|line| {
                    let mut marked = bout.copy();
                    marked.say(seat, line);
                    marked.position.prompt(seat) == Some("biscuit")
                })
            };
            if bout.position.awaiting().len() == 2
                && let (Some(one), Some(two)) = (biscuit(ONE), biscuit(TWO))
            {
                return Some(Bout { cards: [first, second], marks: [one, two] });
            }
        }
    }
    None
}

/// What somebody is answered everywhere: the addresses, and what came.
type Seen = BTreeMap<String, String>;

/// What an answer says, without what is new in every answer.
fn fixed(status: StatusCode, headers: &reqwest::header::HeaderMap, body: &str) -> String {
    let id = headers.get("x-request-id").and_then(|id| id.to_str().ok()).unwrap_or("no id").to_owned();
    let mut lines: Vec<String> = headers
        .iter()
        .filter(|(name, _)| !["date", "x-request-id"].contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {value:?}"))
        .collect();
    lines.sort_unstable();
    format!("{status}\n{}\n\n{}", lines.join("\n"), without_state_marks(&body.replace(&id, "the request")))
}

/// A text without the marks of states that forms carry: every one is another.
fn without_state_marks(text: &str) -> String {
    const LENGTH: usize = 32;
    let mut pieces = Vec::new();
    for piece in text.split_inclusive(|letter: char| !letter.is_ascii_hexdigit()) {
        let digits = piece.trim_end_matches(|letter: char| !letter.is_ascii_hexdigit());
        pieces.push(if digits.len() == LENGTH { &piece[LENGTH..] } else { piece });
    }
    pieces.concat()
}

/// Lists that name tables. The figures of the process are the host's.
const LISTS: [&str; 8] =
    ["/", "/next", "/me", "/archive", "/api/v1/archive", "/api/v1/tables", "/api/v1/me/tables", "/api/v1/me/next"];

fn is_telling(route: &Route) -> bool {
    route.only_looks() && (route.is_of_a_table() || LISTS.contains(&route.path))
}

/// All that a walker can look at.
async fn look_everywhere(walker: &Walker, table: &str, last: u32) -> Seen {
    let mut seen = Seen::new();
    for route in Route::all().filter(is_telling) {
        let answer = walker.ask(&route, table, last).await;
        seen.insert(route.path.to_owned(), fixed(answer.status, &answer.headers, &answer.body));
    }
    for number in 0..=last + 3 {
        for place in ["", "?as=1"] {
            for path in [format!("/t/{table}/at/{number}"), format!("/api/v1/tables/{table}/moves/{number}")] {
                let mut request = walker.visitor.request(Method::GET, &format!("{path}{place}"));
                if let Some(token) = walker.token.as_ref().filter(|_| path.starts_with("/api")) {
                    request = request.bearer_auth(token);
                }
                let answer = walker.visitor.send(request).await;
                seen.insert(format!("{path}{place}"), fixed(answer.status, &answer.headers, &answer.body));
            }
        }
    }
    seen
}

fn assert_same(before: &Seen, after: &Seen, who: &str) {
    for (path, text) in before {
        assert_eq!(after.get(path), Some(text), "{who} sees a difference at {path}");
    }
}

/// Somebody who follows a table live.
struct Listener(Response);

impl Listener {
    async fn new(visitor: &Visitor, table: &str) -> Listener {
        let request = visitor.request(Method::GET, &format!("/t/{table}/live"));
        let mut listener = Listener(request.send().await.expect("a stream"));
        listener.word().await;
        listener
    }

    /// What is told next, if anything is told in time. That the stream is still there says nothing.
    async fn hear(&mut self, time: Duration) -> Option<String> {
        let next = async {
            loop {
                let chunk = self.0.chunk().await.expect("a stream").expect("no end");
                let word = String::from_utf8_lossy(&chunk).into_owned();
                if !word.starts_with(':') {
                    return word;
                }
            }
        };
        tokio::time::timeout(time, next).await.ok()
    }

    /// The next mark.
    async fn word(&mut self) -> String {
        let word = self.hear(Duration::from_secs(10)).await.expect("told in time");
        word.strip_prefix("event: moved\ndata: ").and_then(|rest| rest.strip_suffix("\n\n")).expect("a mark").to_owned()
    }

    async fn is_silent(&mut self) -> bool {
        self.hear(Duration::from_millis(300)).await.is_none()
    }
}

fn mark(body: &str) -> String {
    Page(body).between("data-mark=\"", "\"")[0].to_owned()
}

async fn api(visitor: &Visitor, token: &str, method: Method, path: &str, body: Option<Value>) -> Value {
    let mut request = visitor.request(method, &format!("/api/v1{path}")).bearer_auth(token);
    if let Some(body) = body {
        request = request.header("content-type", "application/json").body(body.to_string());
    }
    let answer = visitor.send(request).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
    serde_json::from_str(&answer.body).expect("JSON")
}

/// What was said at a table, and whether it was to be concealed.
async fn said(tables: &Tables, id: TableId) -> Vec<(Seat, String, bool)> {
    let records = tables.records(id).await.expect("records");
    let said = records.iter().filter_map(|record| match serde_json::from_str(record.body.get()) {
        Ok(TableFact::Said { line, concealed, .. }) => Some((record.seat?, line, concealed)),
        _ => None,
    });
    said.collect()
}

#[actix_web::test]
async fn a_mark_in_the_middle_of_a_chain_changes_nothing_for_anybody_else() {
    let database = TestDatabase::new();
    let (here, there) = (Service::start(&database), Service::start(&database));
    let tables = database.tables();
    let (one, two) = (Visitor::from_afar(&here.url), Visitor::from_afar(&here.url));
    let (one_token, two_token) = (one.token().await, two.token().await);
    let wishes = json!({"game": GAME, "seats": 2, "seconds_a_move": THREE_DAYS});
    let table =
        api(&one, &one_token, Method::POST, "/tables", Some(wishes)).await["table"].as_str().unwrap().to_owned();
    let id: TableId = table.parse().unwrap();
    let sit = format!("/tables/{table}/sit");
    api(&one, &one_token, Method::POST, &sit, Some(json!({"cut": "tarts"}))).await;
    let (word, bout) = search(&tables, id, with_two_biscuits).await;
    api(&two, &two_token, Method::POST, &sit, Some(json!({"cut": word}))).await;
    let page = format!("/t/{table}");
    for (step, visitor) in [&one, &two].into_iter().enumerate() {
        assert_eq!(say(visitor, &page, step as u32, &bout.cards[step]).await, StatusCode::SEE_OTHER);
    }
    letters::settled(&database).await;

    let others = super::other_people(&database, &there).await;
    let first = Walker::new("the one who marks first", one.clone(), Some(one_token.clone())).await;
    let second = Walker::new("the other player", two.at(&there.url), Some(two_token.clone())).await;
    let watchers: Vec<&Walker> = others.iter().chain([&second]).collect();
    let mut before = Vec::new();
    for walker in &watchers {
        // What is new to them is told once.
        look_everywhere(walker, &table, 2).await;
        before.push(look_everywhere(walker, &table, 2).await);
    }
    let form = two.look(&page).await;
    assert_eq!(Page(&form).step(), 2);
    let mut quiet = [
        Listener::new(&two, &table).await,
        Listener::new(&second.visitor, &table).await,
        Listener::new(&others[1].visitor, &table).await,
    ];
    let mut own = Listener::new(&one.at(&there.url), &table).await;

    // A double click is one move.
    let clicks = futures_util::future::join_all([&one, &one].map(|one| say(one, &page, 2, &bout.marks[0])));
    assert_eq!(clicks.await, [StatusCode::SEE_OTHER; 2]);
    assert_eq!(said(&tables, id).await[2..], [(ONE, bout.marks[0].clone(), true)]);
    let mine = one.look(&page).await;
    assert_eq!(Page(&mine).step(), 3, "the player's own page goes on");
    assert!(mine.contains("You paint"), "{mine}");
    assert_eq!(own.word().await, mark(&mine), "and the player's other windows are told");
    assert_eq!(api(&one, &one_token, Method::GET, &format!("/tables/{table}"), None).await["moves"], 3);
    for (walker, before) in watchers.iter().zip(&before) {
        assert_same(before, &look_everywhere(walker, &table, 2).await, walker.name);
    }
    for listener in &mut quiet {
        assert!(listener.is_silent().await, "nobody else is told");
    }
    assert!(matches!(tables.rebuild(id, false).await.unwrap(), Comparison::Same));

    // Nor does it change anything that the mark is undone and made again; a double click is one undoing.
    let undo = async |one: &Visitor| {
        let stamp = one.stamp().await;
        one.insist(&format!("{page}/undo"), &[("step", "3")], &stamp).await.status
    };
    let clicks = futures_util::future::join_all([&one, &one].map(undo));
    assert_eq!(clicks.await, [StatusCode::SEE_OTHER; 2]);
    let undone = one.look(&page).await;
    assert_eq!(Page(&undone).step(), 4);
    own.word().await;
    for (walker, before) in watchers.iter().zip(&before) {
        assert_same(before, &look_everywhere(walker, &table, 2).await, walker.name);
    }
    assert_eq!(say(&one, &page, 4, &bout.marks[0]).await, StatusCode::SEE_OTHER);
    own.word().await;
    for (walker, before) in watchers.iter().zip(&before) {
        assert_same(before, &look_everywhere(walker, &table, 2).await, walker.name);
    }
    for listener in &mut quiet {
        assert!(listener.is_silent().await, "nobody else is told");
    }
    assert!(matches!(tables.rebuild(id, false).await.unwrap(), Comparison::Same));

    // The other's form was drawn before, and is as good as ever; and now the first is none the wiser.
    look_everywhere(&first, &table, 5).await;
    let mine = look_everywhere(&first, &table, 5).await;
    assert_eq!(say(&two.at(&there.url), &page, 2, &bout.marks[1]).await, StatusCode::SEE_OTHER);
    assert_eq!(Page(&two.look(&page).await).step(), 3);
    for (walker, before) in watchers.iter().zip(&before).take(others.len()) {
        assert_same(before, &look_everywhere(walker, &table, 2).await, walker.name);
    }
    assert_same(&mine, &look_everywhere(&first, &table, 5).await, first.name);
    assert!(own.is_silent().await);

    // That a chain is done everybody may know; not how long it was.
    assert_eq!(say(&two, &page, 3, "skip").await, StatusCode::SEE_OTHER);
    let seen = others[1].visitor.look(&page).await;
    assert_eq!(
        api(&others[1].visitor, others[1].token.as_ref().unwrap(), Method::GET, &format!("/tables/{table}"), None)
            .await["moves"],
        3
    );
    assert_eq!(quiet[2].word().await, mark(&seen));
    assert_eq!(others[1].visitor.get(&format!("{page}/at/4")).await.status, StatusCode::NOT_FOUND);
    let file = others[1].visitor.look(&format!("{page}/export.jsonl")).await;
    assert_eq!(file.lines().count(), 1 + 4, "the deal, two cards, and that one is done: {file}");

    // The last form was drawn before that. When it comes again all is shown, and it is still known.
    for _ in 0..2 {
        assert_eq!(say(&one, &page, 5, "skip").await, StatusCode::SEE_OTHER);
        assert_eq!(say(&one.at(&there.url), &page, 2, &bout.marks[0]).await, StatusCode::SEE_OTHER);
    }
    let said = said(&tables, id).await;
    let lines: Vec<&str> = said.iter().skip(2).map(|(_, line, _)| line.as_str()).collect();
    assert_eq!(lines, [&bout.marks[0], &bout.marks[0], &bout.marks[1], "skip", "skip"]);
    for walker in watchers.iter().chain([&&first]) {
        let shown =
            api(&walker.visitor, walker.token.as_ref().unwrap(), Method::GET, &format!("/tables/{table}"), None).await;
        assert_eq!(shown["moves"], 8, "{}", walker.name);
        assert!(shown["log"].to_string().contains(" paints "), "{}: {}", walker.name, shown["log"]);
        assert_eq!(walker.visitor.look(&format!("{page}/export.jsonl")).await.lines().count(), 1 + 9);
        walker.visitor.look(&format!("{page}/at/8")).await;
    }
    assert!(two.look(&page).await.contains(" paints "), "the other is told what happened meanwhile");
    assert!(!tables.check(id).await.unwrap().fails());
    assert!(matches!(tables.rebuild(id, false).await.unwrap(), Comparison::Same));
}

fn utc(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(text).unwrap().with_timezone(&Utc)
}

/// The lines of the log as somebody sees it.
async fn log(tables: &Tables, id: TableId, viewer: Viewer) -> Vec<String> {
    let kept = tables.load_fresh(id).await.unwrap();
    let view = tables.table_now(&kept, viewer).await.unwrap();
    view.log.iter().flat_map(|entry| entry.lines.clone()).collect()
}

/// Both have played their card, at noon, and time runs.
async fn begun_bout(tables: &Tables, pace: Pace) -> ([Credentials; 2], TableId, Bout) {
    let callers = [guest(&tables.store).await, guest(&tables.store).await];
    let wishes = TableOptions {
        game: tables.catalogue.find(GAME).unwrap(),
        seats: 2,
        options: json!({}),
        pace,
        private: false,
        by_lot: false,
        preset_answers: false,
        bots: Vec::new(),
    };
    let id = tables.open(&wishes, Some(callers[0].player)).await.unwrap();
    tables.sit(callers[0].player, id, "tarts").await.unwrap();
    let (word, bout) = search(tables, id, with_two_biscuits).await;
    tables.sit(callers[1].player, id, &word).await.unwrap();
    for (step, caller) in callers.iter().enumerate() {
        tables.submit_moves(caller, id, step as u32, &bout.cards[step]).await.unwrap();
    }
    (callers, id, bout)
}

#[tokio::test]
async fn a_chain_is_one_decision_for_the_clock() {
    let database = TestDatabase::new();
    let clock = Clock::by_hand(utc("2027-02-01T12:00:00Z"));
    let tables = Tables::new(database.store().with_clock(clock.clone()), wonderpost_games::catalogue(), Arc::default());
    let pace = Pace { bank: Some(Bank { start: 3_600, refill: 3_600, most: 86_400 }), ..Pace::default() };
    let (callers, id, bout) = begun_bout(&tables, pace).await;
    let now = async || tables.load_fresh(id).await.unwrap().now.clone();
    let deadline = Some(utc("2027-02-01T14:00:00Z"));
    assert_eq!(now().await.deadline_of(ONE), deadline, "an hour, and what the card brought");

    clock.advance(TimeDelta::minutes(20));
    tables.submit_moves(&callers[0], id, 2, &bout.marks[0]).await.unwrap();
    let then = now().await;
    assert_eq!((then.deadline_of(ONE), then.moved_at), (deadline, utc("2027-02-01T12:00:00Z")));
    assert_eq!(then.projection().moves, 2);
    // A snapshot knows what is concealed.
    let read = TableState::read(&tables.catalogue, &then.write()).unwrap();
    assert_eq!((&read.concealed, read.public_head), (&then.concealed, then.public_head));
    assert_eq!(then.numbering(Viewer::Public), read.numbering(Viewer::Public));
    // Something else happens at the table, which everybody sees.
    tables.agree_to_end(&callers[1], id, true).await.unwrap();
    assert_eq!(now().await.projection().moves, 2);
    let told = log(&tables, id, Viewer::Public).await;
    assert!(told.iter().any(|line| line.contains("would like to end the game")), "{told:?}");
    assert!(!told.iter().any(|line| line.contains("paint")), "{told:?}");

    // The other is done, and has time back for one decision.
    tables.submit_moves(&callers[1], id, 2, &format!("{}\nskip", bout.marks[1])).await.unwrap();
    assert_eq!(now().await.projection().moves, 3);

    // Time runs out: the rest of the chain is played at once, and that is one miss.
    clock.advance(TimeDelta::hours(2));
    while tables.process_due_tables().await.unwrap() > 0 {}
    let then = now().await;
    assert!(then.concealed.is_empty(), "the bout is shown");
    let misses = [ONE, TWO].map(|seat| then.clocks[seat.index()].misses);
    assert_eq!(misses, [1, 0]);
    let records = tables.records(id).await.unwrap();
    let by_clock = records
        .iter()
        .filter(|record| matches!(serde_json::from_str(record.body.get()), Ok(TableFact::Said { by: By::Clock, .. })));
    assert_eq!(by_clock.count(), 1, "the first had marked already");
    let told = log(&tables, id, Viewer::Public).await;
    assert_eq!(told.iter().filter(|line| line.starts_with("Time ran out")).count(), 1, "{told:?}");
    let left = then.deadline_of(TWO).unwrap() - clock.now();
    assert_eq!(left, TimeDelta::minutes(2 * 60 - 20 + 60), "two hours, less what the chain took, and an hour for it");
    assert!(!tables.check(id).await.unwrap().fails());
    assert!(matches!(tables.rebuild(id, false).await.unwrap(), Comparison::Same));
}
