//! Finding tables and closing them, without seeing what is hidden.

use reqwest::StatusCode;
use wonderpost_rules::Viewer;

use super::{deeds, hosted};
use crate::harness::page::Page;
use crate::harness::red_queen::{open, say, seat_two, sit};
use crate::harness::{TestDatabase, letters};
use crate::outsiders::{assert_shows_none, hidden, host_routes};

const ALICE: &str = "alice@example.org";
const REASON: &str = "Opened to annoy <b>others</b>";

#[actix_web::test]
async fn tables_are_found_by_link_player_or_game() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let (alice, bob) = (service.visitor(), service.visitor());
    letters::sign_in(&database, &alice, ALICE).await;
    alice.post("/me/name", &[("name", "Bandersnatch")]).await.location();
    let table = seat_two(&alice, &bob, &[("seat-2", "person"), ("option-first", "1")]).await;
    let garden = bob.begin().await;
    let id = table.trim_start_matches("/t/");
    let row = |table: &str| format!("href=\"/host/tables/{}\"", table.trim_start_matches("/t/"));
    for query in [
        format!("table={id}"),
        format!("table=https://house.example{table}/at/3?as=all"),
        "player=bandersnatch".to_owned(),
        "game=red-queen".to_owned(),
    ] {
        let page = host.look(&format!("/host/tables?{query}")).await;
        assert!(page.contains(&row(&table)) && !page.contains(&row(&garden)), "{query}: {page}");
    }
    assert!(host.look("/host/tables").await.contains(&row(&garden)));
    for query in ["table=nonsense", "player=nobody", "game=chess", "table=/i/secret"] {
        assert!(host.look(&format!("/host/tables?{query}")).await.contains("There are no such tables."), "{query}");
    }
    assert_eq!(host.get("/host/tables/nonsense").await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn the_console_shows_nothing_that_is_hidden() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let (alice, bob) = (service.visitor(), service.visitor());
    for private in [false, true] {
        let form = [("seat-2", "person"), ("option-first", "1"), ("private", "yes")];
        let table = open(&alice, &form[..2 + usize::from(private)]).await;
        sit(&alice, &table).await;
        let link = Page(&alice.look(&table).await).between("/i/", "\"")[0].to_owned();
        bob.post(&format!("/i/{link}"), &[("cut", "jam")]).await.location();
        alice.post(&format!("{table}/talk"), &[("words", "between the two of us")]).await.location();
        let id = table.trim_start_matches("/t/");
        let kept = database.tables().load_fresh(id.parse().unwrap()).await.unwrap();
        assert_eq!(kept.now.opened.private, private);
        let hidden = hidden(&*kept.now.position, Viewer::Public);
        for route in host_routes().filter(|route| route.only_looks()) {
            let path = route.address(id, 0);
            let body = host.get(&path).await.body;
            assert_shows_none(&body, &hidden, "the host", &path);
            assert!(!body.contains("between the two of us"), "{path}: nobody reported it");
        }
        let page = host.look(&format!("/host/tables/{id}")).await;
        assert_eq!(page.contains(&format!("href=\"{table}\"")), !private, "{page}");
        assert_eq!(host.get(&table).await.status == StatusCode::OK, !private);
    }
}

#[actix_web::test]
async fn a_table_is_closed_by_the_house_without_a_winner_and_everybody_is_told_why() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let (alice, bob) = (service.visitor(), service.visitor());
    letters::sign_in(&database, &alice, ALICE).await;
    let table = seat_two(&alice, &bob, &[("seat-2", "person"), ("option-first", "1")]).await;
    let id = table.trim_start_matches("/t/");
    let close = format!("/host{}/close", table.replace("/t/", "/tables/"));
    assert_eq!(host.post(&close, &[("reason", "")]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    // Nobody has looked since, so that a letter is due.
    letters::execute(&database, "update seat set last_look_at = null").await;
    assert_eq!(host.post(&close, &[("reason", REASON)]).await.location(), format!("/host/tables/{id}?done=closed"));
    let letter = letters::newest(&database, ALICE).await;
    assert!(letter.text.starts_with(&format!("The host has closed this table: {REASON}")), "{}", letter.text);
    let page = bob.look(&table).await;
    assert!(page.contains("Closed by the host"), "{page}");
    assert!(page.contains("The host has closed this table: Opened to annoy &#60;b&#62;others"), "{page}");
    assert!(!page.contains("winner"), "{page}");
    assert_eq!(say(&alice, &table, 0, "end").await, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(alice.look("/me").await.contains("The host closed your table of Red Queen."));
    let again = host.post(&close, &[("reason", REASON)]).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(deeds(&database).await, [("table-closed".to_owned(), REASON.to_owned())]);
    // The chain holds, and so does what lists show.
    let tables = database.tables();
    let id = id.parse().unwrap();
    assert!(!tables.check(id).await.unwrap().fails());
    let kept = tables.load_fresh(id).await.unwrap();
    assert!(kept.now.winners().is_empty() && kept.now.revealed.is_some());
    assert!(matches!(tables.rebuild(id, false).await.unwrap(), wonderpost::tables::audit::rebuild::Comparison::Same));
}

#[actix_web::test]
async fn a_table_that_has_not_begun_is_cleared_away_and_a_garden_of_the_day_is_not() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let alice = service.visitor();
    letters::sign_in(&database, &alice, ALICE).await;
    let table = open(&alice, &[("seat-2", "person")]).await;
    sit(&alice, &table).await;
    let close = |table: &str| format!("/host{}/close", table.replace("/t/", "/tables/"));
    host.post(&close(&table), &[("reason", REASON)]).await.location();
    assert_eq!(alice.get(&table).await.status, StatusCode::NOT_FOUND);
    let letter = letters::newest(&database, ALICE).await;
    assert!(letter.text.contains("The host closed your table of Red Queen.") && letter.text.contains(REASON));
    let garden = alice.post("/daily", &[]).await.location();
    let answer = host.post(&close(&garden), &[("reason", REASON)]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.body.contains("ends with its day"));
}
