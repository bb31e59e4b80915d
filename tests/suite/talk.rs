//! Beside the board: talk, notes, and the way to the next table.

use std::time::Duration;

use reqwest::{Method, StatusCode};

use crate::harness::page::Page;
use crate::harness::red_queen::{say, seat_two, two_at_a_table};
use crate::harness::{Service, TestDatabase, letters};

#[actix_web::test]
async fn players_write_to_each_other_and_spectators_read_it_when_the_game_is_over() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    let spectator = service.visitor();
    let talk = format!("{table}/talk");
    let words = "Have some <b>tea</b>\nor jam";
    assert_eq!(one.post(&talk, &[("words", words)]).await.location(), format!("{table}#talk"));
    // The form sent twice is one thing said.
    assert_eq!(one.post(&talk, &[("words", words)]).await.status, StatusCode::SEE_OTHER);
    let page = two.look(&table).await;
    assert_eq!(page.matches("Have some &#60;b&#62;tea&#60;/b&#62;").count(), 1, "{page}");
    assert!(page.contains("only those who sit here can read it"));
    // The others get a letter, whoever wrote it gets none.
    letters::until(&database, "kind = 'talk' and (select count(*) from letter where kind = 'talk') = 1").await;

    assert!(!spectator.look(&table).await.contains("Have some"));
    let api = format!("/api/v1/tables{}/talk", table.trim_start_matches("/t"));
    assert_eq!(spectator.get(&api).await.status, StatusCode::FORBIDDEN);
    assert_eq!(spectator.post(&talk, &[("words", "Let me in")]).await.status, StatusCode::FORBIDDEN);

    for (who, words) in [(&two, "".to_owned()), (&two, "x".repeat(2_001)), (&two, "a\u{1}b".to_owned())] {
        assert_eq!(who.post(&talk, &[("words", &words)]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    one.post(&format!("{table}/resign"), &[]).await;
    assert!(spectator.look(&table).await.contains("Have some"));
    assert!(spectator.look(&api).await.contains("Have some"));
}

#[actix_web::test]
async fn nobody_floods_a_table_with_talk() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    let talk = format!("{table}/talk");
    let id = table.trim_start_matches("/t/");
    letters::execute(
        &database,
        &format!(
            "insert into talk (table_id, seat, player_id, at, move_no, words)
             select table_id, seat, player_id, now(), 0, 'tick ' || number
             from seat, generate_series(1, 59) as number where table_id = '{id}' and seat = 1"
        ),
    )
    .await;
    assert_eq!(one.post(&talk, &[("words", "the last")]).await.status, StatusCode::SEE_OTHER);
    let answer = one.post(&talk, &[("words", "one more")]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.body.contains("a great deal"), "{}", answer.body);
    assert_eq!(two.post(&talk, &[("words", "Stop!")]).await.status, StatusCode::SEE_OTHER);
}

#[actix_web::test]
async fn talk_is_told_live_to_those_at_the_table_alone() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    let live = format!("{table}/live");
    let mut mine = two.request(Method::GET, &live).send().await.expect("a stream");
    let mut public = service.visitor().request(Method::GET, &live).send().await.expect("a stream");
    for stream in [&mut mine, &mut public] {
        stream.chunk().await.unwrap().expect("the version now");
    }
    one.post(&format!("{table}/talk"), &[("words", "Your move, I believe")]).await;
    let told = async {
        loop {
            let chunk = mine.chunk().await.unwrap().expect("a word");
            if String::from_utf8_lossy(&chunk).contains("event: talk") {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(10), told).await.expect("told in time");
    let chunk = tokio::time::timeout(Duration::from_millis(500), public.chunk()).await;
    assert!(!format!("{chunk:?}").contains("talk"), "{chunk:?}");
}

#[actix_web::test]
async fn a_note_is_seen_by_its_writer_alone_and_goes_with_the_account() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    let note = format!("{table}/note");
    assert_eq!(one.post(&note, &[("words", "keep the ace")]).await.location(), format!("{table}#note"));
    assert!(one.look(&table).await.contains("keep the ace"));
    assert!(!two.look(&table).await.contains("keep the ace"));
    assert!(one.look("/me/export.json").await.contains("keep the ace"));
    assert_eq!(service.visitor().post(&note, &[("words", "hm")]).await.status, StatusCode::FORBIDDEN);

    // By letter a line is added.
    let tables = database.tables();
    let id = table.trim_start_matches("/t/").parse().unwrap();
    let kept = tables.load_fresh(id).await.unwrap();
    let player = kept.holders[0].player.unwrap();
    tables.add_to_note(player, id, "and the queen").await.unwrap();
    let words = tables.store.note_of(id, player).await.unwrap();
    assert_eq!(words.as_deref(), Some("keep the ace\nand the queen"));
    assert!(tables.add_to_note(player, id, &"x".repeat(3_990)).await.is_err(), "it is full");

    one.post(&note, &[("words", "")]).await;
    assert_eq!(tables.store.note_of(id, player).await.unwrap(), None);
    one.post(&note, &[("words", "forget me")]).await;
    one.post("/me/delete", &[("sure", "yes")]).await;
    assert_eq!(tables.store.note_of(id, player).await.unwrap(), None);
}

#[actix_web::test]
async fn play_next_leads_to_the_table_with_the_least_time_left_and_can_be_skipped() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, slow) = two_at_a_table(&service).await;
    let fast = [("seat-2", "person"), ("option-first", "1"), ("pace", "move-86400")];
    let fast = seat_two(&one, &two, &fast).await;
    let next = async |path: &str| one.get(path).await;
    assert_eq!(next("/next").await.location(), fast);
    let fast_id = fast.trim_start_matches("/t/");
    let skipped = next(&format!("/next?after={fast_id}")).await.location();
    assert_eq!(skipped, format!("{slow}?after={fast_id}"));
    let slow_id = slow.trim_start_matches("/t/");
    let link = format!("/next?after={fast_id},{slow_id}");
    assert!(one.look(&skipped).await.contains(&link), "skipping goes on");
    assert!(one.look(&link).await.contains("Only the tables that you skipped."));
    assert!(two.look("/next").await.contains("Nothing is waiting for you"));
    assert_eq!(service.visitor().get("/next").await.location(), "/sign-in?to=/next");

    for table in [&fast, &slow] {
        let body = one.look(table).await;
        assert_eq!(say(&one, table, Page(&body).step(), "end").await, StatusCode::SEE_OTHER);
    }
    assert!(one.look("/next").await.contains("Nothing is waiting for you"));
    assert_eq!(two.get("/next").await.location(), fast);
}
