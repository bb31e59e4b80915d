//! Playing Red Queen, a game for several, over HTTP.

use std::time::Duration;

use reqwest::StatusCode;

use super::page::Page;
use super::{Service, Visitor};

const RED_QUEEN: &str = "red-queen";

/// Opens a table of Red Queen.
pub async fn open(visitor: &Visitor, more: &[(&str, &str)]) -> String {
    let form: Vec<_> = [("game", RED_QUEEN)].into_iter().chain(more.iter().copied()).collect();
    visitor.post("/tables", &form).await.location()
}

pub async fn sit(visitor: &Visitor, table: &str) {
    assert_eq!(visitor.post(&format!("{table}/sit"), &[("cut", "tarts")]).await.location(), table);
}

/// Two people at a table that has begun.
pub async fn two_at_a_table(service: &Service) -> (Visitor, Visitor, String) {
    let (one, two) = (service.visitor(), service.visitor());
    let table = seat_two(&one, &two, &[("seat-2", "person"), ("option-first", "1")]).await;
    (one, two, table)
}

/// A table opened like this at which two people sit, and the first is to move.
pub async fn seat_two(one: &Visitor, two: &Visitor, form: &[(&str, &str)]) -> String {
    for _ in 0..20 {
        let table = open(one, form).await;
        sit(one, &table).await;
        sit(two, &table).await;
        if one.look(&table).await.contains("Your move") {
            return table;
        }
        // The deal alone won a round: that is luck, and not what is tried out.
        one.post(&format!("{table}/resign"), &[]).await;
    }
    panic!("too much luck");
}

/// Two people at a table at which the first has drawn so many cards, and no luck has ended the round.
pub async fn after_draws(service: &Service, draws: usize) -> (Visitor, Visitor, String) {
    'tables: for _ in 0..20 {
        let (one, two, table) = two_at_a_table(service).await;
        for _ in 0..draws {
            let page = one.look(&table).await;
            if !Page(&page).offers("draw") {
                one.post(&format!("{table}/resign"), &[]).await;
                continue 'tables;
            }
            assert_eq!(say(&one, &table, Page(&page).step(), "draw").await, StatusCode::SEE_OTHER);
        }
        if !one.look(&table).await.contains("The game is over") {
            return (one, two, table);
        }
    }
    panic!("too much luck");
}

/// Says a move for good. Said again it is the same move.
pub async fn say(visitor: &Visitor, table: &str, step: u32, line: &str) -> StatusCode {
    let (step, stamp) = (step.to_string(), visitor.stamp().await);
    let form = [("step", &*step), ("say", line), ("sure", "yes")];
    visitor.insist(&format!("{table}/say"), &form, &stamp).await.status
}

/// The page of whoever is to move, once somebody is.
pub async fn until_my_turn(visitor: &Visitor, table: &str) -> String {
    for _ in 0..100 {
        let body = visitor.look(table).await;
        if body.contains("Your move") || body.contains("The game is over") {
            return body;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("nobody asked for a move in time");
}
