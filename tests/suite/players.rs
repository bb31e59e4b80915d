//! Players' pages, ratings and the archive by how games went: from finished public games, and from nothing else.

use chrono::TimeDelta;
use reqwest::{Method, StatusCode};
use serde_json::Value;
use sqlx::AssertSqlSafe;

use crate::harness::page::Page;
use crate::harness::red_queen::{after_draws, open, say, seat_two, sit};
use crate::harness::{Service, TestDatabase, Visitor, letters};

/// The address of somebody's own page.
async fn page_of(visitor: &Visitor) -> String {
    let me = visitor.look("/me").await;
    let id = Page(&me).between("href=\"/players/", "\"").first().copied().expect("my page leads there");
    format!("/players/{id}")
}

/// Two play a game that the second gives up.
async fn lost_by_the_second(one: &Visitor, two: &Visitor) -> String {
    let table = seat_two(one, two, &[("seat-2", "person"), ("option-first", "1")]).await;
    let step = Page(&one.look(&table).await).step();
    assert_eq!(say(one, &table, step, "draw").await, StatusCode::SEE_OTHER);
    assert_eq!(two.post(&format!("{table}/resign"), &[]).await.status, StatusCode::SEE_OTHER);
    table
}

async fn catch_up(database: &TestDatabase) -> usize {
    database.tables().catch_up_results(TimeDelta::days(1)).await.unwrap().results
}

async fn show_page_to(visitor: &Visitor, whom: &str) {
    let kept = visitor.post("/me/settings", &[("theme", "system"), ("page_shown", whom)]).await;
    assert_eq!(kept.status, StatusCode::SEE_OTHER);
}

async fn ratings(database: &TestDatabase) -> String {
    let text = "select coalesce(json_agg(rating order by player_id)::text, '') from rating";
    sqlx::query_scalar(AssertSqlSafe(text)).fetch_one(&mut database.connection().await).await.unwrap()
}

#[actix_web::test]
async fn a_page_shows_what_somebody_played_to_those_who_may_see_it() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two) = (service.visitor(), service.visitor());
    lost_by_the_second(&one, &two).await;
    let (mine, theirs) = (page_of(&one).await, page_of(&two).await);
    assert!(one.look(&mine).await.contains("no finished games yet"), "results follow in the background");
    assert!(catch_up(&database).await >= 1);
    let page = one.look(&mine).await;
    assert!(page.contains("Red Queen") && page.contains("Against whom"), "{page}");
    assert!(page.contains(&format!("href=\"{theirs}\"")), "{page}");

    // By itself it is shown to those who have shared a table.
    let stranger = service.visitor();
    stranger.begin().await;
    assert!(two.look(&mine).await.contains("Red Queen"));
    assert_eq!(stranger.get(&mine).await.status, StatusCode::NOT_FOUND);
    show_page_to(&one, "everybody").await;
    assert!(stranger.look(&mine).await.contains("Red Queen"));
    assert!(service.visitor().look(&mine).await.contains("Red Queen"));
    show_page_to(&one, "nobody").await;
    let kept = two.get(&mine).await;
    assert!(kept.status == StatusCode::FORBIDDEN && kept.body.contains("to themselves"), "{}", kept.body);
    assert_eq!(stranger.get(&mine).await.status, StatusCode::NOT_FOUND);
    assert!(one.look(&mine).await.contains("Red Queen"), "one's own page is always there");

    let token = two.token().await;
    let ask = |path: String| two.request(Method::GET, &path).bearer_auth(&token);
    let id = theirs.trim_start_matches("/players/");
    let answer = two.send(ask(format!("/api/v1/players/{id}"))).await;
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(answer["games"][0]["won"], 0);
    assert!(answer["ratings"][0]["rating"].as_i64().unwrap() < 1_000, "{answer}");
    let kept = two.send(ask(format!("/api/v1/players/{}", mine.trim_start_matches("/players/")))).await;
    assert_eq!(kept.status, StatusCode::FORBIDDEN);
}

#[actix_web::test]
async fn running_and_private_games_change_no_figure() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, _, table) = after_draws(&service, 1).await;
    // What luck ended before the game that is looked at is read first.
    catch_up(&database).await;
    let (page, before) = (one.look(&page_of(&one).await).await, ratings(&database).await);
    let page_of_table = one.look(&table).await;
    if Page(&page_of_table).offers("draw") {
        say(&one, &table, Page(&page_of_table).step(), "draw").await;
    }
    assert_eq!(catch_up(&database).await, 0, "a running game has no result");
    let hidden = open(&one, &[("seat-2", "easy"), ("private", "yes")]).await;
    sit(&one, &hidden).await;
    one.post(&format!("{hidden}/resign"), &[]).await;
    assert_eq!(catch_up(&database).await, 0, "a private game is nobody else's business");
    let mine = page_of(&one).await;
    assert_eq!(Page(&one.look(&mine).await).without_marks(), Page(&page).without_marks());
    assert_eq!(ratings(&database).await, before);
}

#[actix_web::test]
async fn ratings_made_again_are_the_same_in_whatever_order_games_come_to_light() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two) = (service.visitor(), service.visitor());
    for _ in 0..2 {
        lost_by_the_second(&one, &two).await;
        catch_up(&database).await;
    }
    lost_by_the_second(&two, &one).await;
    catch_up(&database).await;
    let kept = ratings(&database).await;
    assert!(kept.contains("red-queen"));
    let rebuilt = database.tables().rebuild_results().await.unwrap();
    assert!(rebuilt.rated >= 3);
    assert_eq!(ratings(&database).await, kept, "made again from events");
    // The first game is forgotten, and comes to light after the others.
    let first = "delete from game_result where table_id = (select table_id from game_result order by over_at limit 1)";
    assert_eq!(letters::execute(&database, first).await, 1);
    catch_up(&database).await;
    assert_eq!(ratings(&database).await, kept, "rated in the order in which they ended");
}

#[actix_web::test]
async fn whoever_thinks_of_joining_sees_how_fast_the_others_play() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two) = (service.visitor(), service.visitor());
    lost_by_the_second(&one, &two).await;
    catch_up(&database).await;
    letters::execute(&database, "update seat_result set answers = array[60, 120, 4000, -1, 90, 200]").await;
    let table = open(&one, &[("seat-2", "person")]).await;
    sit(&one, &table).await;
    let page = service.visitor().look(&table).await;
    assert!(page.contains("Moves within 3 minutes more often than not. Missed 1 of the last 6 moves."), "{page}");
    show_page_to(&one, "nobody").await;
    assert!(!service.visitor().look(&table).await.contains("Missed"), "who shows nothing shows that to nobody, too");
}

#[actix_web::test]
async fn the_archive_is_searched_by_how_games_went() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two) = (service.visitor(), service.visitor());
    let table = lost_by_the_second(&one, &two).await;
    catch_up(&database).await;
    let anybody = service.visitor();
    let me = one.look("/me").await;
    let name = Page(&me).between("<h1>", "</h1>")[0].replace(' ', "+");
    let me = two.look("/me").await;
    let other = Page(&me).between("<h1>", "</h1>")[0].replace(' ', "+");
    let finds = async |query: String| anybody.look(&format!("/archive?{query}")).await.contains(&table);
    assert!(finds(String::new()).await && finds(format!("player={name}&won=yes")).await);
    assert!(!finds(format!("player={other}&won=yes")).await && finds(format!("player={other}")).await);
    assert!(finds("shortest=1".into()).await && !finds("shortest=50".into()).await && !finds("longest=0".into()).await);
    assert!(!finds("since=2999-01-01".into()).await);
    assert_eq!(anybody.get("/archive?shortest=many").await.status, StatusCode::UNPROCESSABLE_ENTITY);

    assert!(!finds("comeback=yes".into()).await && !finds("close=yes".into()).await, "nobody has had its curve drawn");
    let id = table.trim_start_matches("/t/");
    let drawn = "insert into analysis (table_id, head, version, asked_at, done_at, winners_least, open_until)";
    letters::execute(&database, &format!("{drawn} values ('{id}', '', 1, now(), now(), 0.1, 0.95)")).await;
    assert!(finds("comeback=yes".into()).await && finds("close=yes&game=red-queen".into()).await);
    assert!(!finds("comeback=yes&game=munchkin-wonderland".into()).await);

    let feed = anybody.get("/archive.atom?comeback=yes").await;
    assert_eq!(feed.header("content-type"), "application/atom+xml; charset=utf-8");
    assert!(
        feed.body.starts_with("<?xml") && feed.body.contains(&table) && feed.body.contains("<updated>"),
        "{}",
        feed.body
    );
    let found = anybody.look("/api/v1/archive?comeback=true&shortest=1").await;
    assert!(found.contains(id), "{found}");
    let none: Value = serde_json::from_str(&anybody.look("/api/v1/archive?shortest=5000").await).unwrap();
    assert_eq!(none["tables"].as_array().unwrap().len(), 0);
}
