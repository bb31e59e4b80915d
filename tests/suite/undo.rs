//! Undoing one's own moves, and taking moves back with everybody's consent: on the page, by the API and by reply.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use wonderpost::tables::audit::rebuild::Comparison;
use wonderpost::tables::state::record::TableFact;
use wonderpost::tables::{TableId, Tables};
use wonderpost_rules::{Scripted, Seat};

use crate::harness::mail_programs::Letter;
use crate::harness::page::Page;
use crate::harness::post_house::{ALICE, HATTER, PostHouse};
use crate::harness::red_queen::{say, two_at_a_table};
use crate::harness::visitor::Answer;
use crate::harness::{Service, TestDatabase, Visitor};

/// The first move on a page that begins so.
fn offered(body: &str, verb: &str) -> Option<String> {
    let page = Page(body);
    page.buttons().into_iter().chain(page.links()).find(|line| line.starts_with(verb))
}

/// A move of the first player that can be undone and leaves the turn with them.
async fn reversible_line(tables: &Tables, id: TableId) -> Option<String> {
    let cached = tables.load_fresh(id).await.expect("a table");
    let position = &cached.now.position;
    position.legal_moves(Seat::FIRST).into_iter().find(|line| {
        let decided = position.decide_line(Seat::FIRST, line, &mut Scripted::new([]));
        decided.is_ok_and(|decided| decided.reversible && decided.position.awaiting().contains(Seat::FIRST))
    })
}

/// A table of Red Queen at which the first player has such a move, and the move.
async fn may_place(database: &TestDatabase, service: &Service) -> (Visitor, Visitor, String, String) {
    let tables = database.tables();
    for _ in 0..20 {
        let (one, two, table) = two_at_a_table(service).await;
        if let Some(line) = reversible_line(&tables, id_of(&table)).await {
            return (one, two, table, line);
        }
    }
    panic!("nobody has a move that can be undone");
}

fn id_of(table: &str) -> TableId {
    table.trim_start_matches("/t/").parse().expect("a table")
}

async fn undo(visitor: &Visitor, table: &str, step: u32) -> Answer {
    let (step, stamp) = (step.to_string(), visitor.stamp().await);
    visitor.insist(&format!("{table}/undo"), &[("step", &*step)], &stamp).await
}

async fn take_back(visitor: &Visitor, table: &str, word: &str) -> Answer {
    let stamp = visitor.stamp().await;
    visitor.insist(&format!("{table}/take-back"), &[("word", word)], &stamp).await
}

async fn ask(visitor: &Visitor, token: &str, method: Method, path: &str, body: Option<Value>) -> Answer {
    let mut request = visitor.request(method, &format!("/api/v1{path}")).bearer_auth(token);
    if let Some(body) = body {
        request = request.header("content-type", "application/json").body(body.to_string());
    }
    visitor.send(request).await
}

async fn api(visitor: &Visitor, token: &str, method: Method, path: &str, body: Option<Value>) -> Value {
    let answer = ask(visitor, token, method, path, body).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.body);
    serde_json::from_str(&answer.body).unwrap_or_default()
}

async fn assert_sound(database: &TestDatabase, table: &str) {
    let id = id_of(table);
    let tables = database.tables();
    assert!(!tables.check(id).await.expect("a check").fails());
    assert!(matches!(tables.rebuild(id, false).await.expect("a table"), Comparison::Same));
}

/// How often anything was undone at a table.
async fn undone(database: &TestDatabase, table: &str) -> usize {
    let id = id_of(table);
    let records = database.tables().records(id).await.expect("records");
    let is_undone = |body: &str| matches!(serde_json::from_str(body), Ok(TableFact::Undone { .. }));
    records.iter().filter(|record| is_undone(record.body.get())).count()
}

#[actix_web::test]
async fn a_card_that_was_placed_is_taken_up_again() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table, place) = may_place(&database, &service).await;
    let fresh = one.look(&table).await;
    assert!(!fresh.contains(">Undo</button>"), "nothing was done yet");
    assert_eq!(say(&one, &table, 0, &place).await, StatusCode::SEE_OTHER);
    let page = one.look(&table).await;
    assert!(page.contains(">Undo</button>") && page.contains("Takes back: "), "{page}");
    assert!(!two.look(&table).await.contains(">Undo</button>"), "it is nobody else's to undo");
    // A double click, here and at another process, is one undoing.
    let elsewhere = Service::start(&database);
    let there = one.at(&elsewhere.url);
    let clicks = futures_util::future::join_all([&one, &one, &there].map(|one| undo(one, &table, 1))).await;
    for answer in &clicks {
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    }
    assert_eq!(undone(&database, &table).await, 1);
    let page = one.look(&table).await;
    assert!(page.contains("You take back a move.") && !page.contains(">Undo</button>"), "{page}");
    assert_eq!(Page(&page).step(), 2);
    assert_eq!(Page(&page).buttons(), Page(&fresh).buttons(), "all is as it was");
    assert!(two.look(&table).await.contains(" takes back a move."));
    // The history keeps what was undone.
    assert_ne!(Page(&one.look(&format!("{table}/at/1")).await).buttons(), Page(&page).buttons());
    assert_eq!(one.get(&format!("{table}/at/2")).await.status, StatusCode::OK);
    assert_eq!(say(&one, &table, 2, &place).await, StatusCode::SEE_OTHER);
    assert_sound(&database, &table).await;
}

#[actix_web::test]
async fn what_chance_or_hidden_cards_brought_up_stands() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, _, table) = two_at_a_table(&service).await;
    let refused = undo(&one, &table, 0).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.body.contains("There is nothing to undo"), "{}", refused.body);
    assert_eq!(say(&one, &table, 0, "draw").await, StatusCode::SEE_OTHER);
    let page = one.look(&table).await;
    assert!(!page.contains(">Undo</button>") && !page.contains("Take back my last"), "{page}");
    let refused = undo(&one, &table, 1).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.body.contains("There is nothing to undo"), "{}", refused.body);
    let refused = take_back(&one, &table, "ask").await;
    assert!(refused.body.contains("There is nothing to take back"), "{}", refused.body);
    assert_eq!(undone(&database, &table).await, 0);
}

#[actix_web::test]
async fn a_turn_that_has_passed_is_taken_back_if_the_others_agree() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    assert_eq!(say(&one, &table, 0, "end").await, StatusCode::SEE_OTHER);
    assert!(two.look(&table).await.contains("Your move"));
    let refused = undo(&one, &table, 1).await;
    assert!(refused.body.contains("Ask the others"), "{}", refused.body);
    assert!(one.look(&table).await.contains("Take back my last"));
    // Asked, refused, asked again, withdrawn, asked again, granted.
    for word in ["refuse", "withdraw"] {
        assert_eq!(take_back(&one, &table, "ask").await.status, StatusCode::SEE_OTHER);
        let page = one.look(&table).await;
        assert!(page.contains("You asked to take back your last move"), "{page}");
        let asked = two.look(&table).await;
        assert!(asked.contains("would like to take back the last move") && asked.contains("Yes, take it back"));
        let by = if word == "refuse" { &two } else { &one };
        assert_eq!(take_back(by, &table, word).await.status, StatusCode::SEE_OTHER);
        assert!(!two.look(&table).await.contains("Yes, take it back"));
    }
    assert!(take_back(&two, &table, "grant").await.body.contains("Nobody asks"));
    take_back(&one, &table, "ask").await;
    assert!(take_back(&one, &table, "grant").await.body.contains("for the others to say"));
    take_back(&two, &table, "grant").await;
    take_back(&two, &table, "grant").await;
    assert_eq!(undone(&database, &table).await, 1);
    let page = one.look(&table).await;
    assert!(page.contains("Your move") && page.contains("All agree: "), "{page}");
    assert!(!two.look(&table).await.contains("Your move"));
    assert_sound(&database, &table).await;
}

#[actix_web::test]
async fn programs_undo_and_take_back_as_pages_do() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table, place) = may_place(&database, &service).await;
    let (mine, theirs) = (one.token().await, two.token().await);
    let path = table.replace("/t/", "/tables/");
    let show = async |visitor: &Visitor, token: &str| api(visitor, token, Method::GET, &path, None).await;
    let before = show(&one, &mine).await;
    assert_eq!(before["take_back"], json!({"undo": null, "may_ask": false, "request": null}));
    api(&one, &mine, Method::POST, &format!("{path}/say"), Some(json!({"step": 0, "say": place}))).await;
    assert!(show(&one, &mine).await["take_back"]["undo"].is_string());
    assert!(show(&two, &theirs).await["take_back"]["undo"].is_null());
    for _ in 0..2 {
        let undone = api(&one, &mine, Method::POST, &format!("{path}/undo"), Some(json!({"step": 1}))).await;
        assert_eq!(undone, json!({"moves": 2}));
    }
    assert_eq!(undone(&database, &table).await, 1);
    let after = show(&one, &mine).await;
    assert_eq!((&after["view"], &after["text"]), (&before["view"], &before["text"]));
    // An old form does nothing.
    api(&one, &mine, Method::POST, &format!("{path}/say"), Some(json!({"step": 2, "say": place}))).await;
    let stale = ask(&one, &mine, Method::POST, &format!("{path}/undo"), Some(json!({"step": 0}))).await;
    assert_eq!(stale.status, StatusCode::CONFLICT, "{}", stale.body);
    api(&one, &mine, Method::POST, &format!("{path}/say"), Some(json!({"step": 3, "say": "end"}))).await;
    assert_eq!(show(&one, &mine).await["take_back"]["may_ask"], true);
    let word = |word: &str| Some(json!({"word": word}));
    api(&one, &mine, Method::POST, &format!("{path}/take-back"), word("ask")).await;
    assert_eq!(show(&two, &theirs).await["take_back"]["request"], json!({"seat": 1, "awaited": [2]}));
    api(&two, &theirs, Method::POST, &format!("{path}/take-back"), word("grant")).await;
    let after = show(&one, &mine).await;
    assert_eq!(after["view"]["awaiting"], json!([1]));
    assert!(after["take_back"]["undo"].is_string(), "what was placed can still be undone: {after}");
    assert_sound(&database, &table).await;
}

#[actix_web::test]
async fn a_bot_agrees_at_once() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let one = service.visitor();
    let table = crate::harness::red_queen::open(&one, &[("seat-2", "decent"), ("option-first", "1")]).await;
    crate::harness::red_queen::sit(&one, &table).await;
    let body = crate::harness::red_queen::until_my_turn(&one, &table).await;
    let step = Page(&body).step();
    assert!(offered(&body, "end").is_some());
    assert_eq!(say(&one, &table, step, "end").await, StatusCode::SEE_OTHER);
    let answer = take_back(&one, &table, "ask").await;
    // The bot may have drawn a card already.
    if answer.status == StatusCode::SEE_OTHER {
        assert!(one.look(&table).await.contains("All agree: "));
        assert_eq!(undone(&database, &table).await, 1);
    } else {
        assert!(answer.body.contains("There is nothing to take back"), "{}", answer.body);
    }
    assert_sound(&database, &table).await;
}

#[actix_web::test]
async fn a_reply_undoes_a_move_once_and_makes_another() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let Some(line) = reversible_line(&house.tables, table).await else { return };
    assert_eq!(house.reply(&letter, ALICE, "undo").await, "refused", "nothing was done yet");
    assert_eq!(house.reply(&letter, ALICE, &line).await, "done, and still to move");
    assert_eq!(house.reply(&letter, ALICE, &format!("{line}\nundo")).await, "refused", "undo comes first");
    let message = house.write(&letter, ALICE, "undo");
    for _ in 0..2 {
        assert_eq!(house.hand_in(&letter, &message).await, "done, and still to move");
    }
    assert_eq!(house.moves(table).await, 2, "a move, and that it was undone");
    // What is undone and what comes in its place may stand in one reply.
    let mut answers = Vec::new();
    for _ in 1..house.letters_to(ALICE).await {
        answers.push(house.letter_to(ALICE).await);
    }
    let is_done = |answer: &Letter| answer.text.contains("It is still your turn.");
    let mut made = None;
    // One of them was written before the move was undone, and is out of date.
    for answer in answers.into_iter().filter(is_done) {
        if house.reply(&answer, ALICE, &line).await == "done, and still to move" {
            made = Some(answer);
            break;
        }
    }
    let answer = made.expect("an answer to what was undone");
    assert_eq!(house.reply(&answer, ALICE, &format!("undo\n{line}")).await, "done, and still to move");
    assert_eq!(house.moves(table).await, 5);
    assert!(!house.tables.check(table).await.expect("a check").fails());
}

#[actix_web::test]
async fn a_letter_asks_the_others_and_a_reply_agrees() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    house.reply(&letter, ALICE, "end").await;
    let turn = house.letter_to(HATTER).await;
    assert!(turn.text.contains("It is your turn"), "{}", turn.text);
    assert_eq!(house.reply(&turn, HATTER, "yes").await, "unread: the first line is no move", "nobody has asked");
    assert_eq!(house.reply(&letter, ALICE, "take back").await, "done: 0 moves, 1 lines");
    let mut asked = house.letter_to(HATTER).await;
    while !asked.text.contains("would like to take back the last move") {
        asked = house.letter_to(HATTER).await;
    }
    assert!(asked.text.contains("“yes” or “no”"), "{}", asked.text);
    assert_eq!(house.reply(&asked, HATTER, "yes").await, "done: 0 moves, 1 lines");
    let cached = house.tables.load_fresh(table).await.expect("a table");
    assert!(cached.now.take_back.is_none() && cached.now.awaiting().contains(Seat::FIRST));
    assert_eq!(house.moves(table).await, 2);
    assert!(!house.tables.check(table).await.expect("a check").fails());
}
