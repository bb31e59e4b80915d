//! Limits that protect the right people: signing in, letters to strangers, sessions, and confirming that it is you.

mod confirming;
mod inviting;
mod sessions;
mod signing_in;

use reqwest::Method;

use crate::harness::visitor::{Answer, insist};
use crate::harness::{Service, TestDatabase, Visitor};

/// A service behind a proxy that tells where requests come from.
fn proxied(database: &TestDatabase) -> Service {
    Service::start_with(database, |settings| settings.behind_proxy = true)
}

/// Sends a form from a network.
async fn post_from(visitor: &Visitor, network: &str, path: &str, form: &[(&str, &str)]) -> Answer {
    let stamp = visitor.stamp().await;
    let form: Vec<_> = form.iter().copied().chain([("csrf", stamp.as_str())]).collect();
    insist(|| visitor.send(visitor.request(Method::POST, path).header("x-forwarded-for", network).form(&form))).await
}

/// How many rows there are.
async fn count(database: &TestDatabase, rows: &str) -> i64 {
    let text = format!("select count(*) from {rows}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(text)).fetch_one(&mut database.connection().await).await.expect("a count")
}
