//! What `compose.yaml` and the `Dockerfile` promise, as far as it can be had without an engine: the program runs with exactly the
//! environment that they give it, names of other containers leading to this machine.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};

use crate::harness::program::Program;
use crate::harness::sink::Sink;
use crate::harness::{TestDatabase, Visitor};
use crate::scratch;

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a file of the project")
}

/// The lines within a block of the compose file, such as `services`, `wonderpost`, `environment`.
fn block<'a>(text: &'a str, way: &[&str]) -> Vec<&'a str> {
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    for (depth, name) in way.iter().enumerate() {
        let head = format!("{}{name}:", "  ".repeat(depth));
        let begin = lines.iter().position(|line| *line == head).unwrap_or_else(|| panic!("no {head}")) + 1;
        let deeper = "  ".repeat(depth + 1);
        lines =
            lines[begin..].iter().copied().take_while(|line| line.is_empty() || line.starts_with(&deeper)).collect();
    }
    lines
}

/// `${NAME:-default}` as an engine fills it in where nothing is set.
fn filled_in(value: &str) -> String {
    let mut filled = String::new();
    let mut rest = value;
    while let Some((before, variable)) = rest.split_once("${") {
        let (variable, after) = variable.split_once('}').expect("a closing brace");
        filled += before;
        filled += variable.split_once(":-").expect("a default").1;
        rest = after;
    }
    filled + rest
}

/// The value of a key in a block.
fn value(lines: &[&str], key: &str) -> String {
    let found = lines.iter().find_map(|line| line.trim().strip_prefix(&format!("{key}: ")));
    filled_in(found.unwrap_or_else(|| panic!("no {key}")).trim_matches('"'))
}

/// The environment that the container has.
fn environment() -> BTreeMap<String, String> {
    let compose = file("compose.yaml");
    let lines = block(&compose, &["services", "wonderpost", "environment"]);
    let names = lines.iter().filter_map(|line| line.trim().split_once(": ").map(|(name, _)| name));
    let mut all: BTreeMap<String, String> = names.map(|name| (name.to_owned(), value(&lines, name))).collect();
    for line in file("Dockerfile").lines().filter_map(|line| line.strip_prefix("ENV ")) {
        let (name, value) = line.split_once('=').expect("a variable");
        all.insert(name.to_owned(), value.to_owned());
    }
    all
}

/// The program as a container runs it, on a port of this machine.
struct Container {
    program: Program,
    sink: Sink,
    port: u16,
    _database: TestDatabase,
}

impl Container {
    async fn start(more: &[(&str, &str)]) -> Container {
        let (database, sink) = (TestDatabase::new(), Sink::start([]).await);
        let mut environment = environment();
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        // The names of containers, and the port that they listen on, are what an engine would see to.
        let listen = environment.get_mut("WONDERPOST_LISTEN").expect("an address");
        assert_eq!(listen, "0.0.0.0:8080", "reached from outside the container, where its port is published");
        *listen = format!("0.0.0.0:{port}");
        let url = environment.insert("DATABASE_URL".into(), database.url()).expect("a database");
        assert_eq!(url, "postgres://wonderpost:wonderpost@postgres:5432/wonderpost");
        let smtp = environment.insert("WONDERPOST_SMTP".into(), sink.url.clone()).expect("a mail server");
        assert_eq!(smtp, "smtp://mailpit:1025", "where Mailpit takes letters");
        environment.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let folder = scratch::folder();
        let program = Program::serve_in_environment(folder.path(), &environment);
        Container { program, sink, port, _database: database }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Somebody whom a proxy reports under this address.
    fn forwarded(&self, address: &'static str) -> Visitor {
        let headers = [(HeaderName::from_static("x-forwarded-for"), HeaderValue::from_static(address))];
        Visitor::with_headers(&self.url(), HeaderMap::from_iter(headers))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_compose_files_letters_arrive_with_links_that_lead_back_and_its_grace_suffices() {
    let mut container = Container::start(&[]).await;
    assert_eq!(container.program.url, "http://localhost:8080");
    let visitor = Visitor::new(&container.url());
    let table = visitor.begin().await;
    assert_eq!(visitor.get("/mailbox").await.status, StatusCode::NOT_FOUND, "letters go to the mail server");
    assert_eq!(visitor.post("/sign-in", &[("email", "alice@example.org")]).await.location(), "/sign-in/code");
    let begun = Instant::now();
    let letter = loop {
        if let Some(letter) = container.sink.nth(0) {
            break letter;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "the letter does not come");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(letter.to, "alice@example.org");
    let words = letter.data.replace("=\n", "").replace("=3D", "=");
    assert!(words.contains("http://localhost:8080/sign-in/"), "{words}");
    assert!(!words.contains("0.0.0.0") && !words.contains(&container.port.to_string()), "{words}");

    // Somebody watches, and the engine asks the container to stop.
    let mut stream = visitor.request(Method::GET, &format!("{table}/live")).send().await.expect("a stream");
    stream.chunk().await.expect("a stream").expect("a word");
    let compose = file("compose.yaml");
    let grace = value(&block(&compose, &["services", "wonderpost"]), "stop_grace_period");
    let grace: u64 = grace.strip_suffix('s').and_then(|seconds| seconds.parse().ok()).expect("seconds");
    let begun = Instant::now();
    container.program.terminate();
    assert!(container.program.wait().success());
    assert!(begun.elapsed() < Duration::from_secs(grace), "it took {:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_proxy_that_the_compose_file_is_told_of_two_guests_are_two_networks() {
    let container = Container::start(&[("WONDERPOST_BEHIND_PROXY", "true")]).await;
    // All that one network may have within the hour.
    let mut refused = false;
    for _ in 0..200 {
        let visitor = container.forwarded("192.0.2.1");
        let answer = visitor.post("/tables", &[("game", "we-are-not-amused"), ("option-shuffles", "1")]).await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            refused = true;
            break;
        }
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    }
    assert!(refused, "one network has a limit");
    let other = container.forwarded("198.51.100.7");
    other.begin().await;
}

#[test]
fn the_compose_file_publishes_nothing_but_to_this_machine_unless_it_is_told_to() {
    let compose = file("compose.yaml");
    let published: Vec<String> = compose
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- \"")?.strip_suffix('"').map(filled_in))
        .filter(|entry| entry.rsplit(':').next().is_some_and(|port| port.parse::<u16>().is_ok()))
        .collect();
    assert_eq!(published, ["127.0.0.1:8080:8080", "127.0.0.1:8025:8025"]);
}
