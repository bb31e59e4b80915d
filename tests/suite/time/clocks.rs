//! Times for a move, banks, waking hours, days off and pauses.

use super::*;

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
