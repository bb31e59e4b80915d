//! The rules with pictures, the search through them, and the way there from a table.

use crate::harness::page::Page;
use crate::harness::{Service, TestDatabase, red_queen};

#[actix_web::test]
async fn the_rules_of_each_game_have_contents_that_lead_to_sections_and_pictures_that_draw() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    for game in wonderpost_games::catalogue().iter() {
        let page = visitor.look(&format!("/games/{}/rules", game.info().slug)).await;
        let contents = Page(&page).between("<nav class=\"contents\"", "</nav>")[0].to_owned();
        let anchors = Page(&contents).between("href=\"#", "\"");
        assert!(anchors.len() > 6, "{contents}");
        for anchor in anchors {
            assert_eq!(page.matches(&format!("<h2 id=\"{anchor}\"")).count(), 1, "{anchor}");
        }
        let pictures = Page(&page).between("<img src=\"", "\"");
        assert_eq!(pictures.len(), game.examples().len());
        for picture in pictures {
            let (status, _, bytes) = visitor.send_raw(picture).await;
            assert!(status.is_success() && bytes.starts_with(b"\x89PNG"), "{picture}: {status}");
        }
    }
    assert_eq!(visitor.get("/games/red-queen/rules/nothing.png").await.status, 404);
    assert_eq!(visitor.get("/games/chess/rules").await.status, 404);
}

#[actix_web::test]
async fn the_search_leads_to_paragraphs_of_any_game() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let page = visitor.look("/rules?q=Jabberwock+wake").await;
    assert!(page.contains("Found 1 paragraph"), "{page}");
    assert!(page.contains("href=\"/games/off-with-their-heads/rules#zones\""), "{page}");
    let page = visitor.look("/rules?q=%3Cb%3E").await;
    assert!(page.contains("Nothing found") && page.contains("value=\"&#60;b&#62;\""), "{page}");
    assert!(visitor.look("/rules").await.contains("href=\"/games/red-queen/rules\""));
}

#[actix_web::test]
async fn at_a_table_what_one_is_asked_leads_to_its_paragraph() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = red_queen::two_at_a_table(&service).await;
    assert!(one.look(&table).await.contains("class=\"what\" href=\"/games/red-queen/rules#turn\""));
    let waiting = two.look(&table).await;
    assert!(!waiting.contains("class=\"what\"") && waiting.contains("href=\"/games/red-queen/rules\""));
}
