//! How far down a page what one came for begins: the board first, on a phone and on a desktop.

use serde_json::Value;

use crate::harness::browser::{Browser, Setup, browse};
use crate::harness::{Service, TestDatabase};

/// Where a table's page has what its player needs, in pixels from the top of the page at its opening.
struct Goal {
    slug: &'static str,
    /// The first control that makes a move, and where what one chooses from begins.
    phone: (u64, u64),
    desktop: (u64, u64),
}

const GOALS: [Goal; 5] = [
    Goal { slug: "messenger-rabbits", phone: (450, 600), desktop: (350, 500) },
    Goal { slug: "off-with-their-heads", phone: (450, 600), desktop: (450, 500) },
    Goal { slug: "red-queen", phone: (450, 600), desktop: (450, 600) },
    Goal { slug: "munchkin-wonderland", phone: (450, 600), desktop: (450, 500) },
    Goal { slug: "we-are-not-amused", phone: (450, 450), desktop: (250, 250) },
];

/// The height of a whole page.
const HIGHEST_ON_A_PHONE: u64 = 2_600;
const HIGHEST_ON_A_DESKTOP: u64 = 1_800;
const HIGHEST_HEADER: u64 = 48;

/// What stands in the sheet at the bottom edge is on the first screen, wherever the page has it.
const MEASURE: &str = "
    const shown = (part) => part.getClientRects().length > 0;
    const sheet = document.querySelector('.sheet');
    const sticks = getComputedStyle(sheet).position === 'sticky';
    const fits = sheet.getBoundingClientRect().bottom <= innerHeight + 1;
    const top = (part) => (sticks && fits && sheet.contains(part) ? 0 : Math.round(part.getBoundingClientRect().top + scrollY));
    const controls = [...document.querySelectorAll(`#board form[action*='/say'] button, #board a[href*='begun=']`)];
    const first = Math.min(...controls.filter(shown).map(top));
    const choices = [...document.querySelectorAll('.sheet .hand, .sheet .controls')].filter(shown);
    return {
      first, choices: Math.min(...choices.map(top)), height: document.documentElement.scrollHeight,
      header: Math.round(document.querySelector('.site-header').getBoundingClientRect().height),
    };";

/// From the page of a game to a table against a bot at which it is one's own turn.
pub async fn sit_down_against_a_bot(browser: &Browser, service: &Service, slug: &str) {
    browser.goto(&format!("{}/games/{slug}", service.url)).await;
    browser.click("form[action='/tables'] button.primary").await;
    if browser.count("#cut").await > 0 {
        browser.click("main form button.primary").await;
    }
    browser.find(".state.red").await;
}

async fn measured(browser: &Browser) -> impl Fn(&str) -> u64 {
    let measures = browser.client.execute(MEASURE, vec![]).await.expect("script");
    move |name: &str| match &measures[name] {
        Value::Number(number) => number.as_f64().expect("a number") as u64,
        other => panic!("{name} is {other}"),
    }
}

async fn board_first(setup: Setup, goal: impl Fn(&Goal) -> (u64, u64) + Send + Sync + 'static, highest: u64) {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(setup, move |browser| async move {
        let mut missed = Vec::new();
        for of in &GOALS {
            sit_down_against_a_bot(&browser, &service, of.slug).await;
            browser.picture(&format!("{}-{}", of.slug, if setup.width < 700 { "phone" } else { "desktop" })).await;
            let is = measured(&browser).await;
            let (first, choices) = goal(of);
            let mut check = |what: &str, most: u64| {
                if is(what) > most {
                    missed.push(format!("{}: {what} at {}, goal {most}", of.slug, is(what)));
                }
            };
            check("first", first);
            check("choices", choices);
            check("height", highest);
            if setup.width < 700 {
                check("header", HIGHEST_HEADER);
            }
        }
        assert!(missed.is_empty(), "{missed:#?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_phone_what_one_came_for_is_on_the_first_screen() {
    board_first(Setup::PHONE, |goal| goal.phone, HIGHEST_ON_A_PHONE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_desktop_what_one_came_for_is_on_the_first_screen() {
    board_first(Setup::DESKTOP, |goal| goal.desktop, HIGHEST_ON_A_DESKTOP).await;
}
