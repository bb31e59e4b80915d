//! The reader of replies under mutated messages: it never breaks, and never takes for a move what is not the sender's own leading line.

use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;
use wonderpost::mail::inbox::{Desk, Line, read};

use crate::harness::mail_programs::{Letter, MailProgram};

/// What our letter lists, and the sender did not write.
const QUOTED: [&str; 4] = ["attack 2 KS", "place 9C", "discard 10H", "attack queen RJ"];

fn letter() -> Letter {
    let moves: String = QUOTED.iter().map(|line| format!("  {line}\n")).collect();
    let items: String = QUOTED.iter().map(|line| format!("<li>{line}</li>\n<pre>{line}\n{line}</pre>")).collect();
    Letter {
        to: "alice@example.org".into(),
        message_id: "letter-1@house.example".into(),
        subject: "Your turn: Red Queen".into(),
        reply_to: Some("m-abc@in.house.example".into()),
        text: format!("It is your turn.\n\nYour moves:\n\n{moves}\n-- \nWonderpost\n"),
        html: format!("<html><body><h1>It is your turn.</h1><ul>{items}</ul></body></html>"),
        raw: String::new(),
    }
}

/// Bytes changed, added, left out, cut off or told twice, as happens on the way.
fn mutate(message: &str, rng: &mut StdRng) -> Vec<u8> {
    let mut bytes = message.as_bytes().to_vec();
    for _ in 0..rng.random_range(0..8) {
        let place = rng.random_range(0..bytes.len());
        match rng.random_range(0..6) {
            0 => bytes[place] = rng.random(),
            1 => bytes.insert(place, rng.random()),
            2 if bytes.len() > 1 => drop(bytes.remove(place)),
            3 => bytes.truncate(place.max(1)),
            4 => {
                let again = bytes[place..].to_vec();
                bytes.extend(again);
            }
            _ => bytes.insert(place, b"\r\n=<>\"-:; &"[rng.random_range(0..11)]),
        }
    }
    if rng.random() {
        bytes = String::from_utf8_lossy(&bytes).replace('\n', "\r\n").into_bytes();
    }
    bytes
}

#[test]
fn mutated_messages_never_make_a_move_that_was_not_the_senders_own_leading_line() {
    let game = wonderpost_games::catalogue().find("red-queen").expect("the game");
    let position = game.begin(&json!({}), 2).expect("a table");
    let (letter, desk) = (letter(), Desk::default());
    let own = ["draw", "end", "swap 2 KD"];
    let mut rng = StdRng::seed_from_u64(1865);
    let mut moves = 0;
    for number in 0..4_000 {
        let program = MailProgram::ALL[number % MailProgram::ALL.len()];
        let said: Vec<&str> = (0..rng.random_range(0..4)).map(|_| own[rng.random_range(0..own.len())]).collect();
        let message = program.reply(&letter, "alice@example.org", number, &said.join("\n"));
        let whole = rng.random_range(0..4) == 0;
        let bytes = if whole { message.clone().into_bytes() } else { mutate(&message, &mut rng) };
        let Ok(opened) = desk.open(&bytes) else { continue };
        let reading = read(&opened.text, |line| position.read_line(line).map(|mv| mv.to_string()), |_| false, true);
        let made: Vec<&str> = reading.moves();
        if whole {
            assert_eq!(made, said, "{program:?}: {message}");
        }
        moves += made.len();
        for line in made {
            assert!(!QUOTED.contains(&line), "{program:?} {line}: {}", String::from_utf8_lossy(&bytes));
        }
        assert!(!reading.lines.contains(&Line::Resign));
    }
    assert!(moves > 1_000, "{moves}");
}

#[test]
fn noise_does_not_break_the_reader() {
    let mut rng = StdRng::seed_from_u64(1871);
    let words: [&[u8]; 14] = [
        b"From: a@b.example\r\n",
        b"Content-Type: multipart/mixed; boundary=x\r\n",
        b"Content-Type: text/html; charset=utf-7\r\n",
        b"Content-Type: text/plain; charset=\"x-unknown\"\r\n",
        b"Content-Type: message/rfc822\r\n",
        b"Content-Transfer-Encoding: base64\r\n",
        b"Content-Transfer-Encoding: quoted-printable\r\n",
        b"\r\n",
        b"--x\r\n",
        b"--x--\r\n",
        b"draw\r\n",
        b"=?utf-8?Q?=\xff?=",
        b"\xff\xfe\x00<div class=\"",
        b"=3D=\r\n&#xd800;<blockquote",
    ];
    for _ in 0..2_000 {
        let message: Vec<u8> =
            (0..rng.random_range(0..40)).flat_map(|_| words[rng.random_range(0..words.len())]).copied().collect();
        if let Ok(opened) = Desk::default().open(&message) {
            let _ = read(&opened.text, |line| Ok(line.to_owned()), |_| false, true);
        }
    }
}

/// How long it takes to open a message and to read what it says.
fn time_to_read(message: &[u8]) -> Duration {
    let begun = Instant::now();
    if let Ok(opened) = Desk::default().open(message) {
        let _ = read(&opened.text, |_| Err(wonderpost_rules::Refusal::new("This is no move.")), |_| false, true);
    }
    begun.elapsed()
}

/// What looks at the rest of the message for each of its signs takes minutes. The bound is far above what reading takes, for nothing is
/// optimised here and others use the machine.
#[test]
fn no_megabyte_holds_up_the_reader_whatever_is_in_it() {
    const MEGABYTE: usize = 1_000_000;
    let html = "Content-Type: text/html\r\n\r\n";
    let plain = "Content-Type: text/plain\r\n\r\n";
    let flowed = "Content-Type: text/plain; format=flowed\r\n\r\n";
    let units = [
        (html, "&"),
        (html, "<"),
        (html, "&#"),
        (html, "<!--"),
        (html, "<a b='"),
        (html, "<blockquote>"),
        (html, "<div class=\"gmail_quote\"><blockquote>"),
        (html, "<script>"),
        (html, "x"),
        (plain, ">"),
        (plain, "> "),
        (plain, ">\n"),
        (plain, "\n"),
        (plain, "x"),
        (plain, "x "),
        (plain, "hi\n"),
        (plain, "\u{200b}"),
        (plain, "“"),
        (plain, "m-"),
        (plain, "@in."),
        (flowed, "x \n"),
        (flowed, "> > \n"),
        ("", "From: a@b.example\r\n"),
        ("", "References: <a@b>\r\n"),
        ("Subject: ", "=?utf-8?Q?"),
        ("From: ", "\"a\" <a@b>, "),
        ("From: ", "((("),
        ("Content-Type: multipart/mixed; boundary=x\r\n\r\n", "--x\r\n"),
        ("Content-Transfer-Encoding: quoted-printable\r\n\r\n", "=\r\n"),
        ("Content-Transfer-Encoding: base64\r\n\r\n", "PDw8"),
    ];
    for (head, unit) in units {
        let message = format!("{head}{}", unit.repeat(MEGABYTE / unit.len())).into_bytes();
        let took = time_to_read(&message);
        assert!(took < Duration::from_secs(15), "{head:?} {unit:?}: {took:?}");
    }
}
