//! The curve of a game: made when somebody asks, and never of a game that runs.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::Value;
use wonderpost::tables::analysis::Effort;
use wonderpost_bench::calibrate::measure;
use wonderpost_rules::Level;

use crate::harness::red_queen::after_draws;
use crate::harness::{Service, TestDatabase, Visitor, letters};
use crate::store::days::a_day_ahead;

/// Little, so that tests do not wait.
const LITTLE: Effort = Effort { processor_time: Duration::from_millis(1_500), most_points: 12, most_playouts: 40 };

async fn curve_by_api(visitor: &Visitor, table: &str) -> (StatusCode, Value) {
    let token = visitor.token().await;
    let id = table.trim_start_matches("/t/");
    let request = visitor.request(Method::GET, &format!("/api/v1/tables/{id}/curve")).bearer_auth(token);
    let answer = visitor.send(request).await;
    (answer.status, serde_json::from_str(&answer.body).unwrap())
}

#[actix_web::test]
async fn the_curve_of_a_finished_game_is_made_when_somebody_asks() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = after_draws(&service, 2).await;
    assert_eq!(two.post(&format!("{table}/resign"), &[]).await.status, StatusCode::SEE_OTHER);
    assert!(one.look(&table).await.contains(&format!("{table}/curve")), "the end leads there");
    let curve = format!("{table}/curve");
    assert!(one.look(&curve).await.contains("Draw the curve"));
    assert_eq!(curve_by_api(&one, &table).await.1["state"], "not-asked");

    assert_eq!(one.post(&curve, &[]).await.location(), curve);
    assert_eq!(two.post(&curve, &[]).await.location(), curve, "asked for twice, it is made once");
    let waiting = one.get(&curve).await;
    assert!(waiting.body.contains("<progress") && waiting.header("refresh") == "3", "{}", waiting.body);

    let tables = database.tables();
    assert!(tables.make_next_curve(&LITTLE).await.unwrap());
    assert!(!tables.make_next_curve(&LITTLE).await.unwrap(), "there was one to make");
    let page = one.look(&curve).await;
    assert!(page.contains("Chance to win") && page.contains("As a table"), "{page}");
    assert!(page.contains(&format!("href=\"{table}/at/1\"")), "points lead to their steps: {page}");
    assert!(page.contains("What you could have known"), "{page}");
    let other = service.visitor().look(&curve).await;
    assert!(other.contains("Chance to win") && !other.contains("could have known"), "that is for whoever sat there");

    let (status, answer) = curve_by_api(&one, &table).await;
    assert_eq!((status, &answer["state"]), (StatusCode::OK, &Value::from("done")));
    let points = answer["curve"]["points"].as_array().unwrap();
    assert_eq!(points.len(), 3, "the deal and two moves");
    for point in points {
        let chances: Vec<f64> =
            point["chances"].as_array().unwrap().iter().map(|chance| chance["chance"].as_f64().unwrap()).collect();
        let all: f64 = chances.iter().sum();
        assert!(chances.len() == 2 && (0.9..1.25).contains(&all), "one of two wins, seldom both: {chances:?}");
        assert!(point["known"].is_object(), "{point}");
    }
    // It is a projection: thrown away it can be made again.
    assert_eq!(letters::execute(&database, "delete from analysis").await, 1);
    assert!(one.look(&curve).await.contains("Draw the curve"));
}

#[actix_web::test]
async fn a_running_game_has_no_curve() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, _, table) = after_draws(&service, 2).await;
    let (curve, id) = (format!("{table}/curve"), table.trim_start_matches("/t/").to_owned());
    assert!(!one.look(&table).await.contains("/curve"));
    let page = one.look(&curve).await;
    assert!(page.contains("when the game is over") && !page.contains("Draw the curve"), "{page}");
    assert_eq!(one.post(&curve, &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(curve_by_api(&one, &table).await.0, StatusCode::UNPROCESSABLE_ENTITY);

    // Not even if somebody who may write to the database asks for it.
    let asked = "insert into analysis (table_id, head, version, asked_at)
                 select id, (select digest from event where table_id = id order by seq desc limit 1), 1, now() from game_table";
    assert_eq!(letters::execute(&database, &format!("{asked} where id = '{id}'")).await, 1);
    assert!(database.tables().make_next_curve(&LITTLE).await.unwrap());
    let refused = "update analysis set tries = 0 where curve is null and trouble like '%not over%'";
    assert_eq!(letters::execute(&database, refused).await, 1);
    // And what is there of a game is not shown before it is over.
    letters::execute(
        &database,
        "update analysis set done_at = now(), curve = '{\"measure\": \"chances\", \"level\": \"easy\",
        \"playouts\": 1, \"milliseconds\": 1, \"points\": [], \"turning_points\": []}'",
    )
    .await;
    assert!(!one.look(&curve).await.contains("Chance to win"));
}

#[actix_web::test]
async fn a_game_for_one_shows_what_could_still_be_found() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    visitor.move_on(&table).await;
    visitor.end(&table).await;
    assert!(visitor.look(&table).await.contains("What was still possible"));
    visitor.post(&format!("{table}/curve"), &[]).await;
    assert!(database.tables().make_next_curve(&LITTLE).await.unwrap());
    let page = visitor.look(&format!("{table}/curve")).await;
    assert!(page.contains("The most roses still to be found"), "{page}");
}

#[actix_web::test]
async fn the_garden_of_today_has_no_curve_before_the_day_is_over() {
    a_day_ahead().await;
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.post("/daily", &[]).await.location();
    visitor.end(&table).await;
    assert!(visitor.look(&format!("{table}/curve")).await.contains("when the day is over"));
    assert_eq!(visitor.post(&format!("{table}/curve"), &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[test]
fn positions_are_won_about_as_often_as_their_curves_say() {
    let game = wonderpost_games::catalogue().find("red-queen").unwrap();
    let effort = Effort { processor_time: Duration::from_millis(300), most_points: 10, most_playouts: 60 };
    let found = measure(game, 2, 120, &[Level::Easy, Level::Decent], 1, &effort);
    println!("{found}");
    assert_eq!(found.games, 120);
    assert!(found.error() < 0.15, "{found}");
}
