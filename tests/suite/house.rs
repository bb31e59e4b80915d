//! Tables for several: sitting down, bots, invitations, previews, leaving, live updates, the archive.

use std::time::Duration;

use reqwest::{Method, StatusCode};

use crate::harness::page::Page;
use crate::harness::red_queen::{open, say, sit, two_at_a_table, until_my_turn};
use crate::harness::table::calm_word;
use crate::harness::{Service, TestDatabase, letters};

#[actix_web::test]
async fn a_newcomer_plays_against_a_bot_at_once() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    assert!(visitor.look("/games/red-queen").await.contains("Against a bot"));
    let table = open(&visitor, &[("seat-2", "decent")]).await;
    sit(&visitor, &table).await;
    let mut moves = 0;
    while moves < 8 {
        let body = until_my_turn(&visitor, &table).await;
        let page = Page(&body);
        let line =
            if page.offers("draw") { "draw".to_owned() } else { page.buttons().first().expect("a move").clone() };
        assert_eq!(say(&visitor, &table, page.step(), &line).await, StatusCode::SEE_OTHER, "{line}");
        moves += 1;
    }
    let desk = visitor.look("/").await;
    assert!(
        desk.contains("Your desk") && desk.contains("Red Queen") && desk.contains("March Hare (decent bot)"),
        "{desk}"
    );
}

#[actix_web::test]
async fn a_move_is_shown_before_it_is_said_unless_the_player_does_not_want_that() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, _, table) = two_at_a_table(&service).await;
    let body = one.look(&table).await;
    let step = Page(&body).step();
    let asked = one.say(&table, step, "end").await;
    assert_eq!(asked.status, StatusCode::OK);
    assert!(asked.body.contains("Say this?") && asked.body.contains("as it would be"), "{}", asked.body);
    assert!(one.look(&table).await.contains("It is your move"), "nothing was said yet");
    // What comes of a card drawn is not shown.
    let asked = one.say(&table, step, "draw").await;
    assert!(asked.body.contains("cannot be taken back"), "{}", asked.body);
    one.post("/me/settings", &[("theme", "system")]).await;
    assert_eq!(one.say(&table, step, "end").await.status, StatusCode::SEE_OTHER);
    assert!(one.look(&table).await.contains("is to move"));
}

#[actix_web::test]
async fn the_link_to_a_private_table_lets_people_in_while_there_is_a_seat() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, guest, stranger) = (service.visitor(), service.visitor(), service.visitor());
    let table = open(&host, &[("seat-2", "person"), ("private", "yes")]).await;
    sit(&host, &table).await;
    let body = host.look(&table).await;
    let link = format!("/i/{}", Page(&body).between("/i/", "<")[0]);
    assert!(guest.look(&link).await.contains("Sit down"));
    assert_eq!(guest.post(&link, &[("cut", "jam")]).await.location(), table);
    assert!(guest.look(&table).await.contains("Red Queen"));
    assert_eq!(stranger.get(&link).await.status, StatusCode::UNPROCESSABLE_ENTITY, "all seats are taken");
}

#[actix_web::test]
async fn somebody_without_an_account_is_invited_by_letter_and_told_of_their_turn() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let host = service.visitor();
    let table = open(&host, &[("seat-2", "person"), ("option-first", "1")]).await;
    sit(&host, &table).await;
    let invited = host.post(&format!("{table}/invite"), &[("address", "dormouse@example.org")]).await;
    assert_eq!(invited.location(), table);
    let letter = letters::newest(&database, "dormouse@example.org").await;
    assert!(!host.look(&table).await.contains("dormouse@example.org"), "addresses are shown to nobody");
    let guest = service.visitor();
    let link = letter.link();
    assert!(guest.look(&link).await.contains("Sit down"));
    let id = table.trim_start_matches("/t/").parse().expect("a table");
    let word = calm_word(&database.tables(), id).await;
    guest.post(&link, &[("cut", &word)]).await.location();
    let tied: bool = sqlx::query_scalar(
        "select exists (select from invitation join seat using (table_id, player_id) where seat = 2 and answer = 'accepted')",
    )
    .fetch_one(&mut database.connection().await)
    .await
    .unwrap();
    assert!(tied, "whoever came as nobody is the one who was invited");
    // The guest attaches an address; the host moves; a letter says so.
    guest.post("/sign-in", &[("email", "dormouse@example.org")]).await.location();
    let sign_in = letters::newest(&database, "dormouse@example.org").await.link();
    guest.post(&sign_in, &[]).await.location();
    let body = until_my_turn(&host, &table).await;
    assert_eq!(say(&host, &table, Page(&body).step(), "end").await, StatusCode::SEE_OTHER);
    letters::settled(&database).await;
    let turn: i64 =
        sqlx::query_scalar("select count(*) from letter where kind = 'turn' and to_address = 'dormouse@example.org'")
            .fetch_one(&mut database.connection().await)
            .await
            .unwrap();
    assert_eq!(turn, 1);
}

#[actix_web::test]
async fn resigning_and_agreeing_end_a_game_and_publish_its_secret() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    assert_eq!(one.post(&format!("{table}/agree"), &[("end", "true")]).await.location(), table);
    assert!(two.look(&table).await.contains("would like to end it here"));
    assert_eq!(two.post(&format!("{table}/agree"), &[("end", "true")]).await.location(), table);
    assert!(two.look(&table).await.contains("Ended by agreement"));
    assert!(two.look(&format!("{table}/check")).await.contains("All of it is as it should be"));
    let again = two.post(&format!("{table}/rematch"), &[]).await.location();
    assert_ne!(again, table);
    assert!(one.look("/").await.contains("asks you to the table"));

    let (one, two, table) = two_at_a_table(&service).await;
    assert_eq!(two.post(&format!("{table}/resign"), &[]).await.location(), table);
    let body = one.look(&table).await;
    assert!(body.contains("Ended by resignation") && body.contains("winner"), "{body}");
    // Now all is revealed: the board of each, and what each was told.
    let all = service.visitor().look(&format!("{table}/at/0?as=all")).await;
    assert_eq!(all.matches("class=\"rq-hand\"").count(), 2, "{all}");
    assert_eq!(all.matches(" was told: Round 1").count(), 4, "each in what changed and in the log: {all}");
    let mut names = Page(&all).between(" id=\"", "\"");
    let number = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), number, "no part of the page is called like another");
    assert!(service.visitor().look("/archive?game=red-queen").await.contains(&table));
}

#[actix_web::test]
async fn moves_are_told_live_on_every_process() {
    let database = TestDatabase::new();
    let (here, there) = (Service::start(&database), Service::start(&database));
    let (one, two, table) = two_at_a_table(&here).await;
    let mut stream = two.at(&there.url).request(Method::GET, &format!("{table}/live")).send().await.expect("a stream");
    let first = stream.chunk().await.unwrap().expect("the version now");
    let mark = |chunk: &[u8]| -> String {
        let text = String::from_utf8_lossy(chunk).into_owned();
        text.split("data: ").nth(1).unwrap_or_else(|| panic!("{text}")).trim().to_owned()
    };
    let before = mark(&first);
    let body = one.look(&table).await;
    assert_eq!(
        Page(&body).between("data-mark=\"", "\""),
        [before.as_str()],
        "the page and the stream mean the same state"
    );
    assert_eq!(say(&one, &table, Page(&body).step(), "end").await, StatusCode::SEE_OTHER);
    let told = async { while mark(&stream.chunk().await.unwrap().expect("a word")) == before {} };
    tokio::time::timeout(Duration::from_secs(10), told).await.expect("told in time");
    assert!(two.at(&there.url).look(&table).await.contains("It is your move"));
    assert!(two.look(&table).await.contains("Since your last visit"));
}
