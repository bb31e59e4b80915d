//! How pages look to those who need it clear: the focus shows, and every word can be read, at every game and in both themes.

use serde_json::Value;

use crate::browser::{assert_fits, assert_no_complaints};
use crate::harness::browser::{Browser, Setup, browse};
use crate::harness::{Service, TestDatabase};

/// Pages of lessons, with what is lit.
const LESSONS: [&str; 4] = [
    "/learn",
    "/learn/red-queen",
    "/learn/red-queen/01-strike-the-queen/aa",
    "/learn/we-are-not-amused/01-your-first-rose/a",
];

/// What does not show that it has the focus, with a ring in the colour that the first link of the page has.
const WITHOUT_A_RING: &str = "
    let ring;
    const found = [];
    for (const part of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')) {
      if (!part.getClientRects().length) continue;
      part.focus({ focusVisible: true, preventScroll: true });
      if (document.activeElement !== part) continue;
      const style = getComputedStyle(part);
      ring ??= style.outlineColor;
      const shows = style.outlineStyle === 'solid' && parseFloat(style.outlineWidth) >= 2 && style.outlineColor === ring;
      if (!shows) found.push(`${part.outerHTML.slice(0, 120)} has ${style.outline}`);
    }
    document.activeElement.blur();
    return found;";

/// Text that stands out too little from what is behind it (WCAG AA): 4.5 to 1, or 3 to 1 where it is large.
const TOO_FAINT: &str = "
    const linear = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    const colour = (text) => text.match(/[\\d.]+/g).map(Number);
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const words = texts.currentNode.textContent.trim();
      const part = texts.currentNode.parentElement;
      if (!words || !part.getClientRects().length || part.closest('svg, .hidden, .skip')) continue;
      const style = getComputedStyle(part);
      let behind = part;
      while (behind && (colour(getComputedStyle(behind).backgroundColor)[3] ?? 1) < 1) behind = behind.parentElement;
      let seen = 1;
      for (let around = part; around; around = around.parentElement) seen *= Number(getComputedStyle(around).opacity);
      const paper = behind ? colour(getComputedStyle(behind).backgroundColor) : [255, 255, 255];
      const ink = colour(style.color).slice(0, 3).map((value, place) => value * seen + paper[place] * (1 - seen));
      const [dark, bright] = [luminance(ink), luminance(paper)].sort((one, other) => one - other);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const contrast = (bright + 0.05) / (dark + 0.05);
      if (contrast < (large ? 3 : 4.5)) found.push(`${contrast.toFixed(2)} ${part.className}: ${words.slice(0, 40)}`);
    }
    return found;";

async fn none(browser: &Browser, script: &str, what: &str) {
    let found = browser.client.execute(script, vec![]).await.expect("script");
    assert_eq!(found, Value::Array(vec![]), "{what}");
}

/// From the page of a game to a table that is dealt.
async fn sit_down(browser: &Browser, service: &Service, game: &str) {
    browser.goto(&format!("{}/games/{game}", service.url)).await;
    browser.click("form[action='/tables'] button").await;
}

async fn look_at_everything(setup: Setup) {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(setup, move |browser| async move {
        let look = async |what: &str| {
            none(&browser, WITHOUT_A_RING, &format!("the focus does not show: {what}")).await;
            none(&browser, TOO_FAINT, &format!("too faint: {what}")).await;
            assert_fits(&browser, what).await;
        };
        for game in wonderpost_games::catalogue().iter() {
            let slug = game.info().slug;
            sit_down(&browser, &service, slug).await;
            browser
                .client
                .execute("document.querySelectorAll('details').forEach((part) => { part.open = true; })", vec![])
                .await
                .expect("script");
            look(slug).await;
        }
        for page in ["/", "/games/red-queen", "/me", "/archive", "/daily", "/chance", "/mailbox", "/me/delete"]
            .into_iter()
            .chain(LESSONS)
        {
            browser.goto(&format!("{}{page}", service.url)).await;
            look(page).await;
        }
        assert_no_complaints(&browser).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn focus_and_words_are_clear_on_a_desktop_in_the_light() {
    look_at_everything(Setup::DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn focus_and_words_are_clear_in_the_dark_and_at_200_percent() {
    // Half the room at twice the size is what 200 % zoom gives.
    look_at_everything(Setup { width: 640, height: 450, dark: true, script: true }).await;
}
