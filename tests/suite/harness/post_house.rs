//! A house that takes replies: letters go out to a mail server of the test, and mail comes in by LMTP.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::net::UnixStream;
use wonderpost::app::settings::ServeSettings;
use wonderpost::tables::{Credentials, TableId, Tables};

use super::lmtp::Lmtp;
use super::mail_programs::{Letter, MailProgram};
use super::sink::Sink;
use super::{Service, TestDatabase, letters, table};

pub const DOMAIN: &str = "in.house.example";
pub const ALICE: &str = "alice@example.org";
pub const HATTER: &str = "hatter@example.net";

const PATIENCE: Duration = Duration::from_secs(15);

pub struct PostHouse {
    pub service: Service,
    pub sink: Sink,
    pub socket: PathBuf,
    pub tables: Tables,
    pub database: TestDatabase,
    red_queen: Option<TableId>,
    /// The letters that a test has looked at.
    seen: usize,
    /// Replies written so far.
    written: usize,
    _folder: TempDir,
}

impl PostHouse {
    /// A house in which Alice and the Hatter sit at a table of Red Queen that waits for Alice.
    pub async fn open() -> PostHouse {
        PostHouse::open_with(|_| {}).await
    }

    pub async fn open_with(set: impl FnOnce(&mut ServeSettings)) -> PostHouse {
        let database = TestDatabase::new();
        let tables = database.tables();
        let alice = table::player(&tables.store, &database, ALICE).await;
        let hatter = table::player(&tables.store, &database, HATTER).await;
        let red_queen = loop {
            let options = serde_json::json!({"first": 1});
            let table = table::begin_together(&tables, "red-queen", options, &[&alice, &hatter]).await;
            if deal_is_dull(&tables, table).await {
                break table;
            }
        };
        letters::execute(&database, &format!("delete from letter where table_id <> '{red_queen}'")).await;
        PostHouse::start(database, tables, Some(red_queen), set).await
    }

    /// A house with nobody in it.
    pub async fn empty() -> PostHouse {
        let database = TestDatabase::new();
        let tables = database.tables();
        PostHouse::start(database, tables, None, |_| {}).await
    }

    async fn start(
        database: TestDatabase,
        tables: Tables,
        red_queen: Option<TableId>,
        set: impl FnOnce(&mut ServeSettings),
    ) -> PostHouse {
        let folder = tempfile::tempdir().expect("a folder");
        let (sink, socket) = (Sink::start([]).await, folder.path().join("lmtp"));
        let service = PostHouse::serve(&database, &sink, &socket, set);
        PostHouse { service, sink, socket, tables, database, red_queen, seen: 0, written: 0, _folder: folder }
    }

    /// A service that shares the house's books, mail server and domain.
    pub fn serve(
        database: &TestDatabase,
        sink: &Sink,
        socket: &std::path::Path,
        set: impl FnOnce(&mut ServeSettings),
    ) -> Service {
        Service::start_with(database, |settings| {
            settings.post.smtp = Some(sink.url.clone());
            settings.post.mail_from = Some("Wonderpost <post@house.example>".into());
            settings.post.hold_seconds = Some(0);
            settings.post.receive.reply_domain = Some(DOMAIN.into());
            settings.post.receive.lmtp_listen = Some(socket.display().to_string());
            set(settings);
        })
    }

    pub async fn player(&self, email: &str) -> Credentials {
        table::player(&self.tables.store, &self.database, email).await
    }

    /// The table of Red Queen that waits for Alice, and the letter that tells her so.
    pub async fn alice_to_move(&mut self) -> (TableId, Letter) {
        let letter = self.letter_to(ALICE).await;
        (self.red_queen.expect("a table"), letter)
    }

    pub async fn lmtp(&self) -> Lmtp<UnixStream> {
        Lmtp::at(&self.socket).await
    }

    /// A reply as a mail program writes it; another at every call.
    pub fn write(&mut self, letter: &Letter, from: &str, lines: &str) -> String {
        self.written += 1;
        let program = MailProgram::ALL[self.written % MailProgram::ALL.len()];
        program.reply(letter, from, self.written, lines)
    }

    /// Hands in a message for the address that a letter is answered to, and waits until it was seen to. Gives what became of it.
    pub async fn hand_in(&self, letter: &Letter, message: &str) -> String {
        let to = letter.reply_to.as_deref().expect("it can be answered");
        let begun = Instant::now();
        loop {
            let verdicts = self.lmtp().await.hand_in("somebody@example.org", &[to], message).await;
            if verdicts[0].code == 250 {
                return self.outcome().await;
            }
            // “Not now”: it is handed in again, as mail servers do.
            assert!(verdicts[0].code == 451 && begun.elapsed() < PATIENCE, "{verdicts:?}");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Waits until the service has found its database again.
    pub async fn await_database(&self) {
        let (begun, visitor) = (Instant::now(), self.service.visitor());
        while visitor.get("/readyz").await.status != 200 {
            assert!(begun.elapsed() < PATIENCE, "the database is not found again");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Replies to a letter, and waits for what comes of it.
    pub async fn reply(&mut self, letter: &Letter, from: &str, lines: &str) -> String {
        let message = self.write(letter, from, lines);
        self.hand_in(letter, &message).await
    }

    /// What became of the message that was seen to last, once all are.
    pub async fn outcome(&self) -> String {
        let begun = Instant::now();
        let mut connection = self.database.connection().await;
        while begun.elapsed() < PATIENCE {
            let rows: Vec<Option<String>> =
                sqlx::query_scalar("select outcome from inbox order by done_at nulls first, id desc limit 1")
                    .fetch_all(&mut connection)
                    .await
                    .expect("the inbox");
            if !rows.contains(&None) {
                let newest: String = sqlx::query_scalar("select outcome from inbox order by done_at desc limit 1")
                    .fetch_one(&mut connection)
                    .await
                    .expect("a message");
                return newest;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("a message was not seen to");
    }

    /// The next letter that the test has not looked at.
    pub async fn next_letter(&mut self) -> Letter {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(received) = self.sink.nth(self.seen) {
                self.seen += 1;
                return Letter::open(&received);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        type Row = (String, Option<i32>, bool, bool, Option<String>);
        let letters: Vec<Row> = sqlx::query_as(
            "select kind, move_no, sent_at is not null, dropped_at is not null, trouble from letter order by id desc limit 5",
        )
        .fetch_all(&mut self.database.connection().await)
        .await
        .expect("letters");
        panic!("no letter comes any more, after {letters:?} and “{}”", self.outcome().await);
    }

    /// The next letter to an address.
    pub async fn letter_to(&mut self, address: &str) -> Letter {
        loop {
            let letter = self.next_letter().await;
            if letter.to == address {
                return letter;
            }
        }
    }

    /// How many letters went to an address, once none is under way.
    pub async fn letters_to(&self, address: &str) -> usize {
        letters::settled(&self.database).await;
        self.sink.received().iter().filter(|letter| letter.to == address).count()
    }

    /// How many moves were made at a table.
    pub async fn moves(&self, table: TableId) -> u32 {
        self.tables.load_fresh(table).await.expect("a table").now.moves
    }

    /// A figure from the books.
    pub async fn count(&self, query: &str) -> i64 {
        let query = sqlx::AssertSqlSafe(format!("select count(*) from {query}"));
        sqlx::query_scalar(query).fetch_one(&mut self.database.connection().await).await.expect("a count")
    }
}

/// Whether seat 1 can draw a card and end its turn, whatever card it is: with two killers in one hand a round is over at once.
async fn deal_is_dull(tables: &Tables, table: TableId) -> bool {
    let kept = tables.load_fresh(table).await.expect("a table");
    let hand = kept.now.position.view(table::PLAYER)["mine"]["hand"].to_string();
    kept.now.awaiting().contains(table::SEAT) && ["JH", "QD", "RJ", "BJ"].iter().all(|killer| !hand.contains(killer))
}
