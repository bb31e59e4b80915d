//! The program is killed (kill -9) while the mail server has its letters and has not said so: nothing is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::ConnectOptions;
use wonderpost::db::cluster::running_server;

use crate::harness::program::Program;
use crate::harness::red_queen;
use crate::harness::sink::{Fate, Sink};
use crate::scratch;

const ALICE: &str = "alice@example.org";

/// The names of the letters that came, by reader, those to sign in with left out.
fn names(sink: &Sink) -> BTreeMap<String, Vec<String>> {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for letter in sink.received().iter().filter(|letter| letter.header("Subject") != "Sign in to Wonderpost") {
        names.entry(letter.to.clone()).or_default().push(letter.header("Message-ID"));
    }
    names
}

async fn await_letters(sink: &Sink, count: usize) {
    let begun = Instant::now();
    while sink.received().len() < count {
        assert!(begun.elapsed() < Duration::from_secs(30), "only {} of {count} letters came", sink.received().len());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Asks the books of a running program.
async fn ask(data: &Path, query: &'static str) -> Vec<(i64, i64)> {
    let server = running_server(data).expect("a running database");
    let mut connection = server.options("wonderpost").connect().await.expect("a connection");
    sqlx::query_as(query).fetch_all(&mut connection).await.expect("an answer")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_sending_and_marking_letters_come_again_under_the_same_names_and_none_is_lost() {
    let folder = scratch::folder();
    let data = folder.path();
    // The letter to sign in with is taken; of the next three nobody hears that they were.
    let sink = Sink::start([Fate::Taken, Fate::Silent, Fate::Silent, Fate::Silent]).await;
    let mail = ["--smtp", sink.url.as_str(), "--mail-from", "Wonderpost <post@house.example>", "--hold-seconds", "0"];
    let mut program = Program::serve_with(data, &mail);
    let (alice, hatter) = (program.visitor(), program.visitor());
    alice.post("/sign-in", &[("email", ALICE)]).await.location();
    await_letters(&sink, 1).await;
    let text = sink.received()[0].data.clone();
    let link = text.split("/sign-in/").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a link");
    alice.post(&format!("/sign-in/{link}"), &[]).await.location();
    // A game begins in which everybody is to move, whatever is dealt, and two people are invited to another.
    let heads = [("game", "off-with-their-heads"), ("seat-2", "person")];
    let table = hatter.post("/tables", &heads).await.location();
    red_queen::sit(&hatter, &table).await;
    red_queen::sit(&alice, &table).await;
    let other = red_queen::open(&hatter, &[("seat-2", "person"), ("seat-3", "person")]).await;
    red_queen::sit(&hatter, &other).await;
    for guest in ["dormouse@example.com", "hare@example.com"] {
        hatter.post(&format!("{other}/invite"), &[("address", guest)]).await.location();
    }
    await_letters(&sink, 4).await;
    program.killed();

    let first = names(&sink);
    assert_eq!(
        first.keys().map(String::as_str).collect::<Vec<_>>(),
        [ALICE, "dormouse@example.com", "hare@example.com"]
    );
    let _program = Program::serve_with(data, &mail);
    let unsent =
        "select count(*), count(*) filter (where fixed) from letter where sent_at is null and dropped_at is null";
    let [(unsent_letters, fixed)] = ask(data, unsent).await[..] else { panic!("a count") };
    assert!(
        unsent_letters >= 3 && fixed == unsent_letters,
        "{unsent_letters} letters were not marked, {fixed} of them as gone perhaps"
    );
    // Half a minute passes.
    ask(
        data,
        "with due as (update letter set send_after = now() where sent_at is null returning id) select id, id from due",
    )
    .await;
    await_letters(&sink, 7).await;
    let begun = Instant::now();
    while ask(data, unsent).await != [(0, 0)] {
        assert!(begun.elapsed() < Duration::from_secs(20), "letters are still not marked");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for (reader, names) in names(&sink) {
        let different: BTreeSet<&String> = names.iter().collect();
        assert_eq!((names.len(), different.len()), (2, 1), "{reader}: {names:?}");
        assert_eq!(names[0], first[&reader][0]);
    }
}
