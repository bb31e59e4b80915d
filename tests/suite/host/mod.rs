//! The host's console: there for hosts alone, and everything that can be done in it.

mod announcements;
mod doors;
mod figures;
mod letters;
mod players;
mod suspension;
mod tables;
mod talk;

use sqlx::AssertSqlSafe;
use wonderpost::tables::PlayerId;

use crate::harness::{self, Service, TestDatabase, Visitor};

const HOST: &str = "host@example.org";

/// A house with a host who is signed in.
async fn hosted(database: &TestDatabase) -> (Service, Visitor) {
    let service = Service::start_with(database, |settings| settings.hosts = HOST.parse().expect("an address"));
    let host = service.visitor();
    harness::letters::sign_in(database, &host, HOST).await;
    (service, host)
}

/// What the log of the host holds: each deed with its reason, the first first.
async fn deeds(database: &TestDatabase) -> Vec<(String, String)> {
    let rows = sqlx::query_as(AssertSqlSafe("select deed, reason from host_log order by id"));
    rows.fetch_all(&mut database.connection().await).await.expect("a log")
}

/// Who has an address.
async fn id_of(database: &TestDatabase, address: &str) -> PlayerId {
    let row = sqlx::query_scalar("select id from player where lower(email) = lower($1)").bind(address);
    row.fetch_one(&mut database.connection().await).await.expect("a player")
}
