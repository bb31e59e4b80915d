//! What only a browser shows: clicking through a game, on screens large and small, light and dark, with script and without.

use std::time::{Duration, Instant};

use fantoccini::key::Key;

use crate::harness::browser::{Browser, Setup, browse};
use crate::harness::{Service, TestDatabase};

/// From the front page to a table that is dealt, by clicking.
async fn begin(browser: &Browser, service: &Service) {
    browser.goto(&format!("{}/games/we-are-not-amused", service.url)).await;
    browser.find("details.more > summary").await.click().await.expect("more choices");
    browser.find("#cut").await.send_keys("looking-glass").await.expect("letters");
    browser.click("form[action='/tables'] button.primary").await;
    assert!(browser.text().await.contains("Your move"));
    assert_eq!(browser.step().await, 0);
}

/// Makes a move by clicking: on the board where there is something to click on, else on a button. Says whether it was the board.
async fn click_on(browser: &Browser) -> bool {
    let (target, picked) = ("button.target", "a.target");
    let before = browser.step().await;
    let on_the_board = browser.count(target).await + browser.count(picked).await > 0;
    if browser.count(target).await > 0 {
        browser.click(target).await;
    } else if on_the_board {
        // Somebody has to be chosen.
        browser.click(picked).await;
        browser.click(target).await;
    } else {
        // Leaves the card, or shuffles where nothing can be played.
        browser.click(".choice button").await;
    }
    // The table may also have been put up anew because of the move before, so what comes of this one is waited for.
    let begun = Instant::now();
    while browser.step().await == before {
        // What is grave is asked about.
        if browser.count("#confirm").await > 0 {
            browser.click("#confirm").await;
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "no move is made: {}", browser.text().await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    on_the_board
}

pub async fn assert_fits(browser: &Browser, what: &str) {
    let (page, window) = browser.widths().await;
    assert!(page <= window, "{what} is {page} wide in a window of {window}");
}

pub async fn assert_no_complaints(browser: &Browser) {
    let complaints = browser.complaints().await;
    assert!(complaints.is_empty(), "{complaints:?}");
}

/// The garden in words, as the page holds it.
async fn garden(browser: &Browser) -> String {
    browser.markup(".garden-words tbody").await
}

/// Plays some moves and looks at all kinds of pages on the way.
async fn play_and_look_around(browser: &Browser, service: &Service, name: &str) {
    begin(browser, service).await;
    browser.picture(&format!("table-{name}")).await;
    let table = browser.path().await;
    let mut on_the_board = 0;
    for number in 1..=6 {
        on_the_board += u32::from(click_on(browser).await);
        assert_eq!(browser.step().await, number, "{}", browser.text().await);
        assert_fits(browser, "the table").await;
    }
    assert!(on_the_board > 0, "cards of the garden were clicked");
    browser.picture(&format!("game-{name}")).await;
    for page in ["/", "/daily", "/chance", "/nothing", &format!("{table}/at/3"), &format!("{table}/check")] {
        browser.goto(&format!("{}{page}", service.url)).await;
        assert_fits(browser, page).await;
    }
    browser.goto(&format!("{}{table}/at/3", service.url)).await;
    browser.picture(&format!("history-{name}")).await;
    browser.goto(&service.url).await;
    browser.picture(&format!("front-{name}")).await;
    assert!(browser.text().await.contains("Your move"));
    let complaints = browser.complaints().await;
    let others: Vec<_> = complaints.iter().filter(|line| !line.contains("/nothing")).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_played_by_clicking_and_leafed_through_with_the_arrow_keys() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::DESKTOP, |browser| async move {
        begin(&browser, &service).await;
        let table = browser.path().await;
        let mut gardens = vec![garden(&browser).await];
        for _ in 0..5 {
            click_on(&browser).await;
            gardens.push(garden(&browser).await);
        }
        // Back to the first step and on again.
        for number in (0..5).rev() {
            browser.press(Key::Left).await;
            assert_eq!(browser.path().await, format!("{table}/at/{number}"));
            assert_eq!(garden(&browser).await, gardens[number], "step {number}");
            assert_eq!(browser.count("[name=say]").await, 0, "nothing can be done in the past");
        }
        for (number, then) in gardens.iter().enumerate().skip(1) {
            browser.press(Key::Right).await;
            assert_eq!(browser.path().await, format!("{table}/at/{number}"));
            assert_eq!(garden(&browser).await, *then, "step {number}");
        }
        browser.press(Key::Home).await;
        assert_eq!(browser.path().await, format!("{table}/at/0"));
        browser.press(Key::End).await;
        assert_eq!(browser.path().await, format!("{table}/at/5"));
        // Played like a film, from the beginning to the end.
        for _ in 0..2 {
            browser.find(".replay button:last-child").await.click().await.expect("faster");
        }
        assert_eq!(browser.read(".replay output").await, "4×");
        browser.find(".replay .play").await.click().await.expect("it plays");
        let is_at_the_end =
            async || browser.read(".replay .play").await.contains("Play") && browser.path().await.ends_with("/at/5");
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..200 {
            seen.insert(browser.path().await);
            if seen.len() > 1 && is_at_the_end().await {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert!(is_at_the_end().await && seen.len() >= 4, "{seen:?}");
        assert_eq!(garden(&browser).await, gardens[5]);
        browser.click(".table-head .rules-link").await;
        assert_eq!(browser.path().await, table);
        assert_eq!(browser.step().await, 5);
        assert_no_complaints(&browser).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shuffle_and_the_end_are_asked_about_first() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::DESKTOP, |browser| async move {
        begin(&browser, &service).await;
        let button = |line: &str| format!(".choice button[value='{line}']");
        let mut step = 0;
        while browser.count(&button("shuffle")).await == 0 {
            click_on(&browser).await;
            step += 1;
        }
        browser.click(&button("shuffle")).await;
        let question = browser.read("#question").await;
        assert!(question.starts_with("Shuffle") && question.contains("last shuffle"), "{question}");
        assert_eq!(browser.count(".target").await, 0, "one thing at a time");
        browser.click(".question a.button").await;
        assert_eq!(browser.step().await, step, "no is no");
        browser.click(&button("shuffle")).await;
        browser.click("#confirm").await;
        assert_eq!(browser.step().await, step + 1);
        let left = browser.read("dl.facts").await;
        assert!(left.contains("Shuffles left\n0"), "{left}");
        while browser.count(&button("end")).await == 0 {
            click_on(&browser).await;
        }
        browser.click(&button("end")).await;
        browser.click("#confirm").await;
        assert!(browser.text().await.contains("You stopped here."));
        browser.picture("over").await;
        let table = browser.path().await;
        browser.goto(&format!("{}{table}/check", service.url)).await;
        assert!(browser.text().await.contains("everything checks out"));
        assert_no_complaints(&browser).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_script_times_are_the_readers_own_and_a_form_is_sent_once() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::DESKTOP, |browser| async move {
        begin(&browser, &service).await;
        let time = browser.find("time[datetime]").await;
        assert!(time.attr("title").await.expect("an attribute").is_some_and(|title| title.ends_with("UTC")));
        assert!(!time.text().await.expect("text").contains("UTC"));
        // Two clicks before the answer comes are one move.
        let script = "const button = document.querySelector('button.target, .choice button');
                      button.click(); button.click(); button.click();";
        browser.client.execute(script, vec![]).await.expect("script");
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(browser.step().await, 1);
        assert_no_complaints(&browser).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_of_it_fits_a_desktop_in_the_light() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::DESKTOP, |browser| async move { play_and_look_around(&browser, &service, "desktop").await }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_of_it_fits_a_phone_in_the_dark() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup { dark: true, ..Setup::PHONE }, |browser| async move {
        play_and_look_around(&browser, &service, "phone-dark").await;
        let (ink, paper) = (browser.style("body", "color").await, browser.style("body", "background-color").await);
        assert!(brightness(&ink) > brightness(&paper) + 100, "{ink} on {paper}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_of_it_fits_a_phone_without_script() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup { script: false, ..Setup::PHONE }, |browser| async move {
        play_and_look_around(&browser, &service, "phone").await;
        let (ink, paper) = (browser.style("body", "color").await, browser.style("body", "background-color").await);
        assert!(brightness(&paper) > brightness(&ink) + 100, "{ink} on {paper}");
        browser.goto(&format!("{}/me", service.url)).await;
        let time = browser.find("time[datetime]").await;
        assert!(time.text().await.expect("text").ends_with("UTC"), "there is no script to change it");
    })
    .await;
}

/// From `rgb(1, 2, 3)`.
pub fn brightness(colour: &str) -> u32 {
    let numbers = colour.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse::<u32>().ok());
    numbers.take(3).sum::<u32>() / 3
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_against_a_bot_is_played_by_clicking_and_moves_by_itself() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::PHONE, |browser| async move {
        browser.goto(&format!("{}/games/red-queen", service.url)).await;
        browser.click("section[aria-labelledby='at-once'] button").await;
        let table = browser.path().await;
        // The bot moves in its own time, and the page tells without being asked.
        for _ in 0..100 {
            if browser.text().await.contains("Your move") {
                break;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        assert!(browser.text().await.contains("Your move"), "{}", browser.text().await);
        // Ending a turn early is asked about, on the spot.
        browser.click("#board button[value=end]").await;
        assert!(browser.text().await.contains("Cancel"), "{}", browser.text().await);
        assert_eq!(browser.path().await, table);
        assert_fits(&browser, "the question").await;
        browser.click(".question button.primary").await;
        assert_eq!(browser.path().await, table);
        assert_fits(&browser, "the table").await;
        browser.picture("red-queen-phone").await;
        assert_no_complaints(&browser).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn options_that_do_not_go_together_are_told_while_choosing() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::PHONE, |browser| async move {
        browser.goto(&format!("{}/games/messenger-rabbits", service.url)).await;
        assert_fits(&browser, "the form").await;
        let press =
            async |css: &str| browser.find(css).await.click().await.unwrap_or_else(|error| panic!("{css}: {error}"));
        press("details.more > summary").await;
        press("a[href*='first-game']").await;
        assert_eq!(browser.count("[value=intro]:checked").await, 1);
        assert_eq!(browser.count("details.options[open]").await, 0);
        press("details.options summary").await;
        press("[name=option-special_flights]").await;
        let told = browser.read("#fits:not([hidden])").await;
        assert!(told.starts_with("The introduction knows no trades"), "{told}");
        assert_fits(&browser, "the sentence").await;
        browser.picture("options-phone").await;
        press("a[href*='everything']").await;
        browser.find("#fits[hidden]").await;
        assert_eq!(browser.count("[name=option-special_flights]:checked, [value=standard]:checked").await, 2);
        assert_fits(&browser, "all groups").await;
        press("form[data-fits] p.actions button").await;
        browser.find("#invite").await;
        assert!(browser.text().await.contains("Flights to everywhere"), "{}", browser.text().await);
        assert_no_complaints(&browser).await;
    })
    .await;
}
