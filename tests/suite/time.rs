//! Time at the table, days of it in a moment: the clock is set by hand.

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

#[actix_web::test]
async fn when_the_time_for_a_move_is_over_the_default_move_is_made() {
    let house = House::at("2027-02-01T12:00").await;
    let table = house.table(Pace::a_move(DAY)).await;
    assert_eq!(house.deadline(table, ONE).await, Some(utc("2027-02-02T12:00")));
    house.pass(TimeDelta::minutes(24 * 60 - 1));
    house.sweep().await;
    assert_eq!(house.now(table).await.moves, 0);
    house.pass(TimeDelta::minutes(1));
    house.sweep().await;
    let now = house.now(table).await;
    assert!(now.moves > 0 && now.clocks[ONE.index()].misses == 1);
    assert!(house.log(table).await.contains("Time ran out for Seat 1."));
    assert_eq!(
        (house.letters("time-ran-out", &house.one).await, house.letters("time-ran-out", &house.two).await),
        (1, 0)
    );
    assert_eq!(now.deadline(), Some(utc("2027-02-03T12:00")));
    house.is_sound(table).await;
}

#[actix_web::test]
async fn a_bank_is_spent_refilled_and_never_fuller_than_its_most() {
    let house = House::at("2027-02-01T12:00").await;
    let table = house.table(Pace::banked(12 * HOUR, HOUR, 14 * HOUR)).await;
    assert_eq!(house.deadline(table, ONE).await, Some(utc("2027-02-02T00:00")));
    house.hours(8);
    let mut moves = house.end_turn(&house.one, table).await;
    house.end_turn(&house.two, table).await;
    // Twelve hours, eight spent, and one more for each move.
    let left = |moves: i64| Some(house.clock.now() + TimeDelta::hours(4 + moves));
    assert_eq!(house.deadline(table, ONE).await, left(moves));
    for _ in 0..2 {
        moves += house.end_turn(&house.one, table).await;
        house.end_turn(&house.two, table).await;
    }
    assert_eq!(house.deadline(table, ONE).await, left(moves));
    moves += house.end_turn(&house.one, table).await;
    // The other has answered at once each time: no bank holds more than its most.
    assert_eq!(house.deadline(table, TWO).await, Some(house.clock.now() + TimeDelta::hours(14)));
    house.end_turn(&house.two, table).await;
    house.hours(4 + moves);
    house.tables.process_due_tables().await.unwrap();
    assert_eq!(house.now(table).await.clocks[ONE.index()].misses, 1);
    house.is_sound(table).await;
    // What is left of an empty bank is the refill.
    if house.now(table).await.awaiting().contains(TWO) {
        house.end_turn(&house.two, table).await;
    }
    assert_eq!(house.deadline(table, ONE).await, Some(house.clock.now() + TimeDelta::hours(1)));
}

#[actix_web::test]
async fn where_the_nights_are_left_out_clocks_keep_to_the_players_hours_in_march_and_october() {
    for (now, deadline) in [("2027-03-27T18:00", "2027-03-28T09:00"), ("2027-10-30T17:00", "2027-10-31T10:00")] {
        let house = House::at(now).await;
        house.tables.declare_hours(house.one.player, awake("Europe/Berlin", "08:00", "20:00")).await.unwrap();
        let pace = Pace { nights_off: true, ..Pace::a_move(4 * HOUR) };
        // It is 19:00 in Berlin: an hour today, and three when the clocks have changed.
        let table = house.table(pace).await;
        assert_eq!(house.deadline(table, ONE).await, Some(utc(deadline)));
        let always = house.table(Pace::a_move(4 * HOUR)).await;
        assert_eq!(house.deadline(always, ONE).await, Some(utc(now) + TimeDelta::hours(4)));
        // Who has declared nothing has no hours off.
        house.end_turn(&house.one, table).await;
        assert_eq!(house.deadline(table, TWO).await, Some(utc(now) + TimeDelta::hours(4)));
        house.is_sound(table).await;
    }
}

#[actix_web::test]
async fn new_hours_count_from_now_on() {
    let house = House::at("2027-02-01T12:00").await;
    let table = house.table(Pace { nights_off: true, ..Pace::a_move(10 * HOUR) }).await;
    house.hours(6);
    // Four hours are left; it is 18:00.
    house.tables.declare_hours(house.one.player, awake("UTC", "09:00", "20:00")).await.unwrap();
    assert_eq!(house.deadline(table, ONE).await, Some(utc("2027-02-02T11:00")));
    house.hours(15);
    house.tables.declare_hours(house.one.player, None).await.unwrap();
    assert_eq!(house.deadline(table, ONE).await, Some(utc("2027-02-02T11:00")));
    let short = house.tables.declare_hours(house.one.player, awake("UTC", "09:00", "16:59")).await;
    assert!(matches!(short, Err(MoveError::Refused { .. })));
    house.is_sound(table).await;
}

#[actix_web::test]
async fn on_days_off_clocks_stand_at_every_table_and_there_are_so_many_a_year() {
    let house = House::at("2027-02-01T12:00").await;
    let running = house.table(Pace::a_move(DAY)).await;
    let day = |text: &str| text.parse().unwrap();
    let announce =
        |first: &str, last: &str| house.tables.announce_days_off(house.one.player, day(first), day(last), 21);
    announce("2027-02-02", "2027-02-08").await.unwrap();
    // Half a day today, and half of it when they are back.
    assert_eq!(house.deadline(running, ONE).await, Some(utc("2027-02-09T12:00")));
    assert!(house.log(running).await.contains("Seat 1 takes days off until 9 February 2027"));
    // A table that begins later is told, too.
    let later = house.table(Pace::a_move(2 * DAY)).await;
    assert_eq!(house.deadline(later, ONE).await, Some(utc("2027-02-10T12:00")));
    for (first, last) in [("2027-02-08", "2027-02-09"), ("2027-01-31", "2027-02-01"), ("2027-03-01", "2027-03-15")] {
        assert!(matches!(announce(first, last).await, Err(MoveError::Refused { .. })), "{first}");
    }
    announce("2027-03-01", "2027-03-14").await.unwrap();

    house.hours(24 * 5);
    house.sweep().await;
    let now = house.now(running).await;
    assert_eq!(now.moves, 0);
    assert!(now.times.away_at(ONE, house.clock.now()).is_some());
    // Back on Saturday at noon.
    let days = house.tables.store.days_off(house.one.player, house.clock.now()).await.unwrap();
    house.tables.end_days_off(house.one.player, days[0].id).await.unwrap();
    assert_eq!(house.deadline(running, ONE).await, Some(utc("2027-02-07T00:00")));
    assert_eq!(house.deadline(later, ONE).await, Some(utc("2027-02-08T00:00")));
    // The days that were not needed are there again: five were.
    announce("2027-04-01", "2027-04-02").await.unwrap();
    assert!(announce("2027-05-01", "2027-05-01").await.is_err());
    house.is_sound(running).await;
}

#[actix_web::test]
async fn a_table_that_was_not_told_of_days_off_learns_of_them_before_time_runs_out() {
    let house = House::at("2027-02-01T12:00").await;
    let table = house.table(Pace::a_move(DAY)).await;
    // The house stopped between noting the days and telling the table.
    sqlx::query(
        "insert into vacation (id, player_id, first_day, last_day, from_at, until_at, announced_at)
         values (gen_random_uuid(), $1, '2027-02-02', '2027-02-04', '2027-02-02T00:00Z', '2027-02-05T00:00Z', '2027-02-01T12:00Z')",
    )
    .bind(house.one.player)
    .execute(&mut house.database.connection().await)
    .await
    .unwrap();
    house.hours(25);
    house.sweep().await;
    let now = house.now(table).await;
    assert_eq!((now.moves, now.deadline()), (0, Some(utc("2027-02-05T12:00"))));
}

#[actix_web::test]
async fn a_pause_that_all_agree_on_stops_every_clock() {
    let house = House::at("2027-02-01T12:00").await;
    let table = house.table(Pace::a_move(DAY)).await;
    house.hours(10);
    let pause = |who: &Credentials, until: Option<&str>| {
        let (who, until, tables) = (who.clone(), until.map(utc), house.tables.clone());
        async move { tables.agree_to_pause(&who, table, true, until).await.unwrap() }
    };
    pause(&house.one, None).await;
    assert!(!house.now(table).await.times.paused);
    pause(&house.two, None).await;
    assert!(house.now(table).await.times.paused && house.deadline(table, ONE).await.is_none());
    house.hours(24 * 30);
    house.sweep().await;
    assert_eq!(house.now(table).await.moves, 0);
    house.tables.resume(&house.two, table).await.unwrap();
    assert_eq!(house.deadline(table, ONE).await, Some(house.clock.now() + TimeDelta::hours(14)));

    // Another date is another proposal; one with a date ends by itself.
    pause(&house.one, Some("2027-04-01T00:00")).await;
    pause(&house.two, Some("2027-05-01T00:00")).await;
    assert!(!house.now(table).await.times.paused);
    pause(&house.one, Some("2027-05-01T00:00")).await;
    assert!(house.now(table).await.times.paused);
    house.pass(utc("2027-05-01T00:00") - house.clock.now());
    house.sweep().await;
    assert_eq!(house.deadline(table, ONE).await, Some(utc("2027-05-01T14:00")));
    assert!(house.log(table).await.contains("The pause is over."));
    house.is_sound(table).await;
}

#[actix_web::test]
async fn a_bot_keeps_the_seat_until_its_owner_returns() {
    let house = House::at("2027-02-01T12:00").await;
    let table = house.table(Pace { when_late: WhenLate::Bot, ..Pace::a_move(DAY) }).await;
    let turns = house.letters("turn", &house.one).await;
    house.hours(24);
    house.sweep().await;
    let now = house.now(table).await;
    assert!(now.times.kept.contains(ONE) && now.moves == 0);
    assert_eq!(house.letters("time-ran-out", &house.one).await, 1);
    assert!(house.log(table).await.contains("A bot keeps the seat until Seat 1 returns."));
    // The bot moves until the other is to move.
    for _ in 0..60 {
        house.pass(TimeDelta::seconds(2));
        house.sweep().await;
    }
    let now = house.now(table).await;
    assert!(now.moves > 0 && now.awaiting().contains(TWO), "{:?}", now.awaiting());
    assert_eq!(house.letters("turn", &house.one).await, turns, "nobody writes to whoever a bot plays for");

    house.tables.come_back(&house.one, table).await.unwrap();
    let now = house.now(table).await;
    assert!(!now.times.kept.contains(ONE) && now.clocks[ONE.index()].misses == 0);
    house.end_turn(&house.two, table).await;
    assert_eq!(house.deadline(table, ONE).await, Some(house.clock.now() + TimeDelta::days(1)));

    // Or by any move.
    house.hours(24);
    house.tables.process_due_tables().await.unwrap();
    let now = house.now(table).await;
    assert!(now.times.kept.contains(ONE));
    house.tables.submit_moves(&house.one, table, now.moves, "end").await.expect("a move");
    assert!(!house.now(table).await.times.kept.contains(ONE));
    assert!(house.log(table).await.contains("Seat 1 is back"));
    house.is_sound(table).await;
}

/// Lets the first miss so many moves in a row while the second plays on.
async fn miss(house: &House, table: TableId, moves: u8) {
    let before = house.now(table).await.clocks[ONE.index()].misses;
    for _ in 0..200 {
        let now = house.now(table).await;
        if now.clocks[ONE.index()].misses >= before + moves {
            return;
        }
        if now.awaiting().contains(TWO) {
            house.end_turn(&house.two, table).await;
        } else {
            house.hours(24);
            house.sweep().await;
        }
    }
    panic!("nobody misses anything");
}

#[actix_web::test]
async fn after_three_misses_in_a_row_the_others_may_go_on_or_end_the_table() {
    let house = House::at("2027-02-01T12:00").await;
    let table = house.table(Pace::a_move(DAY)).await;
    miss(&house, table, 2).await;
    assert!(house.now(table).await.missing().is_empty());
    miss(&house, table, 1).await;
    assert!(house.now(table).await.missing().contains(ONE));
    house.tables.go_on(&house.two, table).await.unwrap();
    assert!(house.now(table).await.missing().is_empty());
    assert!(house.log(table).await.contains("Seat 2 goes on with the game."));
    miss(&house, table, 3).await;
    house.tables.agree_to_end(&house.two, table, true).await.unwrap();
    let now = house.now(table).await;
    assert_eq!((now.status(), now.ended), (Status::Over, Some(Ending::Agreed)));
    house.is_sound(table).await;
}

#[actix_web::test]
async fn a_table_where_everybody_missed_a_lap_is_closed() {
    for when_late in [WhenLate::DefaultMove, WhenLate::Bot] {
        let house = House::at("2027-02-01T12:00").await;
        let table = house.table(Pace { when_late, ..Pace::a_move(DAY) }).await;
        for _ in 0..40 {
            house.hours(12);
            house.sweep().await;
        }
        let now = house.now(table).await;
        assert_eq!((now.status(), now.ended), (Status::Over, Some(Ending::Abandoned)), "{when_late:?}");
        assert!(now.winners().is_empty() && now.revealed.is_some());
        assert_eq!(house.letters("over", &house.two).await, 1);
        assert!(house.log(table).await.contains("Nobody plays here any more"));
        house.is_sound(table).await;
    }
}

#[actix_web::test]
async fn one_person_among_bots_is_waited_for_as_long_as_others_would_be() {
    let house = House::at("2027-02-01T12:00").await;
    let wishes = TableOptions { bots: vec![Level::Easy.into()], ..house.wishes(Pace::a_move(DAY)) };
    // The bot may win before anybody is missed for long.
    for _ in 0..20 {
        let table = house.tables.open(&wishes, Some(house.one.player)).await.unwrap();
        house.tables.sit(house.one.player, table, "").await.unwrap();
        let mut seen = 0;
        let ended = loop {
            let now = house.now(table).await;
            if now.status() == Status::Over {
                break now.ended;
            }
            seen = seen.max(now.clocks[ONE.index()].misses);
            house.pass(if now.awaiting().contains(ONE) { TimeDelta::days(1) } else { TimeDelta::seconds(2) });
            house.tables.process_due_tables().await.unwrap();
        };
        if ended.is_some() {
            assert_eq!((seen, ended), (2, Some(Ending::Abandoned)));
            return;
        }
    }
    panic!("the bot always wins");
}

#[actix_web::test]
async fn two_processes_that_sweep_at_once_see_to_every_table_once() {
    let house = House::at("2027-02-01T12:00").await;
    let mut tables = Vec::new();
    for _ in 0..30 {
        tables.push(house.table(Pace::a_move(DAY)).await);
    }
    house.hours(25);
    let other = process(&house.database, &house.clock);
    let sweep = async |tables: &Tables| while tables.process_due_tables().await.unwrap() > 0 {};
    tokio::join!(sweep(&house.tables), sweep(&other));
    for table in tables {
        assert_eq!(house.now(table).await.clocks[ONE.index()].misses, 1);
    }
    assert_eq!(house.letters("time-ran-out", &house.one).await, 30);
}

#[actix_web::test]
async fn time_in_which_the_house_was_closed_does_not_count() {
    let house = House::at("2027-02-01T12:00").await;
    house.tables.note_pulse(false).await.unwrap();
    let table = house.table(Pace::a_move(DAY)).await;
    house.hours(22);
    house.tables.note_pulse(true).await.unwrap();
    // Two hours before the time is over the house closes for ten.
    house.hours(10);
    let (here, there) = (process(&house.database, &house.clock), process(&house.database, &house.clock));
    let (first, second) = tokio::join!(here.note_pulse(false), there.note_pulse(false));
    first.and(second).unwrap();
    while here.process_due_tables().await.unwrap() > 0 {}
    let now = house.now(table).await;
    assert_eq!((now.moves, now.deadline()), (0, Some(utc("2027-02-02T22:00"))));
    assert!(house.log(table).await.contains("The house was closed for a while."));
    assert_eq!(house.letters("time-ran-out", &house.one).await, 0);
    house.hours(2);
    house.sweep().await;
    assert!(house.now(table).await.moves > 0);
    house.is_sound(table).await;
}

#[actix_web::test]
async fn a_short_stop_and_a_clock_that_jumps_under_a_waking_house_are_no_outage() {
    let house = House::at("2027-02-01T12:00").await;
    house.tables.note_pulse(false).await.unwrap();
    let table = house.table(Pace::a_move(DAY)).await;
    house.pass(TimeDelta::minutes(9));
    house.tables.note_pulse(false).await.unwrap();
    house.hours(24);
    house.tables.note_pulse(true).await.unwrap();
    house.sweep().await;
    assert_eq!(house.now(table).await.clocks[ONE.index()].misses, 1);
}

#[actix_web::test]
async fn pages_tell_of_pace_hours_and_days_off() {
    let database = TestDatabase::new();
    let service = Service::start_with(&database, |settings| settings.days_off = 5);
    let (one, two) = (service.visitor(), service.visitor());
    let open = [
        ("game", "red-queen"),
        ("seat-2", "person"),
        ("option-first", "1"),
        ("pace", "bank-86400-14400-172800"),
        ("nights", "yes"),
        ("late", "bot"),
    ];
    let refused = one.post("/tables", &[("game", "red-queen"), ("seat-2", "person"), ("pace", "move-60")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let table = one.post("/tables", &open).await.location();
    let pace =
        "a bank of a day, and 4 hours more for each move up to 2 days, nights left out; when time runs out a bot keeps";
    assert!(one.look(&table).await.contains(pace));
    let table = seat_two(&one, &two, &open[1..]).await;
    let page = one.look(&table).await;
    assert!(page.contains(pace) && page.contains("in 24 hours") && page.contains("Pause the game"), "{page}");
    assert!(one.look("/").await.contains("your move · 24 h left"));

    assert!(page.contains("tell us when you are awake"));
    let hours = [("zone", "Europe/Berlin"), ("from", "08:00"), ("until", "23:00")];
    assert_eq!(one.post("/me/hours", &hours).await.status, StatusCode::SEE_OTHER);
    assert!(one.look("/me").await.contains("from 08:00 to 23:00 Berlin time"));
    assert!(!one.look(&table).await.contains("tell us when you are awake"));
    // Their day may have begun before ours.
    let today = Utc::now().with_timezone(&chrono_tz::Europe::Berlin).date_naive();
    let day = |days: i64| (today + TimeDelta::days(days)).to_string();
    let off = [("first", day(2)), ("last", day(7))];
    let off: Vec<_> = off.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let refused = one.post("/me/days-off", &off).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let off = [("first", day(0)), ("last", day(1))];
    let off: Vec<_> = off.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(one.post("/me/days-off", &off).await.status, StatusCode::SEE_OTHER);
    let me = one.look("/me").await;
    assert!(me.contains("I'm back") && me.contains("of 5 left this year"), "{me}");
    assert!(two.look(&table).await.contains("Away until"));

    one.post(&format!("{table}/pause"), &[("pause", "true"), ("until", &day(30))]).await;
    assert!(two.look(&table).await.contains("would like a pause until"));
    let moment = format!("{}T00:00:00Z", day(30));
    let berlin = two.look(&table).await;
    let proposed =
        berlin.split("name=\"moment\" value=\"").nth(1).expect("the moment").split('"').next().unwrap().to_owned();
    assert_ne!(proposed, moment, "midnight in Berlin is not midnight in Greenwich");
    two.post(&format!("{table}/pause"), &[("pause", "true"), ("moment", &proposed)]).await;
    assert!(two.look(&table).await.contains("The game is paused"));
    one.post(&format!("{table}/resume"), &[]).await;
    assert!(!two.look(&table).await.contains("The game is paused"));
}

#[actix_web::test]
async fn the_desk_tells_whose_seat_a_bot_keeps() {
    // A day ago, so that it is over now.
    let yesterday = (Utc::now() - TimeDelta::hours(25)).format("%Y-%m-%dT%H:%M").to_string();
    let house = House::at(&yesterday).await;
    let address = "alice@example.org";
    let known = format!("update player set email = '{address}' where id = '{}'", house.one.player);
    letters::execute(&house.database, &known).await;
    let service = Service::start(&house.database);
    let visitor = service.visitor();
    letters::sign_in(&house.database, &visitor, address).await;
    let table = house.table(Pace { when_late: WhenLate::Bot, ..Pace::a_move(DAY) }).await;
    let words = "A bot is playing for you until you return.";
    house.hours(25);
    house.sweep().await;
    assert!(house.now(table).await.times.kept.contains(ONE));
    let desk = visitor.look("/").await;
    assert!(desk.contains(words) && desk.contains(&format!("/t/{table}")), "{desk}");
    visitor.post(&format!("/t/{table}/return"), &[]).await.location();
    assert!(!visitor.look("/").await.contains(words));
}

#[actix_web::test]
async fn hours_letters_and_days_off_are_where_the_player_last_said() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    visitor.post("/daily", &[]).await.location();
    let chosen = |page: &str| {
        let zones = page.split("<select id=\"zone\"").nth(1).expect("zones");
        let before = zones.split(" selected").next().expect("a zone");
        before.rsplit("value=\"").next().expect("a zone").trim_end_matches('"').to_owned()
    };
    assert_eq!(chosen(&visitor.look("/me").await), "UTC");
    let wishes = [("when", "held"), ("zone", "Pacific/Auckland"), ("digest_at", "18:30")];
    assert_eq!(visitor.post("/me/letters", &wishes).await.status, StatusCode::SEE_OTHER);
    let me = visitor.look("/me").await;
    assert_eq!(chosen(&me), "Pacific/Auckland");
    assert!(me.contains("From midnight to midnight, Auckland time."), "{me}");
    let first = (Utc::now().date_naive() + TimeDelta::days(10)).to_string();
    let days = [("first", first.as_str()), ("last", first.as_str())];
    assert_eq!(visitor.post("/me/days-off", &days).await.status, StatusCode::SEE_OTHER);
    // Midnight in Auckland is at ten, eleven or twelve on the day before.
    let begin = "select extract(hour from from_at at time zone 'Pacific/Auckland')::int + extract(hour from from_at at time zone 'UTC')::int
                 from vacation";
    let hours: i32 = sqlx::query_scalar(begin).fetch_one(&mut database.connection().await).await.unwrap();
    assert!((10..=12).contains(&hours), "{hours}");
    // What is said last counts for all.
    let hours = [("zone", "Europe/Berlin"), ("from", "08:00"), ("until", "23:00")];
    assert_eq!(visitor.post("/me/hours", &hours).await.status, StatusCode::SEE_OTHER);
    let me = visitor.look("/me").await;
    assert_eq!(chosen(&me), "Europe/Berlin");
    assert!(me.contains("From midnight to midnight, Berlin time."), "{me}");
}
