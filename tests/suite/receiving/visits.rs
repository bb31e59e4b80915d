//! Who plays by mail alone visits by writing.

use std::sync::Arc;

use chrono::TimeDelta;
use wonderpost::mail::Post;
use wonderpost::mail::inbox::{Intake, Way};
use wonderpost::mail::reply_address::ReplyAddresses;
use wonderpost::tables::clock::pace::{Pace, WhenLate};

use crate::harness::letters;
use crate::harness::mail_programs::{Letter, MailProgram};
use crate::harness::sink::Sink;
use crate::harness::timed_house::{Person, TimedHouse, post_settings};

const NOON: &str = "2026-11-16T12:00:00Z";

const DAY: u32 = 86_400;

/// A house that takes replies, and those who write to it.
struct Replies {
    house: TimedHouse,
    sink: Sink,
    intake: Intake,
    post: Post,
    alice: Person,
    hatter: Person,
}

impl Replies {
    async fn open(alice: &str, hatter: &str) -> Replies {
        let house = TimedHouse::new(NOON);
        let sink = Sink::start([]).await;
        let people = [house.person("Alice").await, house.person("Hatter").await];
        for (person, wishes) in people.iter().zip([alice, hatter]) {
            house.wish(person, wishes).await;
        }
        let mut settings = post_settings(Some(&sink));
        settings.receive.reply_domain = Some("in.house.example".into());
        let addresses = ReplyAddresses::from_settings(&settings.receive).expect("a domain");
        let intake = Intake { store: house.tables.store.clone(), addresses, arrivals: Arc::default() };
        let post = house.start_post(&settings);
        let [alice, hatter] = people;
        Replies { house, sink, intake, post, alice, hatter }
    }

    fn letters_to_hatter(&self) -> Vec<Letter> {
        let received = self.sink.received();
        received.iter().filter(|letter| letter.to == self.hatter.address).map(Letter::open).collect()
    }

    /// The Hatter hands in a reply, and it is seen to.
    async fn hatter_replies(&self, letter: &Letter, number: usize, lines: &str) {
        let message = MailProgram::Plain.reply(letter, &self.hatter.address, number, lines);
        let to = letter.reply_to.as_deref().expect("it can be answered");
        self.intake.take(Way::Deliver, false, to, message.as_bytes()).await.expect("it is taken");
        letters::until_none(&self.house.database, "inbox where done_at is null").await;
    }

    async fn pass(&self, time: TimeDelta) {
        self.house.pass(time);
        self.house.settled().await;
    }
}

#[actix_web::test]
async fn one_letter_until_i_visit_goes_on_for_those_who_answer_by_mail() {
    let replies =
        Replies::open(r#"{"off":["turn","started","talk"]}"#, r#"{"when":"until-visit","reminders":[]}"#).await;
    let Replies { house, alice, hatter, .. } = &replies;
    let people = [alice, hatter];
    let table = house.begin("red-queen", &people, None).await;
    house.play_until_turn_of(table, &people, hatter).await;
    house.settled().await;
    replies.pass(TimeDelta::minutes(3)).await;
    assert_eq!(replies.letters_to_hatter().len(), 1);
    // He does not answer, and gets no other letter.
    let other = house.begin("red-queen", &people, None).await;
    house.play_until_turn_of(other, &people, hatter).await;
    replies.pass(TimeDelta::minutes(3)).await;
    let letters = replies.letters_to_hatter();
    assert_eq!(letters.len(), 1);

    // He answers: that was a visit.
    replies.hatter_replies(&letters[0], 1, "draw\nend").await;
    assert_eq!(house.awaited(table, &people).await.map(|(_, person)| person.name), Some("Alice"));
    house.pass(TimeDelta::minutes(1));
    house.play_until_turn_of(table, &people, hatter).await;
    // While the next letter is held he says something, in answer to the old one. He has not seen that it is his turn.
    house.pass(TimeDelta::seconds(60));
    replies.hatter_replies(&letters[0], 2, "say Twinkle, twinkle").await;
    replies.pass(TimeDelta::seconds(70)).await;
    let letters = replies.letters_to_hatter();
    assert_eq!(letters.len(), 2);
    assert!(letters[1].text.contains(&format!("/t/{table}")), "{}", letters[1].text);
    replies.post.stop().await;
}

#[actix_web::test]
async fn who_was_late_takes_their_seat_back_from_the_bot_by_letter() {
    let replies = Replies::open(r#"{"off":["turn","started"]}"#, r#"{"when":"at-once","reminders":[]}"#).await;
    let Replies { house, alice, hatter, .. } = &replies;
    let people = [alice, hatter];
    let pace = Pace { when_late: WhenLate::Bot, ..Pace::a_move(DAY) };
    let table = house.begin_at(pace, "red-queen", &people).await;
    house.play_until_turn_of(table, &people, hatter).await;
    house.settled().await;
    let letters = replies.letters_to_hatter();
    let turn = &letters.last().expect("a letter").text;
    assert!(turn.contains("in 24 hours. Then a bot keeps your seat until you return."), "{turn}");

    house.pass(TimeDelta::hours(25));
    house.tables.process_due_tables().await.expect("tables");
    house.settled().await;
    let letters = replies.letters_to_hatter();
    let late = letters.last().expect("a letter");
    let words =
        "Your time ran out, and a bot keeps your seat. Answer with “back”, or open the table, to take it again.";
    assert!(late.text.starts_with(words), "{}", late.text);
    let kept = || async { house.tables.load_fresh(table).await.expect("a table").now.times.kept };
    assert!(!kept().await.is_empty());
    replies.hatter_replies(late, 1, "Back\n\nOn Tuesday Wonderpost wrote:\n> draw").await;
    assert!(kept().await.is_empty());
    house.settled().await;
    let letters = replies.letters_to_hatter();
    let answer = letters.last().expect("an answer");
    for words in ["Welcome back: the seat is yours.", "It is your turn: answer this letter with your move.", "  draw"] {
        assert!(answer.text.contains(words), "{words} in {}", answer.text);
    }
    // Said twice it changes nothing, and the answer can be answered with moves.
    let moves = house.tables.load_fresh(table).await.expect("a table").now.version;
    replies.hatter_replies(late, 2, "back").await;
    assert_eq!(house.tables.load_fresh(table).await.expect("a table").now.version, moves);
    replies.hatter_replies(answer, 3, "draw\nend").await;
    assert_eq!(house.awaited(table, &people).await.map(|(_, person)| person.name), Some("Alice"));
    replies.post.stop().await;
}
