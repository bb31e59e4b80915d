//! A house whose clock is set by hand, with people who have addresses: for letters over days, in a moment.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use uuid::Uuid;
use wonderpost::app::clock::Clock;
use wonderpost::app::settings::{PostSettings, ServeSettings};
use wonderpost::db::tables::looks::SeatLook;
use wonderpost::mail as post;
use wonderpost::mail::Post;
use wonderpost::tables::clock::pace::Pace;
use wonderpost::tables::{Credentials, PlayerId, TableId, TableOptions, Tables};
use wonderpost_rules::{Seat, Viewer};

use super::sink::Sink;
use super::table::calm_word;
use super::{TestDatabase, letters};

/// Where the house is.
pub const PLACE: &str = "https://house.example";

pub struct TimedHouse {
    pub database: TestDatabase,
    pub tables: Arc<Tables>,
    pub clock: Clock,
}

pub struct Person {
    pub caller: Credentials,
    pub name: &'static str,
    pub address: String,
}

pub fn utc(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(text).expect("a moment").with_timezone(&Utc)
}

/// How letters go out: kept, or to a sink.
pub fn post_settings(sink: Option<&Sink>) -> PostSettings {
    PostSettings {
        smtp: sink.map(|sink| sink.url.clone()),
        mail_from: Some("Wonderpost <post@house.example>".into()),
        hold_seconds: Some(120),
        ..PostSettings::default()
    }
}

impl TimedHouse {
    pub fn new(now: &str) -> TimedHouse {
        let database = TestDatabase::new();
        let clock = Clock::by_hand(utc(now));
        let store = database.store().with_clock(clock.clone());
        let tables = Arc::new(Tables::new(store, wonderpost_games::catalogue(), Arc::default()));
        TimedHouse { database, tables, clock }
    }

    /// A worker in a process of its own: with a memory of its own.
    pub fn start_post(&self, settings: &PostSettings) -> Post {
        let store = self.database.store().with_clock(self.clock.clone());
        let tables = Arc::new(Tables::new(store, wonderpost_games::catalogue(), Arc::default()));
        post::start(tables, settings, ServeSettings::default().days_off, PLACE).expect("letters go out")
    }

    pub async fn person(&self, name: &'static str) -> Person {
        let player = PlayerId::fresh();
        let token_digest: [u8; 32] = Sha256::digest(Uuid::now_v7().as_bytes()).into();
        let later = Utc::now() + TimeDelta::days(1);
        self.tables.store.add_guest(player, name, &name.to_lowercase(), &token_digest, later).await.expect("a guest");
        let local: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
        let address = format!("{local}@example.org");
        letters::execute(&self.database, &format!("update player set email = '{address}' where id = '{player}'")).await;
        Person { caller: Credentials { player, token_digest }, name, address }
    }

    /// Sets how somebody wants letters.
    pub async fn wish(&self, person: &Person, wishes: &str) {
        self.tables.store.keep_letter_wishes(person.caller.player, wishes).await.expect("wishes");
    }

    /// A game that has begun, with so much time for a move.
    pub async fn begin(&self, game: &str, people: &[&Person], seconds_a_move: Option<u32>) -> TableId {
        self.begin_at(Pace { seconds_a_move, ..Pace::default() }, game, people).await
    }

    /// A game that has begun, at this pace.
    pub async fn begin_at(&self, pace: Pace, game: &str, people: &[&Person]) -> TableId {
        let wishes = TableOptions {
            game: self.tables.catalogue.find(game).expect("a game"),
            seats: people.len() as u8,
            // The first to be named begins, and no luck ends the game before its time.
            options: match game {
                "red-queen" => serde_json::json!({"first": 1, "target": 500}),
                _ => serde_json::json!({}),
            },
            pace,
            private: false,
            by_lot: false,
            preset_answers: false,
            bots: Vec::new(),
        };
        let table = self.tables.open(&wishes, Some(people[0].caller.player)).await.expect("a table");
        for (place, person) in people.iter().enumerate() {
            let word = match place + 1 == people.len() {
                true => calm_word(&self.tables, table).await,
                false => person.name.to_owned(),
            };
            self.tables.sit(person.caller.player, table, &word).await.expect("a seat");
        }
        table
    }

    /// The first of the awaited seats and who holds it.
    pub async fn awaited<'a>(&self, table: TableId, people: &[&'a Person]) -> Option<(Seat, &'a Person)> {
        let kept = self.tables.load_fresh(table).await.expect("a table");
        let seat = kept.now.awaiting().iter().next()?;
        let player = kept.holders.iter().find(|holder| holder.seat == seat)?.player?;
        people.iter().find(|person| person.caller.player == player).map(|person| (seat, *person))
    }

    /// Makes moves for one seat after the other until it is this person's turn, or the game is over.
    pub async fn play_until_turn_of(&self, table: TableId, people: &[&Person], person: &Person) {
        for _ in 0..200 {
            match self.awaited(table, people).await {
                Some((seat, mover)) if mover.caller.player != person.caller.player => {
                    self.move_for(table, seat, mover).await
                }
                _ => return,
            }
        }
        panic!("it is never the turn of {}", person.name);
    }

    /// Makes moves for a person until it is somebody else's turn.
    pub async fn play_turn_of(&self, table: TableId, people: &[&Person], person: &Person) {
        for _ in 0..200 {
            match self.awaited(table, people).await {
                Some((seat, mover)) if mover.caller.player == person.caller.player => {
                    self.move_for(table, seat, mover).await
                }
                _ => return,
            }
        }
        panic!("the turn of {} does not end", person.name);
    }

    async fn move_for(&self, table: TableId, seat: Seat, mover: &Person) {
        let kept = self.tables.load_fresh(table).await.expect("a table");
        let mut moves = kept.now.position.legal_moves(seat);
        // Whatever ends nothing by luck.
        moves.sort_unstable_by_key(|line| (line != "draw", line != "end", line.clone()));
        let line = moves.first().expect("a legal move");
        self.tables
            .submit_moves(&mover.caller, table, kept.now.moves_for(Viewer::Seat(seat)), line)
            .await
            .expect("a move");
    }

    /// Somebody looks at a table.
    pub async fn look(&self, table: TableId, person: &Person) {
        let kept = self.tables.load_fresh(table).await.expect("a table");
        let seat = kept.seat_of(Some(person.caller.player)).expect("a seat");
        let moves = kept.now.moves as i32;
        self.tables.store.note_look(table, seat, SeatLook::default(), moves);
        self.tables.store.looks_written().await;
    }

    pub fn pass(&self, time: TimeDelta) {
        self.clock.advance(time);
    }

    /// Waits until nothing is due or under way.
    pub async fn settled(&self) {
        let now = self.clock.now().to_rfc3339();
        let busy = format!("(send_after <= '{now}' or (fixed and trouble is null))");
        letters::until_none(&self.database, &format!("letter where sent_at is null and dropped_at is null and {busy}"))
            .await;
    }

    /// The letters that somebody got, the newest first.
    pub async fn letters_to(&self, person: &Person) -> Vec<letters::Letter> {
        self.settled().await;
        letters::to(&self.database, &person.address).await
    }

    pub async fn count(&self, condition: &str) -> i64 {
        let text = format!("select count(*) from letter where {condition}");
        let mut connection = self.database.connection().await;
        sqlx::query_scalar(AssertSqlSafe(text)).fetch_one(&mut connection).await.expect("a count")
    }
}
