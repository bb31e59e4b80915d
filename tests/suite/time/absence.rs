//! What happens to seats and tables whose players stay away.

use super::*;

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
