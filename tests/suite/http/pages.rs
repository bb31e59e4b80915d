//! Pages: what is shown where, and to whom.

use chrono::{Days, Utc};
use reqwest::{Method, StatusCode};

use crate::harness::page::Page;
use crate::harness::{Service, TestDatabase};
use crate::store::days::a_day_ahead;

#[tokio::test]
async fn from_the_front_page_to_a_move_and_back() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let front = visitor.look("/").await;
    assert!(front.contains("We Are Not Amused") && front.contains("/games/we-are-not-amused"), "{front}");
    assert!(!front.contains("Your move</h2>"));

    let table = visitor.open().await;
    let open = visitor.look(&table).await;
    assert!(open.contains("Cut the deck") && open.contains("class=\"digest\""), "{open}");
    let sat = visitor.post(&format!("{table}/sit"), &[("cut", "jam tomorrow")]).await;
    assert_eq!(sat.location(), table);
    let begun = visitor.look(&table).await;
    assert!(begun.contains("Your move") && begun.contains("jam tomorrow") && begun.contains("id=\"board\""));

    let (step, _) = visitor.move_on(&table).await.expect("a move");
    assert_eq!(step, 0);
    let moved = visitor.look(&table).await;
    assert!(moved.contains("After move 1"), "{moved}");
    let front = visitor.look("/").await;
    assert!(front.contains("Your move</h2>") && front.contains(&table) && front.contains("your move"), "{front}");

    visitor.end(&table).await;
    let over = visitor.look(&table).await;
    assert!(over.contains("The game is over") && !over.contains("name=\"say\""), "{over}");
    let front = visitor.look("/").await;
    assert!(front.contains("Finished") && front.contains(&table), "{front}");
}

#[tokio::test]
async fn history_is_there_at_every_step_and_changes_nothing() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    let mut boards = vec![board(&visitor.look(&table).await).to_owned()];
    for _ in 0..12 {
        visitor.move_on(&table).await.expect("a move");
        boards.push(board(&visitor.look(&table).await).to_owned());
    }
    let other = service.visitor();
    for (number, expected) in boards.iter().enumerate() {
        for somebody in [&visitor, &other] {
            let page = somebody.look(&format!("{table}/at/{number}")).await;
            assert_eq!(board(&page), expected, "step {number}");
            let place = if number == 0 { "The deal".to_owned() } else { format!("Move {number} of 12") };
            assert!(page.contains(&format!("state\">{place}<")), "{page}");
            assert!(!page.contains("name=\"say\""), "nothing can be done in the past");
            let to = |number: usize| format!("href=\"{table}/at/{number}\"");
            assert_eq!(page.contains("rel=\"prev\""), number > 0);
            assert_eq!(page.contains("rel=\"next\""), number < 12);
            assert!(number == 0 || page.contains(&to(number - 1)));
            assert!(number == 12 || page.contains(&to(number + 1)));
        }
    }
    for nowhere in ["13", "4294967296", "-1", "x"] {
        let answer = visitor.get(&format!("{table}/at/{nowhere}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{nowhere}");
    }
}

/// The cells of the garden in words: the same in the present and in the past, but for what has just changed.
fn board(page: &str) -> &str {
    let (_, rest) = page.split_once("<tbody").expect("a garden in words");
    rest.split_once("</tbody>").expect("its end").0
}

#[tokio::test]
async fn the_export_of_a_running_game_holds_no_events_and_that_of_a_finished_one_all() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    for _ in 0..4 {
        visitor.move_on(&table).await;
    }
    for somebody in [&visitor, &service.visitor()] {
        let file = somebody.look(&format!("{table}/export.jsonl")).await;
        assert_eq!(file.lines().count(), 6, "{file}");
        for hidden in ["\"digest\"", "\"secret\"", "table-drew", "laid-out"] {
            assert!(!file.contains(hidden), "{hidden}: {file}");
        }
        assert!(wonderpost::tables::history::export::read(&file).is_err());
        let check = somebody.look(&format!("{table}/check")).await;
        assert!(check.contains("not yet") && !check.contains("it fails"), "{check}");
    }
    visitor.end(&table).await;
    let answer = service.visitor().get(&format!("{table}/export.jsonl")).await;
    assert!(answer.header("content-disposition").contains(".jsonl\""));
    let game = wonderpost::tables::history::export::read(&answer.body).expect("a game");
    let report = wonderpost::tables::audit::check::check_file(&wonderpost_games::catalogue(), &game);
    assert!(report.is_complete(), "{report}");
    let check = service.visitor().look(&format!("{table}/check")).await;
    assert!(check.contains("everything checks out"), "{check}");
}

#[tokio::test]
async fn a_game_of_today_shows_its_result_alone_until_one_has_finished_ones_own() {
    a_day_ahead().await;
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two) = (service.visitor(), service.visitor());
    let game = one.post("/daily", &[]).await.location();
    assert_eq!(one.post("/daily", &[]).await.location(), game);
    one.move_on(&game).await.expect("a move");
    let pages = ["", "/at/0", "/at/1", "/check", "/export.jsonl"];
    for page in pages {
        let whole = one.look(&format!("{game}{page}")).await;
        assert!(!whole.contains("A game of today's garden"), "{page}");
        let hidden = two.look(&format!("{game}{page}")).await;
        assert!(hidden.contains("A game of today's garden") && hidden.contains("It is being played"), "{page}");
        assert!(!hidden.contains("id=\"board\""), "{page}");
    }
    let other = two.post("/daily", &[]).await.location();
    assert!(two.look("/daily").await.contains("The games themselves are hidden"));
    two.end(&other).await;
    for page in pages {
        assert!(!two.look(&format!("{game}{page}")).await.contains("A game of today's garden"), "{page}");
    }
    assert!(two.look("/daily").await.contains("are open to you now"));
    // Nothing is published before the day is over, and no other day is known.
    let tomorrow = Utc::now().date_naive().checked_add_days(Days::new(1)).expect("a day");
    let yesterday = Utc::now().date_naive().checked_sub_days(Days::new(1)).expect("a day");
    for day in [&tomorrow.to_string(), &yesterday.to_string(), "2026-13-01", "never"] {
        assert_eq!(two.get(&format!("/daily/{day}")).await.status, StatusCode::NOT_FOUND, "{day}");
    }
    assert!(!two.look(&format!("/daily/{}", Utc::now().date_naive())).await.contains("Its secret"));
    database.tamper(&format!("insert into garden_of_the_day (day, secret) values ('{yesterday}', sha256('x'))")).await;
    let page = two.look(&format!("/daily/{yesterday}")).await;
    assert!(page.contains("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"), "{page}");
}

#[tokio::test]
async fn figures_move_and_the_service_says_how_it_is() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    assert_eq!(visitor.look("/healthz").await, "alive\n");
    assert_eq!(visitor.look("/readyz").await, "ready\n");
    let table = visitor.begin().await;
    let moves = "wonderpost_moves_total{game=\"we-are-not-amused\"}";
    assert!(!visitor.look("/metrics").await.contains(moves));
    for _ in 0..3 {
        visitor.move_on(&table).await.expect("a move");
    }
    assert_eq!(visitor.say(&table, 3, "collect d4").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let figures = visitor.look("/metrics").await;
    for figure in [
        format!("{moves} 3\n"),
        "wonderpost_refusals_total{game=\"we-are-not-amused\"} 1\n".into(),
        "wonderpost_answer_seconds_count{route=\"/t/{id}/say\",status=\"303\"} 3\n".into(),
        "wonderpost_database_connections{state=\"open\"}".into(),
        "# EOF".into(),
    ] {
        assert!(figures.contains(&figure), "{figure}: {figures}");
    }
    assert!(!figures.contains(table.trim_start_matches("/t/")), "no table by name");
}

#[tokio::test]
async fn a_head_request_is_answered_like_the_page_without_it() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    for path in ["/", "/daily", "/chance", &table, &format!("{table}/at/0"), "/healthz", "/nothing"] {
        let (head, page) = (visitor.send(visitor.request(Method::HEAD, path)).await, visitor.get(path).await);
        assert_eq!(head.status, page.status, "{path}");
        assert_eq!(head.header("content-type"), page.header("content-type"), "{path}");
        assert_eq!(head.body, "", "{path}");
    }
}

#[tokio::test]
async fn two_services_on_one_database_show_the_same() {
    let database = TestDatabase::new();
    let (one, two) = (Service::start(&database), Service::start(&database));
    let visitor = one.visitor();
    let table = visitor.begin().await;
    let elsewhere = visitor.at(&two.url);
    for turn in 0..10 {
        let mover = if turn % 2 == 0 { &visitor } else { &elsewhere };
        mover.move_on(&table).await.expect("a move");
        let (here, there) = (visitor.look(&table).await, elsewhere.look(&table).await);
        assert_eq!(Page(&here).without_marks(), Page(&there).without_marks());
        assert_eq!(Page(&here).step(), turn + 1);
    }
}
