//! Several processes, and time in which none ran.

use super::*;

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
