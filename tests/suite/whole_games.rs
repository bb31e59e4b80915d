//! A whole game of each kind, played by clicking alone: whatever a good player would do has its control on the page.

use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde_json::{Value, json};
use wonderpost::tables::{TableId, Tables};
use wonderpost_rules::Level;

use crate::harness::browser::{Browser, Setup, browse};
use crate::harness::windows::ONE;
use crate::harness::{Service, TestDatabase};

/// Tickets that cost the same cards and lead to the same place, which are one control.
const TICKETS: [&str; 3] = ["boat", "hike", "horse"];

/// The lines that do what a line does.
fn alike(line: &str) -> Vec<String> {
    match line.split_once(' ') {
        Some((ticket, rest)) if TICKETS.contains(&ticket) => {
            TICKETS.iter().map(|ticket| format!("{ticket} {rest}")).collect()
        }
        _ => vec![line.to_owned()],
    }
}

/// Marks what says one of some moves, or what leads there: a link to a page on which it can be said, or to one with such a link.
const FIND: &str = "
    const [wanted, done] = arguments;
    const shown = (part) => part.checkVisibility({ visibilityProperty: true }) && part.getClientRects().length > 0;
    const links = (page) => [...page.querySelectorAll(`#board a[href*='begun=']`)];
    const folded = (part) => part.closest('details:not([open])');
    const buttons = (page) => [...page.querySelectorAll('#board button[name=say]')].filter((button) => !folded(button));
    const says = (page) => buttons(page).filter((button) => wanted.includes(button.value));
    const load = async (link) => new DOMParser().parseFromString(await (await fetch(link.getAttribute('href').split('#')[0])).text(), 'text/html');
    const mark = (part) => {
      part.setAttribute('data-wanted', '');
      part.scrollIntoView({ block: 'center', inline: 'center' });
      return true;
    };
    (async () => {
      const button = says(document).find(shown);
      if (button) return mark(button);
      const pages = [];
      for (const link of links(document).filter(shown)) {
        const page = await load(link);
        if (says(page).length > 0) return mark(link);
        pages.push([link, page]);
      }
      for (const [link, page] of pages) for (const next of links(page)) if (says(await load(next)).length > 0) return mark(link);
      return false;
    })().then(done, () => done(false));";

struct Plan {
    slug: &'static str,
    setup: Setup,
    /// What is chosen when the table is opened, so that the game is a short one.
    choices: &'static [&'static str],
}

async fn open(browser: &Browser, service: &Service, plan: &Plan) -> TableId {
    browser.goto(&format!("{}/games/{}", service.url, plan.slug)).await;
    let choose = "
        for (const choice of arguments[0]) {
          const part = document.querySelector(choice);
          if (part.tagName === 'OPTION') part.selected = true; else part.checked = true;
        }";
    browser.client.execute(choose, vec![json!(plan.choices)]).await.expect("script");
    browser.find("details.more > summary").await.click().await.expect("more choices");
    browser.find("#cut").await.send_keys("whole").await.expect("letters");
    let button = if browser.count("form[data-fits] p.actions button").await > 0 {
        "form[data-fits] p.actions button"
    } else {
        "form[action='/tables'] button.primary"
    };
    browser.click(button).await;
    browser.path().await.rsplit('/').next().and_then(|id| id.parse().ok()).expect("a table")
}

/// Waits until it is one's turn; false if the game is over.
async fn my_turn(browser: &Browser) -> bool {
    let begun = Instant::now();
    loop {
        if browser.count(".way-on").await > 0 {
            return false;
        }
        if browser.count(".table-head .state.red").await > 0 {
            return true;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "nobody moves: {}", browser.text().await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Makes a move by clicking, through as many choices as it takes.
async fn click_move(browser: &Browser, line: &str) {
    let mut failed = None;
    for _ in 0..10 {
        let found = browser.client.execute_async(FIND, vec![json!(alike(line))]).await.expect("script");
        assert_eq!(found, Value::Bool(true), "no click leads to {line}: {}", browser.text().await);
        let says = browser.count("button[data-wanted]").await > 0;
        // The table may be put up anew at any time, by what others do.
        if let Err(error) = browser.try_click("[data-wanted]").await {
            failed = Some(error);
            continue;
        }
        if browser.count("#confirm").await > 0 {
            browser.click("#confirm").await;
        }
        if says {
            return;
        }
    }
    panic!("too many clicks lead to {line}: {failed:?}");
}

async fn play_to_the_end(browser: &Browser, tables: &Tables, id: TableId) {
    let mut rng = SmallRng::seed_from_u64(1);
    while my_turn(browser).await {
        let cached = tables.load_fresh(id).await.expect("a table");
        let position = &cached.now.position;
        if position.result().is_some() || !position.awaiting().contains(ONE) {
            continue;
        }
        let moves = position.bot(Level::Decent, ONE, &mut rng);
        click_move(browser, moves.first().expect("a move").as_str()).await;
    }
}

async fn whole_game(plan: Plan) {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(plan.setup, |browser| async move {
        let id = open(&browser, &service, &plan).await;
        play_to_the_end(&browser, &database.tables(), id).await;
        let over = browser.read(".table-head .state").await;
        assert_eq!(over, "The game is over");
        if plan.slug != "we-are-not-amused" {
            let decided = browser.read(".ending .decided").await;
            assert!(decided.starts_with("What decided it:") && decided.ends_with("See it"), "{decided}");
            assert_eq!(browser.count(".ending #share").await, 1);
        }
        let complaints = browser.complaints().await;
        assert!(complaints.is_empty(), "{complaints:?}");
        drop(service);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_game_of_off_with_their_heads_is_played_by_clicking() {
    let choices = &["#seat-2 [value=easy]", "[name=option-rounds][value='1']"];
    whole_game(Plan { slug: "off-with-their-heads", setup: Setup::DESKTOP, choices }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_garden_of_we_are_not_amused_is_played_by_clicking() {
    whole_game(Plan {
        slug: "we-are-not-amused",
        setup: Setup::DESKTOP,
        choices: &["[name=option-shuffles][value='0']"],
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_game_of_red_queen_is_played_by_clicking() {
    whole_game(Plan { slug: "red-queen", setup: Setup::DESKTOP, choices: &["#seat-2 [value=easy]"] }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_game_of_munchkin_wonderland_is_played_by_clicking() {
    let choices = &["#seat-2 [value=easy]", "[name=option-short]"];
    whole_game(Plan { slug: "munchkin-wonderland", setup: Setup::DESKTOP, choices }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_game_of_messenger_rabbits_is_played_by_clicking() {
    let choices = &["#seat-2 [value=easy]", "[name=option-level][value=intro]"];
    whole_game(Plan { slug: "messenger-rabbits", setup: Setup::DESKTOP, choices }).await;
}
