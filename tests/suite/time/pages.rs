//! What pages tell of time.

use super::*;

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
