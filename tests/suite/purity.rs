//! Rules and games are pure: no database, no network, no mail, no clock, no waiting, no chance but the table's.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that have no business in the rules.
const IMPURE: [&str; 24] = [
    "sqlx",
    "postgres",
    "actix",
    "reqwest",
    "http::",
    "lettre",
    "smtp",
    "tokio",
    "futures",
    "async",
    "std::time",
    "chrono",
    "Instant",
    "SystemTime",
    "std::net",
    "std::process",
    "std::env",
    "std::thread",
    "rand::rng(",
    "ThreadRng",
    "thread_rng",
    "rand::random",
    "println!",
    "crate::store",
];

/// The only places that may read files: case files are files.
const READS_FILES: [&str; 1] = ["src/rules/case.rs"];

#[test]
fn rules_and_games_touch_nothing_but_values() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("src/rules"), &mut files);
    sources(&root.join("src/games"), &mut files);
    assert!(files.len() > 10, "the sources have moved");
    let mut found = Vec::new();
    for file in files {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        let text = fs::read_to_string(&file).unwrap();
        found.extend(impurities(&name, &text));
    }
    assert!(found.is_empty(), "not pure:\n{}", found.join("\n"));
}

#[test]
fn what_is_not_pure_is_found() {
    for line in ["use sqlx::PgPool;", "let now = std::time::Instant::now();", "async fn decide() {}", "rand::rng()"] {
        assert_eq!(impurities("src/games/some.rs", line).len().min(1), 1, "{line}");
    }
    assert_eq!(impurities("src/games/some.rs", "use std::fs;").len(), 1);
    assert_eq!(impurities("src/games/some.rs", "// the SQL, HTTP and async of others").len(), 0);
}

fn impurities(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        // Comments may speak of what the code may not use.
        let code = line.split("//").next().unwrap_or_default();
        let reads_files = code.contains("std::fs") && !READS_FILES.contains(&name);
        if reads_files || IMPURE.iter().any(|word| code.contains(word)) {
            found.push(format!("{name}:{}: {}", number + 1, line.trim()));
        }
    }
    found
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
