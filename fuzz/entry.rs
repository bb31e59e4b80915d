//! What is fuzzed: each function takes any bytes, and must not panic. The targets call them, and a test with the seeds.

#![allow(dead_code)] // Each target uses one of them.

use std::sync::LazyLock;

use wonderpost::mail::inbox::{self, Desk};
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{AnyMove, Position, Refusal, Seat, case as cases};

/// A line that has everybody awaited make their default move, so that inputs reach what comes later.
const GO_ON: &str = ".";

/// More lines than that show nothing new.
const MOST_LINES: usize = 40;

/// A table of each game, dealt.
static TABLES: LazyLock<Vec<Box<dyn Position>>> = LazyLock::new(|| {
    let catalogue = wonderpost_games::catalogue();
    let tables = catalogue.iter().map(|game| {
        let begun = game.begin(&game.default_options(), game.info().seats.0).expect("the defaults can be played");
        begun.set_up(&mut Seed::of_number(1).chance(0)).expect("the deal succeeds").position
    });
    tables.collect()
});

/// A message as a mail server hands it in: without its attachments, opened, and its lines read as those of each game.
pub fn reply(data: &[u8]) {
    let Some(kept) = inbox::without_attachments(data) else { return };
    assert!(kept.len() <= data.len(), "nothing is added");
    assert_eq!(inbox::without_attachments(&kept).as_ref(), Some(&kept), "what is kept has no attachments");
    read_reply(data);
    read_reply(&kept);
}

fn read_reply(data: &[u8]) {
    let desk = Desk { authserv_id: Some("mx.example.org".into()), our_domain: Some("in.example.org".into()) };
    let Ok(opened) = desk.open(data) else { return };
    for table in TABLES.iter() {
        let reading = inbox::read(&opened.text, |line| read(&**table, line), |line| line == "help", true);
        let again = inbox::read(&reading.to_text(), |line| read(&**table, line), |line| line == "help", true);
        assert_eq!(reading.moves(), again.moves(), "what was read reads the same again");
    }
}

fn read(table: &dyn Position, line: &str) -> Result<String, Refusal> {
    table.read_line(line).map(|mv| mv.to_string())
}

/// The HTML part of a message.
pub fn html(data: &[u8]) {
    reply(&[b"From: a@example.org\r\nContent-Type: text/html; charset=utf-8\r\n\r\n", data].concat());
}

/// A case file.
pub fn case(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = cases::run(&wonderpost_games::catalogue(), text);
    }
}

/// Lines that somebody says at a table of each game.
pub fn moves(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    TABLES.iter().for_each(|table| play(table.clone(), text));
}

fn play(mut table: Box<dyn Position>, text: &str) {
    let mut drawn = 0;
    for line in text.lines().take(MOST_LINES) {
        if let Ok(mv) = table.read_line(line) {
            assert_eq!(table.read_line(mv.as_str()).ok().as_ref(), Some(&mv), "a canonical line stays as it is");
        }
        for seat in table.awaiting().iter().collect::<Vec<Seat>>() {
            let default = table.default_move(seat);
            let said = if line == GO_ON { default.as_ref().map_or(line, AnyMove::as_str) } else { line };
            match table.decide_line(seat, said, &mut Seed::of_number(2).chance(drawn)) {
                Ok(decided) => {
                    drawn += decided.draws.len() as u64;
                    table = decided.position;
                }
                Err(refusal) => assert!(!refusal.is_fault(), "“{said}” was refused by a fault: {refusal}"),
            }
        }
    }
}
