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
    assert!(desk.contains("Your desk") && desk.contains("Red Queen") && desk.contains("Brunel (strong bot)"), "{desk}");
}

#[actix_web::test]
async fn only_a_grave_move_is_asked_for_unless_the_player_wants_that_of_all_or_of_none() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    let step = Page(&one.look(&table).await).step();
    // Ending a turn gives up what is left of it.
    let asked = one.say(&table, step, "end").await;
    assert_eq!(asked.status, StatusCode::OK);
    assert!(asked.body.contains("id=\"confirm\"") && asked.body.contains("Cancel"), "{}", asked.body);
    assert!(one.look(&table).await.contains("Your move"), "nothing was said yet");
    // What comes of a card drawn is not shown.
    one.post("/me/settings", &[("theme", "system"), ("confirm_moves", "yes")]).await;
    let asked = one.say(&table, step, "draw").await;
    assert!(asked.body.contains("depends on chance"), "{}", asked.body);
    one.post("/me/settings", &[("theme", "system")]).await;
    assert_eq!(one.say(&table, step, "draw").await.status, StatusCode::SEE_OTHER);
    // Once more, and never again in this game.
    let step = Page(&one.look(&table).await).step();
    let sure = [("step", &*step.to_string()), ("say", "end"), ("sure", "yes"), ("never-ask", "yes")];
    assert_eq!(one.post(&format!("{table}/say"), &sure).await.status, StatusCode::SEE_OTHER);
    assert!(one.look(&table).await.contains(", to move"));
    let theirs = Page(&two.look(&table).await).step();
    let sure = [("step", &*theirs.to_string()), ("say", "end"), ("sure", "yes")];
    assert_eq!(two.post(&format!("{table}/say"), &sure).await.status, StatusCode::SEE_OTHER);
    let step = Page(&one.look(&table).await).step();
    assert_eq!(one.say(&table, step, "end").await.status, StatusCode::SEE_OTHER);
}

#[actix_web::test]
async fn the_link_to_a_private_table_lets_people_in_while_there_is_a_seat() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, guest, stranger) = (service.visitor(), service.visitor(), service.visitor());
    let table = open(&host, &[("seat-2", "person"), ("private", "yes")]).await;
    sit(&host, &table).await;
    let body = host.look(&table).await;
    let link = format!("/i/{}", Page(&body).between("/i/", "\"")[0]);
    assert!(guest.look(&link).await.contains("Join"));
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
    assert!(host.look(&table).await.contains("dormouse@example.org"), "the host sees what they typed");
    assert!(!service.visitor().look(&table).await.contains("dormouse@example.org"), "and nobody else does");
    let guest = service.visitor();
    let link = letter.link();
    assert!(guest.look(&link).await.contains("Join"));
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
    assert!(two.look(&format!("{table}/check")).await.contains("everything checks out"));
    let again = two.post(&format!("{table}/rematch"), &[]).await.location();
    assert_ne!(again, table);
    assert!(one.look("/").await.contains("wants a rematch"));

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
    assert!(two.at(&there.url).look(&table).await.contains("Your move"));
    assert!(two.look(&table).await.contains("since you looked"));
}
