//! What replies come to: moves once and whole, answers where they are needed, and nothing for machines.

use crate::harness::lmtp::Lmtp;
use crate::harness::mail_programs::Letter;
use crate::harness::post_house::{ALICE, HATTER, PostHouse};
use crate::harness::{letters, table};

/// The picture is in the letter, its page shows it, and whoever does not see it is told what it shows.
fn assert_shows_the_board(letter: &Letter) {
    for line in ["Content-ID: <board>", "Content-Type: image/png"] {
        assert!(letter.raw.contains(line), "{line} in {}", letter.raw);
    }
    let picture = letter.html.split("<img src=\"cid:board\" alt=\"").nth(1).expect("a picture");
    assert!(picture.split('"').next().is_some_and(|words| words.len() > 20), "{picture}");
}

#[actix_web::test]
async fn the_same_message_delivered_three_times_is_applied_once() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let message = house.write(&letter, ALICE, "draw");
    for _ in 0..3 {
        assert_eq!(house.hand_in(&letter, &message).await, "done, and still to move");
    }
    assert_eq!((house.moves(table).await, house.count("inbox").await), (1, 1));
    // With another header on the way it is another message, and still the same saying.
    assert_eq!(house.hand_in(&letter, &format!("X-Relay: b\n{message}")).await, "done, and still to move");
    assert_eq!((house.moves(table).await, house.count("inbox").await), (1, 2));
}

#[actix_web::test]
async fn a_message_whose_worker_broke_off_is_worked_off_once_more_and_done_once() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    house.reply(&letter, ALICE, "draw").await;
    let sent = house.letters_to(ALICE).await;
    // As if the worker had ended between the move and the note.
    letters::execute(&house.database, "delete from letter where kind = 'go-on'").await;
    letters::execute(&house.database, "update inbox set done_at = null, outcome = null, work_after = now()").await;
    assert_eq!(house.outcome().await, "done, and still to move");
    assert_eq!(house.moves(table).await, 1);
    assert_eq!(house.letters_to(ALICE).await, sent + 1);
}

#[actix_web::test]
async fn two_workers_see_to_each_message_once() {
    let mut house = PostHouse::empty().await;
    let other = house.socket.with_file_name("lmtp-2");
    let _second = PostHouse::serve(&house.database, &house.sink, &other, |_| {});
    let (alice, hatter) = (house.player(ALICE).await, house.player(HATTER).await);
    let mut tables = Vec::new();
    for _ in 0..8 {
        let game = "off-with-their-heads";
        tables.push(table::begin_together(&house.tables, game, serde_json::json!({}), &[&alice, &hatter]).await);
        // Several letters at once would become one.
        let letter = house.letter_to(ALICE).await;
        let choice = letter.text.lines().find(|line| line.starts_with("  play ")).expect("a move").to_owned();
        let message = house.write(&letter, ALICE, &choice);
        let to = letter.reply_to.unwrap();
        let (mut one, mut two) = (house.lmtp().await, Lmtp::at(&other).await);
        let readers = [to.as_str()];
        let both = tokio::join!(one.hand_in(ALICE, &readers, &message), two.hand_in(ALICE, &readers, &message));
        assert_eq!((both.0[0].code, both.1[0].code), (250, 250));
    }
    house.outcome().await;
    for table in tables {
        assert_eq!(house.moves(table).await, 1);
    }
    assert_eq!(house.count("inbox where outcome = 'done: 1 moves, 1 lines'").await, 8);
}

#[actix_web::test]
async fn several_moves_are_made_in_order_and_refused_whole() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    // Alice cannot attack herself: nothing of it is done, and the answer says which line it was.
    assert_eq!(house.reply(&letter, ALICE, "attack 1 2S\ndraw").await, "refused");
    let answer = house.letter_to(ALICE).await;
    assert!(answer.text.contains("    attack 1 2S") && answer.text.contains("Nothing was changed."), "{}", answer.text);
    // A slip in the second line holds back the first.
    assert_eq!(house.reply(&letter, ALICE, "draw\ndraw two").await, "refused");
    assert_eq!(house.moves(table).await, 0);
    // What came up stands; the answer tells what became of the rest.
    assert_eq!(house.reply(&letter, ALICE, "draw\nattack 1 2S\ndraw").await, "made in part");
    assert_eq!(house.moves(table).await, 1);
    let answer = house.letter_to(ALICE).await;
    let answer = if answer.text.contains("Some of that") { answer } else { house.letter_to(ALICE).await };
    assert!(
        answer.text.contains("Your first line was made.") && answer.text.contains("    attack 1 2S"),
        "{}",
        answer.text
    );
}

#[actix_web::test]
async fn a_reply_to_a_letter_about_lost_moves_changes_nothing_and_is_answered_with_the_table_as_it_is() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let backup = house.database.back_up().await;
    house.await_database().await;
    house.reply(&letter, ALICE, "draw").await;
    let lost = house.letter_to(ALICE).await;
    assert!(lost.text.contains("It is still your turn."), "{}", lost.text);
    house.database.restore(&backup).await;
    house.await_database().await;
    assert_eq!(house.reply(&lost, ALICE, "draw").await, "the database went back in time");
    assert_eq!(house.moves(table).await, 0);
    // A letter that had just gone may go again.
    let mut answer = house.letter_to(ALICE).await;
    if !answer.text.contains("The database went back in time.") {
        answer = house.letter_to(ALICE).await;
    }
    assert!(answer.text.contains("The database went back in time."), "{}", answer.text);
    for sentence in ["This is the table as it is now.", "It is your turn: answer this letter instead."] {
        assert!(answer.text.contains(sentence), "{sentence} in {}", answer.text);
    }
    house.reply(&answer, ALICE, "draw").await;
    assert_eq!(house.moves(table).await, 1);
}

#[actix_web::test]
async fn a_reply_to_an_old_letter_changes_nothing_and_is_answered_with_the_table_as_it_is() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    house.reply(&letter, ALICE, "draw\nend").await;
    assert_eq!(house.reply(&letter, ALICE, "draw").await, "the table had moved on");
    assert_eq!(house.moves(table).await, 2);
    let answer = house.letter_to(ALICE).await;
    assert!(answer.text.contains("Somebody moved first."), "{}", answer.text);
    // It brings what has happened since, and the board as a picture.
    let happened = answer.text.split("SINCE THE LETTER THAT YOU ANSWERED\n\n").nth(1).expect("what happened");
    assert!(happened.trim_start().starts_with("You draw ") && happened.contains(", then end the turn"), "{happened}");
    assert!(answer.html.contains(">Since the letter that you answered</h2>"), "{}", answer.html);
    assert_shows_the_board(&answer);
    for line in ["Auto-Submitted: auto-replied", "In-Reply-To: <reply-2."] {
        assert!(answer.raw.contains(line), "{line} in {}", answer.raw);
    }
}

#[actix_web::test]
async fn what_cannot_be_read_is_answered_once_with_the_board_and_the_moves() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let message = house.write(&letter, ALICE, "Hello! I would like to draw\ndraw");
    for _ in 0..2 {
        assert_eq!(house.hand_in(&letter, &message).await, "unread: the first line is no move");
    }
    let answer = house.letter_to(ALICE).await;
    for words in ["Your letter was not understood.", "is no move: say draw", "YOUR MOVES\n\n", "  draw", "Red Queen"] {
        assert!(answer.text.contains(words), "{words} in {}", answer.text);
    }
    assert_shows_the_board(&answer);
    assert!(!answer.text.contains("SINCE"), "nothing has happened since: {}", answer.text);
    assert_eq!((house.moves(table).await, house.count("letter where kind = 'answer'").await), (0, 1));
    // The answer can itself be answered.
    assert_eq!(house.reply(&answer, ALICE, "draw").await, "done, and still to move");
}

#[actix_web::test]
async fn help_is_answered_with_the_rules_and_what_can_be_written() {
    let mut house = PostHouse::open().await;
    let (_, letter) = house.alice_to_move().await;
    assert_eq!(house.reply(&letter, ALICE, "HELP").await, "help");
    let answer = house.letter_to(ALICE).await;
    for words in ["One of you is the Red Queen", "/next", "chat ...", "note ...", "back", "resign"] {
        assert!(answer.text.contains(words), "{words} in {}", answer.text);
    }
    assert!(!answer.text.contains("<p>") && answer.html.contains(">The cards</h3>"));
    assert_shows_the_board(&answer);
}

#[actix_web::test]
async fn players_talk_and_keep_notes_by_letter() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let lines =
        "draw\nsay Well, Hatter: why is a raven like a writing-desk?\nNote beware of the Jack\nnote and of tarts\nend";
    assert_eq!(house.reply(&letter, ALICE, lines).await, "done: 2 moves, 5 lines");
    // An old letter will do to speak.
    assert_eq!(house.reply(&letter, ALICE, "say Give it up!").await, "done: 0 moves, 1 lines");
    let kept = house.tables.load_fresh(table).await.unwrap();
    let talk = house.tables.talk_for(&kept, kept.holders[1].player).await.unwrap().expect("talk");
    let words: Vec<&str> = talk.iter().map(|row| row.words.as_str()).collect();
    assert_eq!(words, ["Well, Hatter: why is a raven like a writing-desk?", "Give it up!"]);
    let note = house.tables.store.note_of(table, kept.holders[0].player.unwrap()).await.unwrap();
    assert_eq!(note.as_deref(), Some("beware of the Jack\nand of tarts"));
    assert_eq!(house.tables.store.note_of(table, kept.holders[1].player.unwrap()).await.unwrap(), None);
    assert!(!house.letter_to(HATTER).await.raw.contains("beware"));
}

#[actix_web::test]
async fn what_machines_write_is_neither_read_nor_answered() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let to = letter.reply_to.clone().unwrap();
    let before = house.letters_to(ALICE).await;
    for header in [
        "Auto-Submitted: auto-replied",
        "Precedence: bulk",
        "List-Id: <games.example.org>",
        "X-Autoreply: yes",
        "Return-Path: <>",
    ] {
        let message = house.write(&letter, ALICE, "draw");
        let outcome = house.hand_in(&letter, &format!("{header}\n{message}")).await;
        assert!(outcome.starts_with("not read: "), "{header}: {outcome}");
    }
    // Our own letter, come back.
    let outcome = house.hand_in(&letter, &letter.raw.replace("Auto-Submitted: auto-generated\n", "")).await;
    assert_eq!(outcome, "not read: automatic (a letter of ours)");
    let message = house.write(&letter, ALICE, "draw");
    assert_eq!(house.lmtp().await.hand_in("", &[&to], &message).await[0].code, 250);
    assert_eq!(house.outcome().await, "not read: automatic (no sender)");
    let outcome = house.hand_in(&letter, "\x01\x02 nothing like a message").await;
    assert!(outcome.starts_with("unreadable") || outcome.starts_with("not from"), "{outcome}");
    assert_eq!((house.moves(table).await, house.letters_to(ALICE).await), (0, before));
}

#[actix_web::test]
async fn a_player_gets_only_so_many_answers_an_hour() {
    let mut house = PostHouse::open().await;
    let (_, letter) = house.alice_to_move().await;
    for number in 0..9 {
        house.reply(&letter, ALICE, &format!("This is letter number {number}")).await;
    }
    assert_eq!(house.count("inbox where outcome like 'unread%'").await, 9);
    assert_eq!(house.count("letter where kind = 'answer'").await, 6);
}

#[actix_web::test]
async fn a_line_of_a_megabyte_is_answered_in_short_and_quoted_as_it_was_typed() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let head = format!("From: {ALICE}\nSubject: Re: x\n\n");
    for line in [format!("Atack 1 {}", "QS ".repeat(90)), "Atack ".repeat(150_000)] {
        assert_eq!(house.hand_in(&letter, &format!("{head}{line}\n")).await, "unread: the first line is no move");
        let answer = house.letter_to(ALICE).await;
        assert!(answer.text.contains("    Atack") && answer.text.len() < 10_000, "{}", answer.text.len());
        assert!(answer.html.len() < 40_000, "{}", answer.html.len());
    }
    assert_eq!(house.moves(table).await, 0);
}

#[actix_web::test]
async fn messages_about_one_table_are_seen_to_in_their_order() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let to = letter.reply_to.clone().unwrap();
    let mut lmtp = house.lmtp().await;
    for line in ["draw", "chat one", "chat two", "chat three"] {
        let message = house.write(&letter, ALICE, line);
        assert_eq!(lmtp.hand_in(ALICE, &[&to], &message).await[0].code, 250);
    }
    house.outcome().await;
    assert_eq!(house.moves(table).await, 1);
    let kept = house.tables.load_fresh(table).await.unwrap();
    let talk = house.tables.talk_for(&kept, kept.holders[1].player).await.unwrap().expect("talk");
    assert_eq!(talk.iter().map(|row| row.words.as_str()).collect::<Vec<_>>(), ["one", "two", "three"]);
}
