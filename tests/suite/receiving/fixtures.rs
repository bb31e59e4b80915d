//! Replies as mail programs and people write them, and what is read of each: nothing that is quoted, and nothing that is guessed.

use std::fs;
use std::path::Path;

use serde_json::json;
use wonderpost::mail::inbox::{Desk, read};

#[test]
fn of_each_reply_what_its_writer_said_is_read_and_no_more() {
    let game = wonderpost_games::catalogue().find("red-queen").expect("the game");
    let position = game.begin(&json!({}), 2).expect("a table");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replies");
    let (mut number, mut wrong) = (0, Vec::new());
    for entry in fs::read_dir(&folder).expect("the replies") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "eml") {
            continue;
        }
        number += 1;
        let message = fs::read_to_string(&path).expect("text");
        let first = message.lines().next().expect("a line");
        let expected: Vec<String> = first
            .strip_prefix("X-Expected:")
            .expect("what is expected")
            .split(';')
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect();
        // On the way every line ends whole, and where it does not it is read the same.
        for message in [message.clone(), message.replace('\n', "\r\n")] {
            let opened = Desk::default().open(message.as_bytes()).expect("a message");
            let reading =
                read(&opened.text, |line| position.read_line(line).map(|mv| mv.to_string()), |_| false, false);
            let said: Vec<String> = reading.lines.iter().map(ToString::to_string).collect();
            let expected: Vec<String> = expected.iter().map(|line| line.replace("later 6h", "later 360 min")).collect();
            if said != expected {
                wrong.push(format!("{}: {said:?} instead of {expected:?}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(number >= 50, "{number}");
}
