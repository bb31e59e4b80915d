//! Time at the table, days of it in a moment: the clock is set by hand.

mod absence;
mod clocks;
mod outages;
mod pages;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::StatusCode;
use sqlx::Row;
use wonderpost::app::clock::Clock;
use wonderpost::local_time::WakingHours;
use wonderpost::tables::audit::rebuild::Comparison;
use wonderpost::tables::clock::pace::{Pace, WhenLate};
use wonderpost::tables::state::record::Ending;
use wonderpost::tables::state::table_state::{Status, TableState};
use wonderpost::tables::{Credentials, MoveError, TableId, TableOptions, Tables};
use wonderpost_rules::{Level, Seat, Viewer};

use crate::harness::red_queen::seat_two;
use crate::harness::table::guest;
use crate::harness::{Service, TestDatabase, letters};

const HOUR: u32 = 3_600;
const DAY: u32 = 24 * HOUR;
const ONE: Seat = Seat::new(1).unwrap();
const TWO: Seat = Seat::new(2).unwrap();

fn utc(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(&format!("{text}:00Z")).unwrap().with_timezone(&Utc)
}

/// A house whose clock is set by hand, and two who play there.
struct House {
    database: TestDatabase,
    clock: Clock,
    tables: Arc<Tables>,
    one: Credentials,
    two: Credentials,
}

impl House {
    async fn at(time: &str) -> House {
        let database = TestDatabase::new();
        let clock = Clock::by_hand(utc(time));
        let tables = process(&database, &clock);
        let (one, two) = (guest(&tables.store).await, guest(&tables.store).await);
        House { database, clock, tables, one, two }
    }

    fn wishes(&self, pace: Pace) -> TableOptions {
        TableOptions {
            game: self.tables.catalogue.find("red-queen").expect("the game"),
            seats: 2,
            // No luck ends the game before its time.
            options: serde_json::json!({"first": 1, "target": 500}),
            pace,
            private: false,
            by_lot: false,
            preset_answers: false,
            bots: Vec::new(),
        }
    }

    /// A table at which both sit; the first is to move.
    async fn table(&self, pace: Pace) -> TableId {
        for _ in 0..20 {
            let table = self.tables.open(&self.wishes(pace), Some(self.one.player)).await.expect("a table");
            for caller in [&self.one, &self.two] {
                self.tables.sit(caller.player, table, "").await.expect("a seat");
            }
            let now = self.now(table).await;
            if now.awaiting().contains(ONE) && now.position.ranking_key().iter().all(|score| *score == 0) {
                return table;
            }
            // The deal alone won a round: that is luck, and not what is tried out here.
            self.tables.resign(&self.one, table).await.expect("the end");
            sqlx::query("delete from letter where table_id = $1")
                .bind(table)
                .execute(&mut self.database.connection().await)
                .await
                .expect("no letters");
        }
        panic!("too much luck");
    }

    fn pass(&self, time: TimeDelta) {
        self.clock.advance(time);
    }

    fn hours(&self, hours: i64) {
        self.pass(TimeDelta::hours(hours));
    }

    /// Sees to everything that is due now.
    async fn sweep(&self) {
        for _ in 0..50 {
            if self.tables.process_due_tables().await.expect("a sweep") == 0 {
                return;
            }
        }
        panic!("something is due for ever");
    }

    async fn now(&self, table: TableId) -> TableState {
        self.tables.load_fresh(table).await.expect("a table").now.clone()
    }

    /// Ends the turn of whoever is to move; says how many moves that took.
    async fn end_turn(&self, caller: &Credentials, table: TableId) -> i64 {
        let kept = self.tables.load_fresh(table).await.expect("a table");
        let seat = kept.seat_of(Some(caller.player)).expect("a seat");
        for moves in 0..20 {
            let now = self.now(table).await;
            let Some(line) = now.position.default_move(seat) else { return moves };
            self.tables.submit_moves(caller, table, now.moves, line.as_str()).await.expect("the default move");
        }
        panic!("the turn does not end");
    }

    async fn deadline(&self, table: TableId, seat: Seat) -> Option<DateTime<Utc>> {
        self.now(table).await.deadline_of(seat)
    }

    async fn log(&self, table: TableId) -> String {
        let kept = self.tables.load_fresh(table).await.expect("a table");
        let leaf = self.tables.table_at_move(&kept, kept.now.moves, Viewer::Public).await.expect("a log");
        let line = |line: String| Seat::fill_marks(&line, |seat| format!("Seat {seat}"));
        leaf.log.into_iter().flat_map(|entry| entry.lines).map(line).collect::<Vec<_>>().join("\n")
    }

    async fn letters(&self, kind: &str, caller: &Credentials) -> i64 {
        sqlx::query("select count(*) from letter where kind = $1 and player_id = $2")
            .bind(kind)
            .bind(caller.player)
            .fetch_one(&mut self.database.connection().await)
            .await
            .expect("a count")
            .get(0)
    }

    /// Folding all events anew gives what stands in the books, and every move is by the rules.
    async fn is_sound(&self, table: TableId) {
        let comparison = self.tables.rebuild(table, false).await.expect("events");
        assert!(matches!(comparison, Comparison::Same), "{comparison:?}");
        let report = self.tables.check(table).await.expect("events");
        assert!(!report.fails(), "{report}");
        let fresh = process(&self.database, &self.clock).load_fresh(table).await.expect("a table").now.clone();
        let now = self.now(table).await;
        assert_eq!(fresh.clocks, now.clocks);
        assert_eq!(fresh.deadline(), now.deadline());
    }
}

/// One more process of the house.
fn process(database: &TestDatabase, clock: &Clock) -> Arc<Tables> {
    Arc::new(Tables::new(database.store().with_clock(clock.clone()), wonderpost_games::catalogue(), Arc::default()))
}

fn awake(zone: &str, from: &str, until: &str) -> Option<WakingHours> {
    Some(WakingHours { zone: zone.parse().unwrap(), from: from.parse().unwrap(), until: until.parse().unwrap() })
}
