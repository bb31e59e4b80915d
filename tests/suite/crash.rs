//! The program is killed in the middle of games, and loses nothing that it acknowledged.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::harness::page::Page;
use crate::harness::program::{Program, print, run};
use crate::harness::{Visitor, table};
use crate::scratch;

fn postmaster(data: &Path) -> Pid {
    let text = fs::read_to_string(data.join("postgres/data/postmaster.pid")).expect("a running database");
    text.lines().next().and_then(|line| line.parse().ok()).and_then(Pid::from_raw).expect("a process")
}

fn is_gone(process: Pid) -> bool {
    // Where nobody collects orphans a dead one stays in the list.
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
    test_kill_process(process).is_err() || stat.is_ok_and(|stat| stat.contains(") Z "))
}

async fn await_that(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A game that somebody goes on with as long as they get answers.
struct Stream {
    visitor: Visitor,
    table: String,
    /// The moves that were acknowledged.
    acknowledged: Vec<String>,
    /// The move that got no answer.
    unanswered: Option<String>,
}

impl Stream {
    async fn begin(program: &Program) -> Stream {
        let visitor = program.visitor();
        let table = visitor.begin().await;
        Stream { visitor, table, acknowledged: Vec::new(), unanswered: None }
    }

    fn id(&self) -> &str {
        self.table.trim_start_matches("/t/")
    }

    /// Plays on until there is no answer, and counts the moves of all who do.
    async fn play(mut self, count: Arc<AtomicUsize>) -> Stream {
        loop {
            let Ok(answer) = self.visitor.request(Method::GET, &self.table).send().await else { break };
            if answer.status() != StatusCode::OK {
                break;
            }
            let Ok(body) = answer.text().await else { break };
            let page = Page(&body);
            let Some(line) = page.next_move() else { break };
            let step = page.step();
            assert_eq!(step as usize, self.acknowledged.len());
            let form = [("step", step.to_string()), ("say", line.clone()), ("csrf", page.stamp().to_owned())];
            let request = self.visitor.request(Method::POST, &format!("{}/say", self.table)).form(&form);
            match request.send().await {
                Ok(answer) if answer.status() == StatusCode::SEE_OTHER => {
                    self.acknowledged.push(line);
                    count.fetch_add(1, Ordering::Relaxed);
                }
                Ok(_) | Err(_) => {
                    self.unanswered = Some(line);
                    break;
                }
            }
        }
        self
    }

    /// Looks at what the house remembers of the game, and goes on from there.
    async fn compare(&mut self, data: &Path, program: &Program) {
        self.visitor = self.visitor.at(&program.url);
        let report = print(data, &["verify", self.id()]);
        assert!(!report.contains("FAILS"), "{report}");
        let said = self.said(data).await;
        let acknowledged = self.acknowledged.len();
        assert_eq!(said[..acknowledged.min(said.len())], self.acknowledged, "each acknowledged move is there");
        let more = &said[acknowledged..];
        match (&self.unanswered, more) {
            (_, []) => {}
            (Some(line), [one]) => assert_eq!(line, one, "the move that got no answer, and no other"),
            _ => panic!("{more:?} was never said"),
        }
        self.acknowledged = said;
        self.unanswered = None;
    }

    /// The moves of the game, from the database itself.
    async fn said(&self, data: &Path) -> Vec<String> {
        let address = wonderpost::db::cluster::running_server(data).expect("a running database");
        let store = wonderpost::db::Store::new(address.options("wonderpost"), 2);
        let id: wonderpost::tables::TableId = self.id().parse().expect("an id");
        let said = store.said_since(id, table::SEAT, 0).await.expect("moves");
        store.close().await;
        said.into_iter()
            .map(|(_, body)| {
                let body: serde_json::Value = serde_json::from_str(&body).expect("JSON");
                body["table-said"]["line"].as_str().expect("a line").to_owned()
            })
            .collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_in_the_middle_of_a_stream_of_moves_no_acknowledged_move_is_lost() {
    let folder = scratch::folder();
    let data = folder.path();
    let mut program = Program::serve(data);
    let mut streams = Vec::new();
    for _ in 0..8 {
        streams.push(Stream::begin(&program).await);
    }
    for round in 0..5 {
        let count = Arc::new(AtomicUsize::new(0));
        let playing: Vec<_> = streams.drain(..).map(|stream| tokio::spawn(stream.play(count.clone()))).collect();
        await_that("they are in the middle of it", || count.load(Ordering::Relaxed) > 16).await;
        tokio::time::sleep(Duration::from_millis(7 * round)).await;
        let database = postmaster(data);
        if round == 2 {
            // The database alone: the program notices, and ends.
            kill_process(database, Signal::KILL).expect("it runs");
            let begun = Instant::now();
            let status = program.wait();
            assert!(!status.success(), "a supervisor sees that something was wrong");
            assert!(begun.elapsed() < Duration::from_secs(5), "and soon: it took {:?}", begun.elapsed());
        } else {
            program.killed();
        }
        for stream in playing {
            streams.push(stream.await.expect("a stream"));
        }
        // At once, as a supervisor would.
        program = Program::serve(data);
        assert_ne!(postmaster(data), database);
        await_that("no orphan is left", || is_gone(database)).await;
        for stream in &mut streams {
            stream.compare(data, &program).await;
        }
        let rebuilt = print(data, &["rebuild"]);
        assert!(rebuilt.contains("0 wrong"), "{rebuilt}");
        // Where a game is over another is begun.
        for stream in &mut streams {
            if stream.visitor.look(&stream.table).await.contains("The game is over") {
                *stream = Stream::begin(&program).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asked_to_stop_it_answers_what_is_under_way_and_ends_well_within_seconds() {
    let folder = scratch::folder();
    let mut program = Program::serve(folder.path());
    let mut streams = Vec::new();
    for _ in 0..6 {
        streams.push(Stream::begin(&program).await);
    }
    let count = Arc::new(AtomicUsize::new(0));
    let playing: Vec<_> = streams.drain(..).map(|stream| tokio::spawn(stream.play(count.clone()))).collect();
    await_that("they are in the middle of it", || count.load(Ordering::Relaxed) > 12).await;
    let database = postmaster(folder.path());
    let begun = Instant::now();
    program.terminate();
    let status = program.wait();
    assert!(status.success(), "{status}");
    assert!(begun.elapsed() < Duration::from_secs(10), "it took {:?}", begun.elapsed());
    assert!(is_gone(database), "the database goes first");
    for stream in playing {
        streams.push(stream.await.expect("a stream"));
    }
    let program = Program::serve(folder.path());
    for stream in &mut streams {
        let said = stream.said(folder.path()).await;
        assert_eq!(said, stream.acknowledged, "what was recorded was also answered");
        stream.compare(folder.path(), &program).await;
    }
}

#[tokio::test]
async fn commands_work_beside_the_service_and_without_it() {
    let folder = scratch::folder();
    let data = folder.path();
    let mut program = Program::serve(data);
    let visitor = program.visitor();
    let (running, over) = (visitor.begin().await, visitor.begin().await);
    for _ in 0..5 {
        for table in [&running, &over] {
            visitor.move_on(table).await;
        }
    }
    visitor.end(&over).await;
    let (running, over) = (running.trim_start_matches("/t/"), over.trim_start_matches("/t/"));
    let downloaded = visitor.look(&format!("/t/{over}/export.jsonl")).await;
    let listen = program.url.trim_start_matches("http://").to_owned();
    let mut seen = Vec::new();
    for beside in [true, false] {
        if !beside {
            assert!(run(data, &["health", "--listen", &listen]).status.success());
            program.terminate();
            assert!(program.wait().success());
            assert!(!run(data, &["health", "--listen", &listen]).status.success());
        }
        let report = print(data, &["verify", over]);
        assert_eq!(report.matches("holds  ").count(), 4, "{report}");
        let so_far = print(data, &["verify", running]);
        assert!(so_far.contains("not yet") && !so_far.contains("FAILS"), "{so_far}");
        assert_eq!(print(data, &["rebuild"]), "2 tables compared, 0 wrong\n");
        assert_eq!(print(data, &["rebuild", over, "--mend"]), "1 tables compared, 0 wrong\n");
        let exported = print(data, &["export", over]);
        assert_eq!(exported, downloaded);
        let known = print(data, &["export", running]);
        assert!(!known.contains("\"digest\"") && !known.contains("\"secret\""), "{known}");
        seen.push((report, so_far, known));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(print(data, &["migrate"]), "The database is up to date.\n");
    for unknown in ["0123456789abcdef0123456789abcdef", "no such file"] {
        let output = run(data, &["verify", unknown]);
        assert!(!output.status.success());
        assert!(!output.stderr.is_empty() && !String::from_utf8_lossy(&output.stderr).contains("panicked"));
    }
}

/// The report on a file, and whether it was good.
fn verify(folder: &Path, text: &str) -> (bool, String) {
    let file = folder.join("game.jsonl");
    fs::write(&file, text).expect("a file");
    let output = run(folder, &["verify", file.to_str().expect("a path")]);
    let words = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!words.contains("panicked"), "{words}");
    (output.status.success(), words)
}

#[tokio::test]
async fn a_downloaded_game_is_checked_without_the_house_and_any_change_shows() {
    let database = crate::harness::TestDatabase::new();
    let tables = database.tables();
    let (caller, id) = table::begin(&tables).await;
    table::play(&tables, &caller, id, 6).await;
    table::end(&tables, &caller, id).await;
    let kept = tables.load_fresh(id).await.expect("a table");
    let file = tables.export(&kept, wonderpost_rules::Viewer::Public).await.expect("a file");
    let folder = scratch::folder();
    let (good, words) = verify(folder.path(), &file);
    assert!(good && words.matches("holds  ").count() == 5, "{words}");

    let lines: Vec<&str> = file.lines().collect();
    let with = |place: usize, line: &str| {
        let mut lines = lines.clone();
        lines[place] = line;
        lines.join("\n") + "\n"
    };
    let secret = kept.now.revealed.as_ref().map(|secret| data_encoding::HEXLOWER.encode(secret.bytes())).expect("it");
    let mut changed = Vec::new();
    for (place, line) in lines.iter().enumerate().skip(1) {
        let missing: Vec<&str> =
            lines.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, line)| *line).collect();
        changed.push((format!("line {} missing", place + 1), missing.join("\n") + "\n"));
        // One letter or digit of the body.
        let body = line.find("\"body\":").expect("a body") + 7;
        let end = line.find(",\"digest\"").expect("a digest");
        let at = body + line[body..end].rfind(|letter: char| letter.is_ascii_alphanumeric()).expect("a letter");
        let other = if line.as_bytes()[at] == b'1' { "2" } else { "1" };
        changed.push((
            format!("a byte of line {}", place + 1),
            with(place, &format!("{}{other}{}", &line[..at], &line[at + 1..])),
        ));
    }
    changed.push(("two lines swapped".into(), {
        let mut lines = lines.clone();
        lines.swap(4, 5);
        lines.join("\n")
    }));
    let swapped = data_encoding::HEXLOWER.encode(&[7; 32]);
    changed.push(("another secret".into(), with(0, &lines[0].replace(&secret, &swapped))));
    changed.push(("another secret throughout".into(), file.replace(&secret, &swapped)));
    changed.push(("another table".into(), file.replace(&id.to_string(), "0123456789abcdef0123456789abcdef")));
    changed.push(("the last move missing".into(), {
        let last = format!("\"move\":{},", kept.now.moves);
        lines.iter().filter(|line| !line.contains(&last)).copied().collect::<Vec<_>>().join("\n")
    }));
    changed.push(("nothing".into(), String::new()));
    changed.push(("no JSON".into(), "Curiouser and curiouser!\n".into()));
    // Starting the program for each is the slow part: the ends and a few in the middle will do.
    let few = changed.len();
    for (place, (what, text)) in changed.into_iter().enumerate() {
        if place > 6 && place < few - 10 && place % 7 != 0 {
            continue;
        }
        let (good, words) = verify(folder.path(), &text);
        assert!(!good, "{what}: {words}");
    }
}

#[test]
fn a_setting_before_a_command_is_refused_and_not_left_out() {
    let folder = scratch::folder();
    let output = run(folder.path(), &["--data", "elsewhere", "letters"]);
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(words.contains("the subcommand 'letters' cannot be used with '--data <FOLDER>'"), "{words}");
    assert!(fs::read_dir(folder.path()).expect("a folder").next().is_none(), "nothing was begun");
}
