//! Reading other people's letters.

use std::time::Duration;

use sqlx::{AssertSqlSafe, PgConnection};

use super::{TestDatabase, Visitor};

/// A letter that was kept.
pub struct Letter {
    pub subject: String,
    pub text: String,
    pub html: String,
}

impl Letter {
    /// The path of the link to sign in with, or to the table that one is invited to.
    pub fn link(&self) -> String {
        let link = |place: &str| {
            let token = self.text.split(place).nth(1)?.split_whitespace().next()?;
            Some(format!("{place}{token}"))
        };
        link("/sign-in/").or_else(|| link("/i/")).unwrap_or_else(|| panic!("no link: {}", self.text))
    }

    /// The code to sign in with.
    pub fn code(&self) -> String {
        let line = self.text.lines().find(|line| {
            let line: String = line.split_whitespace().collect();
            line.len() == 6 && line.bytes().all(|digit| digit.is_ascii_digit())
        });
        line.unwrap_or_else(|| panic!("no code: {}", self.text)).trim().to_owned()
    }
}

/// What is to be sent now or soon.
const UNDER_WAY: &str =
    "sent_at is null and dropped_at is null and (tries > 0 or fixed or send_after < now() + interval '10 minutes')";

/// The letters to an address, the one that was sent last first.
pub async fn to(database: &TestDatabase, address: &str) -> Vec<Letter> {
    sent(database, address, "sent_at desc, id desc").await
}

/// Waits until the house has seen to all letters, and gives the one to an address that was written last. With two services it is not always the
/// one that was sent last.
pub async fn newest(database: &TestDatabase, address: &str) -> Letter {
    settled(database).await;
    sent(database, address, "id desc").await.into_iter().next().unwrap_or_else(|| panic!("no letter to {address}"))
}

async fn sent(database: &TestDatabase, address: &str, order: &str) -> Vec<Letter> {
    let text = format!(
        "select subject, text_body, html_body from letter where to_address = $1 and sent_at is not null order by {order}"
    );
    let rows: Vec<(String, String, String)> = sqlx::query_as(AssertSqlSafe(text))
        .bind(address)
        .fetch_all(&mut database.connection().await)
        .await
        .expect("letters");
    rows.into_iter().map(|(subject, text, html)| Letter { subject, text, html }).collect()
}

/// Signs somebody in by the link in a letter.
pub async fn sign_in(database: &TestDatabase, visitor: &Visitor, address: &str) {
    assert_eq!(visitor.post("/sign-in", &[("email", address)]).await.location(), "/sign-in/code");
    let link = newest(database, address).await.link();
    assert_eq!(visitor.post(&link, &[]).await.location(), "/");
}

/// Waits until no letter is under way. Reminders that will be due some day are not.
pub async fn settled(database: &TestDatabase) {
    until_none(database, &format!("letter where {UNDER_WAY}")).await;
}

/// Waits until there are no such rows any more.
pub async fn until_none(database: &TestDatabase, rows: &str) {
    let mut connection = database.connection().await;
    for _ in 0..400 {
        if count(&mut connection, rows).await == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("there is still a {rows}");
}

/// Waits until a letter is as said.
pub async fn until(database: &TestDatabase, condition: &str) {
    let mut connection = database.connection().await;
    for _ in 0..200 {
        if count(&mut connection, &format!("letter where {condition}")).await > 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no letter with {condition}");
}

async fn count(connection: &mut PgConnection, rows: &str) -> i64 {
    let text = format!("select count(*) from {rows}");
    sqlx::query_scalar(AssertSqlSafe(text)).fetch_one(connection).await.expect("a count")
}

/// Writes a letter that it is everybody's turn at a table which they have not looked at, as a move would.
pub async fn write_turn(database: &TestDatabase, table: &str) {
    write_turn_as(database, table, "null").await;
}

/// The same if they last looked at the table at this time.
pub async fn write_turn_as(database: &TestDatabase, table: &str, looked_at: &str) {
    let table = table.trim_start_matches("/t/");
    execute(database, &format!("update seat set last_look_at = {looked_at} where table_id = '{table}'")).await;
    execute(
        database,
        &format!(
            "insert into letter (kind, player_id, table_id, move_no)
             select 'turn', player_id, table_id, 0 from seat where table_id = '{table}'"
        ),
    )
    .await;
}

/// Does something to the books.
pub async fn execute(database: &TestDatabase, text: &str) -> u64 {
    let done = sqlx::query(AssertSqlSafe(text)).execute(&mut database.connection().await).await;
    done.unwrap_or_else(|error| panic!("{text}: {error}")).rows_affected()
}
