//! People: signing in, names, settings, tokens, leaving.

mod guarding;
mod leaving;
mod settings;
mod signing_in;

use reqwest::{Method, StatusCode};
use serde_json::Value;
use uuid::Uuid;
use wonderpost::tables::PlayerId;

use crate::harness::letters::sign_in;
use crate::harness::{Service, TestDatabase, Visitor, letters, log, red_queen};

const ALICE: &str = "alice@example.org";

/// Asks for a letter and gives what it leads to.
async fn ask(visitor: &Visitor, address: &str) -> String {
    visitor.post("/sign-in", &[("email", address)]).await.location()
}

async fn player_of(database: &TestDatabase, address: &str) -> PlayerId {
    sqlx::query_scalar("select id from player where email = $1")
        .bind(address)
        .fetch_one(&mut database.connection().await)
        .await
        .expect("a player")
}
