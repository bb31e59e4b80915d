//! Help where it is needed: first steps, words that explain themselves, and moves in place of one that was refused.

use crate::browser::{assert_fits, assert_no_complaints};
use crate::harness::browser::{Setup, browse};
use crate::harness::{Service, TestDatabase};
use crate::measures::sit_down_against_a_bot;

#[actix_web::test]
async fn the_first_game_of_a_kind_has_three_steps_until_they_are_read() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    let page = visitor.look(&table).await;
    assert!(page.contains("class=\"first-steps\"") && page.contains("You want red roses"), "{page}");
    // Those who only look are told nothing.
    assert!(!service.visitor().look(&table).await.contains("class=\"first-steps\""));
    let dismissed = visitor.post("/games/we-are-not-amused/first-steps", &[]).await;
    assert_eq!(dismissed.status, 303);
    assert!(!visitor.look(&table).await.contains("class=\"first-steps\""));
    // For good, and in every game of that kind; other settings stay as they are.
    visitor.post("/me/settings", &[("theme", "dark")]).await;
    let another = visitor.begin().await;
    assert!(!visitor.look(&another).await.contains("class=\"first-steps\""));
}

#[actix_web::test]
async fn whoever_has_finished_a_game_knows_the_first_steps() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    visitor.end(&table).await;
    assert!(!visitor.look(&table).await.contains("class=\"first-steps\""));
    let another = visitor.begin().await;
    assert!(!visitor.look(&another).await.contains("class=\"first-steps\""));
}

#[actix_web::test]
async fn a_refused_move_is_answered_with_moves_that_are_allowed() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    let refused = visitor.say(&table, 0, "pass over").await;
    assert_eq!(refused.status, 422);
    let offers = refused.page().between("class=\"actions offers\"", "</form>");
    assert_eq!(offers.len(), 1, "{}", refused.body);
    assert!(offers[0].contains("You could") && offers[0].contains("value=\"pass\""), "{}", offers[0]);
    assert!(!visitor.look(&table).await.contains("actions offers"), "nothing is offered unasked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_of_a_game_explain_themselves_on_tap() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    browse(Setup::PHONE, move |browser| async move {
        // What one is asked first depends on the deal: one of the games asks with such a word.
        for game in wonderpost_games::catalogue().iter() {
            sit_down_against_a_bot(&browser, &service, game.info().slug).await;
            if browser.count(".word").await > 0 {
                break;
            }
        }
        let meaning = browser.find(".word-meaning").await;
        assert!(!meaning.is_displayed().await.expect("an element"));
        browser.find(".word").await.click().await.expect("a click");
        assert!(meaning.is_displayed().await.expect("an element"), "a tap opens it");
        assert_fits(&browser, "the table").await;
        assert_no_complaints(&browser).await;
    })
    .await;
}
