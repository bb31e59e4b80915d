//! A whole visit in a real browser: signing in by letter, a table against a bot, a round of Red Queen, and leafing back.

use std::time::{Duration, Instant};

use wonderpost::tables::TableId;
use wonderpost_rules::seed::{Cut, Secret};
use wonderpost_rules::{Card, Viewer};

use crate::browser::{assert_fits, assert_no_complaints, brightness};
use crate::harness::browser::{Browser, Setup, browse};
use crate::harness::forwarder::Forwarder;
use crate::harness::program::Program;
use crate::harness::table::{SEAT, calm_word};
use crate::harness::{Service, TestDatabase, Visitor, red_queen};

/// Where a table stands, in a few words.
const STANDING: &str = ".table-head .state";

const KILLERS: [&str; 4] = ["JH", "QD", "BJ", "RJ"];

/// From the page of a game to an account and back, by the letter in the mailbox.
async fn sign_in(browser: &Browser, service: &Service, address: &str) {
    browser.goto(&format!("{}/games/red-queen", service.url)).await;
    browser.open_menu().await;
    browser.click(".site-nav a[href^='/sign-in']").await;
    assert_fits(browser, "signing in").await;
    browser.find("#email").await.send_keys(address).await.expect("letters");
    browser.click("main form button.primary").await;
    assert_eq!(browser.path().await, "/sign-in/code");
    // The letter comes a moment later.
    let begun = Instant::now();
    loop {
        browser.goto(&format!("{}/mailbox", service.url)).await;
        if browser.count(".letter-text").await > 0 {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "no letter comes");
    }
    assert_fits(browser, "the mailbox").await;
    browser.click(".letter-text a[href*='/sign-in/']").await;
    assert!(browser.read("main .lead").await.contains(address), "looking at the link signs nobody in");
    browser.click("main form button.primary").await;
    assert_eq!(browser.path().await, "/games/red-queen", "back to where one was");
    assert_eq!(browser.count(".site-nav a[href^='/sign-in']").await, 0, "there is nothing to sign in to any more");
}

/// A word to cut the deck with that deals a short round: the Red Queen holds one killer, and the fourth card of the pile is another.
/// She draws the first, her companion with two actions draws two at most, so the fourth is hers in her second turn.
async fn lucky_word(database: &TestDatabase, id: TableId) -> (String, [Card; 2]) {
    let tables = database.tables();
    let kept = tables.load_fresh(id).await.expect("a table");
    let secret = tables.store.secret_of_table(id).await.expect("an answer").expect("a secret");
    let secret = Secret::from_slice(&secret).expect("32 bytes");
    for number in 0..20_000 {
        let word = format!("word {number}");
        let mut open = kept.now.clone();
        open.cuts.insert(0, Cut { seat: SEAT, word: word.clone() });
        let dealt = open.position.set_up(&mut open.seed(&secret).chance(0)).expect("a deal");
        // Dealt in turn, the Red Queen first: four cards for each of two.
        let fact = dealt.facts.iter().rfind(|fact| fact.kind == "dealt").expect("a deal");
        let fact: serde_json::Value = serde_json::from_str(&fact.body).expect("JSON");
        let cards: Vec<&str> = fact["dealt"]["cards"].as_str().expect("cards").split(' ').collect();
        let is_strong = |card: &&str| KILLERS.contains(card) || card.starts_with('A');
        let hand: Vec<&str> = cards.iter().take(8).step_by(2).copied().collect();
        let is_short = hand.iter().filter(|card| KILLERS.contains(card)).count() == 1
            && hand.iter().filter(|card| is_strong(card)).count() == 1
            && cards[8..11].iter().all(|card| !is_strong(card))
            && KILLERS.contains(&cards[11]);
        if is_short && dealt.position.view(Viewer::Public)["table"]["round"] == 1 {
            let guards: Vec<Card> =
                hand.iter().filter(|card| !is_strong(card)).map(|card| card.parse().expect("a card")).collect();
            return (word, [guards[0], guards[1]]);
        }
    }
    panic!("no word is lucky");
}

/// Waits for the bot: with script the page tells by itself, without it is loaded again.
async fn until_my_turn(browser: &Browser, table: &str, script: bool) {
    let begun = Instant::now();
    while !browser.read(STANDING).await.starts_with("Your move") {
        assert!(begun.elapsed() < Duration::from_secs(20), "the bot does not move: {}", browser.text().await);
        tokio::time::sleep(Duration::from_millis(100)).await;
        if !script {
            browser.goto(table).await;
        }
    }
}

async fn play_a_round(browser: &Browser, service: &Service, database: &TestDatabase, script: bool) -> String {
    assert_fits(browser, "the game").await;
    for choice in [
        "#seat-2 option[value='easy']",
        "details.more > summary",
        "[type='checkbox'][name='sit']",
        "[name='option-first'][value='1']",
        "[name='option-muster'][value='two']",
    ] {
        browser.find(choice).await.click().await.expect("a choice");
    }
    let rounds = browser.find("#option-rounds").await;
    rounds.clear().await.expect("an empty field");
    rounds.send_keys("1").await.expect("a number");
    browser.click("section[aria-labelledby='open'] form button").await;
    let path = browser.path().await;
    let (word, guards) = lucky_word(database, path.trim_start_matches("/t/").parse().expect("a table")).await;
    browser.find("#cut").await.send_keys(&word).await.expect("letters");
    browser.click("main form button.primary").await;
    let table = format!("{}{path}", service.url);
    assert!(browser.read(STANDING).await.starts_with("Your move"));

    for (slot, card) in (1..).zip(guards) {
        browser.click(&format!(".rq-hand a[href*='card%20{card}#']")).await;
        browser.click(&format!(".rq-slots li:nth-child({slot}) button")).await;
        assert_eq!(browser.step().await, slot);
        assert_fits(browser, "the table").await;
    }
    browser.click("a[href*='begun=shuffle']").await;
    assert_fits(browser, "the orders").await;
    browser.click(".rq-orders button").await;
    browser.click(".rq-pile button").await;
    // The bot may have moved already.
    assert!(browser.step().await >= 4);
    for draws in 0.. {
        assert!(draws < 3, "the round is not over: {}", browser.text().await);
        until_my_turn(browser, &table, script).await;
        browser.click(".rq-pile button").await;
        if browser.read(STANDING).await == "The game is over" {
            break;
        }
    }
    assert!(browser.read(".log").await.contains("You win with 20 points"));
    assert!(browser.read(".seats .mine").await.contains("winner"));
    assert_fits(browser, "the end").await;
    table
}

/// To the deal and on again, move by move, and once more with all revealed.
async fn leaf_back(browser: &Browser, table: &str) {
    let last = browser.step().await;
    browser.click(".stepper a[rel='first']").await;
    assert_eq!(browser.step().await, 0);
    for number in 1..=3 {
        browser.click(".stepper a[rel='next']").await;
        assert_eq!(browser.step().await, number);
        assert_eq!(browser.count("[name=say]").await, 0, "nothing can be done in the past");
    }
    let changed = "main .notice";
    assert!(browser.read(changed).await.contains("You lay your coterie anew"), "as the seat knew it then");
    browser.find("#viewpoints > summary").await.click().await.expect("whose view");
    browser.click(".viewpoints a[href$='as=public']").await;
    assert!(!browser.read(changed).await.contains("You lay"), "the public knew less");
    browser.find("#viewpoints > summary").await.click().await.expect("whose view");
    browser.click(".viewpoints a[href$='as=all']").await;
    assert_eq!(browser.step().await, 3);
    assert_fits(browser, "all revealed").await;
    browser.click(".stepper a[rel='last']").await;
    assert_eq!(browser.step().await, last);
    browser.click(".table-head .rules-link").await;
    assert!(table.ends_with(&browser.path().await));
}

async fn visit(setup: Setup, address: &'static str) {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(setup, move |browser| async move {
        sign_in(&browser, &service, address).await;
        let table = play_a_round(&browser, &service, &database, setup.script).await;
        leaf_back(&browser, &table).await;
        let paper = brightness(&browser.style("body", "background-color").await);
        assert_eq!(paper < 128, setup.dark, "the paper is as the machine has it");
        // A player can wish for the other.
        browser.goto(&format!("{}/me", service.url)).await;
        let other = if setup.dark { "light" } else { "dark" };
        browser.find(&format!("input[name='theme'][value='{other}']")).await.click().await.expect("a choice");
        browser.click("form[action='/me/settings'] button").await;
        let other = brightness(&browser.style("body", "background-color").await);
        assert_eq!(other < 128, !setup.dark, "{other} after {paper}");
        assert_fits(&browser, "my page").await;
        assert_no_complaints(&browser).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newcomer_signs_in_and_plays_a_round_on_a_desktop_in_the_light() {
    visit(Setup::DESKTOP, "alice@example.org").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newcomer_signs_in_and_plays_a_round_on_a_phone_in_the_dark() {
    visit(Setup { dark: true, ..Setup::PHONE }, "dinah@example.org").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newcomer_signs_in_and_plays_a_round_without_script() {
    visit(Setup { script: false, ..Setup::PHONE }, "kitty@example.org").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_is_told_and_what_was_missed_is_caught_up_with() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let host = service.visitor();
    let table = red_queen::open(&host, &[("seat-2", "person"), ("option-first", "1")]).await;
    red_queen::sit(&host, &table).await;
    let word = calm_word(&database.tables(), table.trim_start_matches("/t/").parse().expect("a table")).await;
    browse(Setup::PHONE, move |browser| async move {
        browser.goto(&format!("{}{table}", service.url)).await;
        browser.find("#cut").await.send_keys(&word).await.expect("letters");
        browser.click("main form button.primary").await;
        assert!(browser.read(STANDING).await.ends_with("'s move"));
        let address = service.url.trim_start_matches("http://").to_owned();
        drop(service);
        let note = ".live-note:not([hidden])";
        assert!(browser.read(note).await.starts_with("The connection is lost"));
        let _service = Service::start_with(&database, |settings| settings.listen = address);
        assert_eq!(red_queen::say(&host, &table, 0, "end").await, 303);
        let begun = Instant::now();
        while !browser.read(STANDING).await.starts_with("Your move") || browser.count(note).await > 0 {
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not catch up: {}", browser.text().await);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await;
}

/// Keeps whatever the page says about its connection, from now on.
const LISTEN_TO_NOTE: &str = "const note = document.querySelector('.live-note');
    window.said = '';
    new MutationObserver(() => { window.said += note.textContent; })
        .observe(note, { childList: true, characterData: true, subtree: true });";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_takes_the_place_of_another_is_not_worth_a_word() {
    let database = TestDatabase::new();
    let database_url = database.url();
    let serve = || Program::serve_with(&std::env::temp_dir(), &["--database-url", &database_url]);
    let (mut old, new) = (serve(), serve());
    let door = Forwarder::start(&old.url).await;
    let host = Visitor::new(&door.url);
    let table = red_queen::open(&host, &[("seat-2", "person"), ("option-first", "1")]).await;
    red_queen::sit(&host, &table).await;
    let word = calm_word(&database.tables(), table.trim_start_matches("/t/").parse().expect("a table")).await;
    browse(Setup::PHONE, move |browser| async move {
        browser.goto(&format!("{}{table}", door.url)).await;
        browser.find("#cut").await.send_keys(&word).await.expect("letters");
        browser.click("main form button.primary").await;
        assert!(browser.read(STANDING).await.ends_with("'s move"));
        browser.client.execute(LISTEN_TO_NOTE, Vec::new()).await.expect("it listens");
        door.turn_to(&new.url);
        old.terminate();
        assert!(old.wait().success());
        assert_eq!(red_queen::say(&host, &table, 0, "end").await, 303);
        let begun = Instant::now();
        while !browser.read(STANDING).await.starts_with("Your move") {
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not catch up: {}", browser.text().await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let said = browser.client.execute("return window.said", Vec::new()).await.expect("what was said");
        assert_eq!(said, "");
    })
    .await;
}
