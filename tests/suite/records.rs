//! Finished games as text: written, read again and played once more.

use reqwest::StatusCode;
use wonderpost::tables::TableId;
use wonderpost::tables::history::game_record::read_records;

use crate::harness::red_queen::after_draws;
use crate::harness::{Service, TestDatabase};
use crate::store::days::a_day_ahead;

#[actix_web::test]
async fn the_record_of_a_game_plays_it_once_more() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = after_draws(&service, 2).await;
    let running = one.get(&format!("{table}/record.txt")).await;
    assert!(running.status == StatusCode::UNPROCESSABLE_ENTITY && !running.body.contains("[Secret"));
    assert!(!one.look("/me/games.txt").await.contains(table.trim_start_matches("/t/")), "a running game is not in it");
    two.post(&format!("{table}/resign"), &[]).await;

    let text = service.visitor().look(&format!("{table}/record.txt")).await;
    let records = read_records(&text).unwrap();
    let [record] = records.as_slice() else { panic!("one game: {text}") };
    assert_eq!((record.moves.len(), record.winners.as_slice()), (2, &[1][..]), "{text}");
    assert!(text.contains("1. 1 draw") && text.contains("; Seat 1 draws"), "{text}");
    let replayed = record.replay(&wonderpost_games::catalogue()).unwrap();
    let id: TableId = table.trim_start_matches("/t/").parse().unwrap();
    let cached = database.tables().load_fresh(id).await.unwrap();
    assert_eq!(replayed.steps.last().unwrap().position.snapshot(), cached.now.position.snapshot());

    let mine = two.look("/me/games.txt").await;
    assert!(read_records(&mine).unwrap().contains(record), "{mine}");
    assert_eq!(service.visitor().get("/me/games.txt").await.status, StatusCode::SEE_OTHER, "only for oneself");
}

#[actix_web::test]
async fn a_garden_is_recorded_when_its_secret_is_published() {
    a_day_ahead().await;
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    visitor.move_on(&table).await;
    visitor.end(&table).await;
    let text = visitor.look(&format!("{table}/record.txt")).await;
    let records = read_records(&text).unwrap();
    assert!(records[0].replay(&wonderpost_games::catalogue()).is_ok(), "{text}");
    let today = visitor.post("/daily", &[]).await.location();
    visitor.end(&today).await;
    let hidden = visitor.get(&format!("{today}/record.txt")).await;
    assert!(hidden.status == StatusCode::UNPROCESSABLE_ENTITY && !hidden.body.contains("[Secret"));
}
