//! Lessons: played on their pages without script, in a browser by clicking, and with nothing left behind but progress.

use reqwest::StatusCode;
use serde_json::json;

use crate::browser::{assert_fits, assert_no_complaints};
use crate::harness::browser::{Browser, Setup, browse};
use crate::harness::{Service, TestDatabase, Visitor};
use wonderpost_games::lessons;

/// More clicks than any lesson takes.
const MOST_CLICKS: usize = 60;

/// The tags that are lit.
fn lit(page: &str) -> Vec<&str> {
    page.split('<')
        .filter_map(|tag| tag.split_once('>'))
        .map(|(tag, _)| tag)
        .filter(|tag| tag.contains(" data-lit"))
        .collect()
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = tag.split_once(&format!(" {name}=\""))?;
    value.split('"').next()
}

/// Plays a lesson to its end by what is lit, and gives back where it ended.
async fn play(visitor: &Visitor, start: &str) -> String {
    let (mut here, mut query) = (format!("{start}/0"), String::new());
    for _ in 0..MOST_CLICKS {
        let page = visitor.look(&format!("{here}{query}")).await;
        if page.contains("lesson-over") {
            return here;
        }
        let tags: Vec<String> = lit(&page).into_iter().map(|tag| tag.replace('\n', " ")).collect();
        assert!(!tags.is_empty(), "nothing is lit at {here}{query}");
        let say = tags.iter().find_map(|tag| attribute(tag, "value").filter(|_| tag.contains("name=\"say\"")));
        let begun = tags.iter().find_map(|tag| attribute(tag, "href"));
        let answer = match (say, begun) {
            (Some(say), _) => visitor.post(&format!("{here}/say"), &[("say", say)]).await,
            (None, Some(begun)) => {
                query = begun.split('#').next().unwrap_or_default().to_owned();
                continue;
            }
            (None, None) => visitor.post(&format!("{here}/say"), &[("looked", "yes")]).await,
        };
        (here, query) = (answer.location(), String::new());
    }
    panic!("{start} does not end");
}

#[tokio::test]
async fn every_lesson_is_played_without_script_and_a_finished_course_leads_to_a_table() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = Visitor::new(&service.url);
    for slug in ["we-are-not-amused", "red-queen", "off-with-their-heads", "munchkin-wonderland", "messenger-rabbits"] {
        let course = visitor.look(&format!("/learn/{slug}")).await;
        assert!(!course.contains("action=\"/tables\""), "{slug}: nothing is offered before the course is done");
        let mut end = String::new();
        for named in lessons::course(slug) {
            let place = play(&visitor, &format!("/learn/{slug}/{}", named.name)).await;
            end = visitor.look(&place).await;
        }
        assert!(end.contains("That was the whole course") && end.contains("action=\"/tables\""), "{slug}");
        let course = visitor.look(&format!("/learn/{slug}")).await;
        assert!(course.contains("action=\"/tables\"") && course.contains(">done<"), "{slug}");
        assert!(slug == "we-are-not-amused" || course.contains("name=\"seat-2\" value=\"easy\""), "{slug}");
    }
    assert_eq!(visitor.look("/learn").await.matches("All done").count(), 5);
    // Nobody became a player by it, and nothing was played.
    assert!(!visitor.look("/").await.contains("href=\"/me\""));
    assert!(!visitor.look("/archive").await.contains("href=\"/t/"));
}

#[tokio::test]
async fn a_wrong_choice_is_explained_and_may_be_tried_again() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = Visitor::new(&service.url);
    let here = "/learn/we-are-not-amused/01-your-first-rose/a";
    let wrong = visitor.post(&format!("{here}/say"), &[("say", "pass")]).await;
    assert_eq!(wrong.status, StatusCode::OK);
    assert!(wrong.page().sentence("wrong").is_some_and(|words| words.contains("work to do")), "{}", wrong.body);
    assert!(wrong.body.contains("Step 2 of 5") && lit(&wrong.body).len() == 1);
    let nonsense = visitor.post(&format!("{here}/say"), &[("say", "<b>jabber</b>")]).await;
    assert!(nonsense.page().sentence("wrong").is_some() && !nonsense.body.contains("<b>"), "{}", nonsense.body);
    let right = visitor.post(&format!("{here}/say"), &[("say", "attack a1")]).await;
    assert_eq!(right.location(), format!("{here}a"));
    // The page that answered a wrong move may be fetched again, and links on it lead back.
    assert_eq!(visitor.get(&format!("{here}/say?begun=x")).await.location(), format!("{here}?begun=x"));
    for nowhere in
        ["/learn/nothing", "/learn/red-queen/nothing", &format!("{here}zzz"), &format!("{here}{}", "a".repeat(3000))]
    {
        assert_eq!(visitor.get(nowhere).await.status, StatusCode::NOT_FOUND, "{nowhere}");
    }
}

#[tokio::test]
async fn the_progress_of_a_player_is_kept_with_the_player() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = Visitor::new(&service.url);
    play(&visitor, "/learn/red-queen/01-strike-the-queen").await;
    visitor.begin().await;
    play(&visitor, "/learn/red-queen/03-wear-the-crown").await;
    let export = visitor.look("/me/export.json").await;
    assert!(
        export.contains("red-queen/01-strike-the-queen") && export.contains("red-queen/03-wear-the-crown"),
        "{export}"
    );
    assert!(visitor.look("/learn").await.contains("2 of"), "both are seen");
}

/// Clicks on what is lit until the lesson is over.
async fn click_through(browser: &Browser, start: &str) {
    const MARK: &str = "
        const lit = [...document.querySelectorAll('[data-lit]')].filter((one) => one.checkVisibility() && one.getClientRects().length);
        if (!lit.length) return document.getElementById('table').classList.contains('lesson-over') ? 'over' : 'dark';
        lit[0].scrollIntoView({ block: 'center' });
        lit[0].setAttribute('data-click', '');
        return 'lit';";
    browser.goto(start).await;
    for _ in 0..MOST_CLICKS {
        assert_fits(browser, start).await;
        match browser.client.execute(MARK, vec![]).await.expect("script") {
            state if state == json!("over") => return,
            state => assert_eq!(state, json!("lit"), "{start}: {}", browser.text().await),
        }
        browser.click("[data-click]").await;
    }
    panic!("{start} does not end");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_lesson_of_each_game_is_played_by_clicking_on_a_phone() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::PHONE, move |browser| async move {
        for slug in
            ["we-are-not-amused", "red-queen", "off-with-their-heads", "munchkin-wonderland", "messenger-rabbits"]
        {
            let first = lessons::course(slug).next().expect("a lesson");
            click_through(&browser, &format!("{}/learn/{slug}/{}", service.url, first.name)).await;
            assert!(browser.count("#next-lesson").await == 1, "{slug}: the next lesson is offered");
        }
        browser.picture("lesson-phone").await;
        assert_no_complaints(&browser).await;
    })
    .await;
}
