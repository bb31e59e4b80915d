//! Several people, several clicks, several servers, all at the same instant: nothing is lost, and nothing doubled.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use wonderpost::tables::state::record::TableFact;
use wonderpost::tables::{CachedTable, TableId, Tables};
use wonderpost_rules::{Seat, Viewer};

use crate::harness::page::Page;
use crate::harness::red_queen::{say, sit, two_at_a_table};
use crate::harness::{Service, TestDatabase};

/// Who said what at a table, in order.
async fn said(tables: &Tables, id: TableId) -> Vec<(u8, String)> {
    let records = tables.records(id).await.expect("records");
    let said = records.iter().filter_map(|record| match serde_json::from_str(record.body.get()) {
        Ok(TableFact::Said { line, .. }) => Some((record.seat?.number(), line)),
        _ => None,
    });
    said.collect()
}

fn id_of(table: &str) -> TableId {
    table.trim_start_matches("/t/").parse().expect("the name of a table")
}

#[actix_web::test]
async fn two_players_who_choose_at_the_same_instant_are_both_heard() {
    let database = TestDatabase::new();
    let (here, there) = (Service::start(&database), Service::start(&database));
    let tables = database.tables();
    let (one, two) = (here.visitor(), here.visitor());
    let opened = one.post("/tables", &[("game", "off-with-their-heads"), ("seat-2", "person")]).await;
    let table = opened.location();
    for visitor in [&one, &two] {
        sit(visitor, &table).await;
    }
    let id = id_of(&table);
    let people = [one, two.at(&there.url)];
    let mut together = 0;
    let mut expected = Vec::new();
    for _ in 0..12 {
        let kept = tables.load_fresh(id).await.expect("a table");
        let awaited: Vec<Seat> = kept.now.awaiting().iter().collect();
        // Everybody decides on the same page, and everybody clicks.
        let clicks = awaited.iter().map(|seat| {
            let line = kept.now.position.legal_moves(*seat)[0].clone();
            let (table, step) = (&table, kept.now.moves_for(Viewer::Seat(*seat)));
            let visitor = &people[seat.index()];
            async move { (seat.number(), say(visitor, table, step, &line).await, line) }
        });
        for (seat, status, line) in join_all(clicks).await {
            assert_eq!(status, StatusCode::SEE_OTHER, "seat {seat}: {line}");
            expected.push((seat, line));
        }
        together += usize::from(awaited.len() > 1);
    }
    assert!(together > 0, "they were asked together");
    let mut heard = said(&tables, id).await;
    heard.sort_unstable();
    expected.sort_unstable();
    assert_eq!(heard, expected, "each was heard once");
    assert!(!tables.check(id).await.expect("a report").fails());
}

#[actix_web::test]
async fn clicks_at_two_servers_are_one_move_and_are_told_live_at_both() {
    let database = TestDatabase::new();
    let (here, there) = (Service::start(&database), Service::start(&database));
    let tables = database.tables();
    for _ in 0..20 {
        if click_at_two_servers(&here, &there, &tables).await {
            return;
        }
    }
    panic!("too much luck");
}

fn round(kept: &CachedTable) -> i64 {
    kept.now.position.view(Viewer::Public)["table"]["round"].as_i64().expect("a round")
}

/// Whether it could be tried out: `false` if the cards that were drawn won a round, so that the other is to move.
async fn click_at_two_servers(here: &Service, there: &Service, tables: &Tables) -> bool {
    let (one, two, table) = two_at_a_table(here).await;
    let id = id_of(&table);
    let mut stream = two.at(&there.url).request(Method::GET, &format!("{table}/live")).send().await.expect("a stream");
    let mut expected = Vec::new();
    // The Red Queen has four actions, then her companion has six: whoever's turn it is clicks twice at each server, while the
    // other one tries the same.
    for step in 0..8 {
        let (number, mover, other) = if step < 4 { (1, &one, &two) } else { (2, &two, &one) };
        let before = tables.load_fresh(id).await.expect("a table");
        if round(&before) != 1 {
            return false;
        }
        assert!(before.now.awaiting().contains(Seat::new(number).expect("a seat")), "step {step}");
        let elsewhere = mover.at(&there.url);
        let clicks = join_all([mover, &elsewhere, mover, &elsewhere].map(|mover| say(mover, &table, step, "draw")));
        let (answers, refused) = tokio::join!(clicks, say(other, &table, step, "draw"));
        assert!(answers.iter().all(|status| *status == StatusCode::SEE_OTHER), "step {step}: {answers:?}");
        expected.push((number, "draw".to_owned()));
        if round(&tables.load_fresh(id).await.expect("a table")) != 1 {
            return false;
        }
        // Between the turns the other one may just be in time.
        if refused == StatusCode::SEE_OTHER {
            assert_eq!(step, 3, "nobody moves out of turn");
            expected.push((2, "draw".to_owned()));
            break;
        }
        assert_eq!(said(tables, id).await, expected, "step {step}");
        let (near, far) = (other.look(&table).await, other.at(&there.url).look(&table).await);
        assert_eq!(Page(&near).without_marks(), Page(&far).without_marks(), "both servers show the same");
    }
    assert_eq!(said(tables, id).await, expected);
    let body = two.at(&there.url).look(&table).await;
    let mark = Page(&body).between("data-mark=\"", "\"")[0];
    let told = async {
        while let Some(word) = stream.chunk().await.expect("a stream") {
            if String::from_utf8_lossy(&word).contains(&format!("data: {mark}\n")) {
                return;
            }
        }
        panic!("the stream ended");
    };
    tokio::time::timeout(Duration::from_secs(10), told).await.expect("told in time");
    true
}

#[actix_web::test]
async fn a_form_from_before_a_move_is_answered_with_a_sentence_and_doubles_nothing() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let tables = database.tables();
    let (one, _, table) = two_at_a_table(&service).await;
    let id = id_of(&table);
    let card = Page(&one.look(&table).await).between("begun=card%20", "#")[0].to_owned();
    let place = format!("place {card}");
    // The page is gone back to, and its form is sent again.
    assert_eq!(say(&one, &table, 0, &place).await, StatusCode::SEE_OTHER);
    for _ in 0..2 {
        assert_eq!(one.say(&table, 0, &place).await.location(), table, "it was said already");
        assert_eq!(say(&one, &table, 0, &place).await, StatusCode::SEE_OTHER, "and is not said again");
    }
    // Another button of the old page is answered with the table as it is now.
    for sure in [&[][..], &[("sure", "yes")]] {
        let form: Vec<_> = [("step", "0"), ("say", "draw")].into_iter().chain(sure.iter().copied()).collect();
        let stale = one.post(&format!("{table}/say"), &form).await;
        assert_eq!(stale.status, StatusCode::CONFLICT);
        assert!(stale.page().sentence("error").is_some_and(|sentence| sentence.contains("nothing was done")));
        assert_eq!(stale.page().step(), 1);
        assert!(stale.body.contains("Your move"));
    }
    assert_eq!(said(&tables, id).await, [(1, place)]);
}
