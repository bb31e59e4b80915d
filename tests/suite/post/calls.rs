//! Calls for help: whoever is asked is told at once, and whoever had a part hears what came of it.

use chrono::TimeDelta;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use wonderpost::tables::TableId;
use wonderpost_rules::{Level, Seat};

use super::stories::{in_order, nothing_leaks};
use crate::harness::letters::Letter;
use crate::harness::post_house::{ALICE, HATTER, PostHouse};
use crate::harness::rehearsal::{Rehearsal, begin_wanted};
use crate::harness::timed_house::{Person, TimedHouse, post_settings};

const NOON: &str = "2026-11-16T12:00:00Z";
const GAME: &str = "munchkin-wonderland";
const ONE: Seat = Seat::new(1).unwrap();
const TWO: Seat = Seat::new(2).unwrap();

/// Easy bots play until the first seat is in a fight in which it can say this, and what follows is as wanted. Gives back what was said.
fn fight(mut game: Rehearsal, call: &str, wanted: impl Fn(Rehearsal) -> bool) -> Option<Vec<(Seat, String)>> {
    let mut rng = SmallRng::seed_from_u64(1);
    for _ in 0..14 {
        let seat = game.position.awaiting().iter().next()?;
        for line in game.position.legal_moves(seat).into_iter().filter(|line| seat == ONE && line.starts_with("go ")) {
            let mut fight = game.copy();
            fight.say(seat, &line);
            let said = fight.said.clone();
            if fight.say_like(ONE, call).is_some_and(|said| said == call) && wanted(fight) {
                return Some(said);
            }
        }
        let line = game.position.bot(Level::Easy, seat, &mut rng).into_iter().next()?;
        game.say(seat, line.as_str());
    }
    None
}

/// The helper's die is not enough, nor is what the fighter has left tried: they run.
fn is_lost(mut fight: Rehearsal) -> bool {
    let told = ["help", "done"].map(|line| fight.say_like(TWO, line).is_some());
    told == [true, true] && fight.say_like(ONE, "run").is_some()
}

/// The helper's die wins it, and there are Treasures to choose from.
fn is_won_at_once(mut fight: Rehearsal) -> bool {
    fight.say_like(TWO, "help").is_some() && fight.position.prompt(TWO) == Some("share")
}

/// Three at a table, the first of them in a fight, and nothing under way in the post.
struct Three {
    house: TimedHouse,
    table: TableId,
    people: [Person; 3],
}

impl Three {
    async fn in_a_fight(call: &str, wanted: impl Fn(Rehearsal) -> bool) -> Three {
        let house = TimedHouse::new(NOON);
        let people = [house.person("Alice").await, house.person("Hatter").await, house.person("Dinah").await];
        let callers = people.each_ref().map(|person| &person.caller);
        let (table, said) = begin_wanted(&house.tables, GAME, &callers, |game| fight(game, call, &wanted)).await;
        let three = Three { house, table, people };
        for (seat, line) in said {
            three.say(seat.index(), &line).await;
        }
        let post = three.house.start_post(&post_settings(None));
        three.house.settled().await;
        three.house.pass(TimeDelta::minutes(10));
        three.house.settled().await;
        post.stop().await;
        three
    }

    async fn say(&self, place: usize, line: &str) {
        let step = self.house.tables.load_fresh(self.table).await.unwrap().now.moves;
        let said = self.house.tables.submit_moves(&self.people[place].caller, self.table, step, line).await;
        said.unwrap_or_else(|error| panic!("{} says {line}: {error}", self.people[place].name));
    }

    async fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for (count, person) in counts.iter_mut().zip(&self.people) {
            *count = self.house.letters_to(person).await.len();
        }
        counts
    }

    /// The letters that have come since there were so many, the newest first. None about the table as it is now tells what its reader may
    /// not know. (Earlier there may have lain open on the floor what somebody holds now.)
    async fn since(&self, before: [usize; 3]) -> [Vec<Letter>; 3] {
        let kept = self.house.tables.load_fresh(self.table).await.unwrap();
        let mut new = [vec![], vec![], vec![]];
        for ((new, before), person) in new.iter_mut().zip(before).zip(&self.people) {
            *new = self.house.letters_to(person).await;
            new.truncate(new.len() - before);
            let now = format!("/at/{}\n", kept.now.moves);
            for letter in new.iter().filter(|letter| letter.text.contains(&now)) {
                nothing_leaks(&kept, person, &self.people.each_ref(), letter);
            }
        }
        new
    }
}

fn numbers(letters: &[Vec<Letter>; 3]) -> [usize; 3] {
    letters.each_ref().map(Vec::len)
}

#[actix_web::test]
async fn those_asked_are_told_at_once_and_those_who_had_a_part_what_came_of_it() {
    let three = Three::in_a_fight("ask 2 3", is_lost).await;
    let post = three.house.start_post(&post_settings(None));

    // Nobody has wished for letters at once, and no time passes.
    let before = three.counts().await;
    three.say(0, "ask 2 3").await;
    let letters = three.since(before).await;
    assert_eq!(numbers(&letters), [0, 1, 1]);
    let with = ["Alice and Dinah", "Alice and Hatter"].into_iter().zip(["you and Dinah", "Hatter and you"]);
    for (letters, (others, called)) in letters[1..].iter().zip(with) {
        let letter = &letters[0];
        assert_eq!(letter.subject, format!("Help wanted: Munchkin Wonderland with {others}"));
        assert!(letter.text.starts_with("Alice calls you for help against "), "{}", letter.text);
        in_order(
            &letter.text,
            &[
                " against ",
                &format!("calls {called} for help"),
                "Your hand",
                "YOUR MOVES",
                "\n  help\n  refuse  (Refuse to help)\n",
            ],
        );
        assert!(letter.text.contains("/unsubscribe/call."), "{}", letter.text);
    }

    // An answer is secret until it makes a difference.
    let before = three.counts().await;
    three.house.pass(TimeDelta::hours(1));
    three.say(2, "help").await;
    three.house.pass(TimeDelta::minutes(5));
    assert_eq!(numbers(&three.since(before).await), [0, 0, 0]);

    // The one asked first helps, so the other is not needed.
    three.say(1, "help").await;
    three.house.pass(TimeDelta::minutes(5));
    let letters = three.since(before).await;
    assert_eq!(numbers(&letters), [0, 0, 1]);
    let unneeded = &letters[2][0].text;
    assert!(unneeded.starts_with("Your help was not needed. Hatter comes to help Alice and rolls "), "{unneeded}");
    assert!(!unneeded.contains("YOUR POSITION") && unneeded.contains("/unsubscribe/sequel."), "{unneeded}");

    // The fighter hears what came of the call as soon as it is their turn again.
    let before = three.counts().await;
    three.say(1, "done").await;
    three.house.pass(TimeDelta::minutes(3));
    let letters = three.since(before).await;
    assert_eq!(numbers(&letters), [1, 0, 0]);
    let letter = &letters[0][0].text;
    assert!(letter.starts_with("Hatter has come to help you against "), "{letter}");
    in_order(
        letter,
        &[
            "together ",
            "It is your turn.",
            "SINCE YOU LAST MOVED",
            "Hatter comes to help you",
            "Hatter has done what Hatter could.",
            "YOUR MOVES",
            "\n  run\n",
        ],
    );
    assert!(!letter.contains("Dinah would") && !letter.contains("Dinah will"), "{letter}");

    // And the helper, how it ended.
    let before = three.counts().await;
    three.say(0, "run").await;
    three.house.pass(TimeDelta::minutes(3));
    let letters = three.since(before).await;
    assert_eq!(numbers(&letters), [0, 1, 0]);
    let letter = &letters[1][0].text;
    assert!(letter.starts_with("The fight in which you helped is over. Alice runs from "), "{letter}");
    assert!(!letter.contains("YOUR POSITION") && !letter.contains("YOUR MOVES"), "{letter}");
    post.stop().await;
}

#[actix_web::test]
async fn a_fighter_who_has_nothing_left_to_decide_hears_how_the_fight_ended() {
    let three = Three::in_a_fight("ask 2", is_won_at_once).await;
    let post = three.house.start_post(&post_settings(None));
    let before = three.counts().await;
    three.say(0, "ask 2").await;
    three.say(1, "help").await;
    let kept = three.house.tables.load_fresh(three.table).await.unwrap();
    let take = kept.now.position.legal_moves(TWO)[0].clone();
    three.say(1, &take).await;
    three.house.pass(TimeDelta::minutes(3));
    let letters = three.since(before).await;
    assert_eq!(letters[0].len(), 1);
    let letter = &letters[0][0].text;
    assert!(letter.starts_with("You and Hatter have beaten "), "{letter}");
    in_order(letter, &["Hatter takes ", "SINCE YOU LAST MOVED", "comes to help you", "On the floor: "]);
    assert!(letters[1].iter().all(|letter| !letter.text.contains("calls you")), "the answer came first");
    post.stop().await;
}

#[actix_web::test]
async fn who_has_answered_in_advance_is_not_called() {
    let three = Three::in_a_fight("ask 2 3", is_lost).await;
    let tables = &three.house.tables;
    tables.leave_answer(three.people[1].caller.player, three.table, "help", &["refuse"]).await.unwrap();
    let post = three.house.start_post(&post_settings(None));
    let (before, calls) = (three.counts().await, three.house.count("kind = 'call'").await);
    three.say(0, "ask 2 3").await;
    let letters = three.since(before).await;
    assert_eq!(numbers(&letters), [0, 0, 1]);
    three.say(2, "refuse").await;
    three.house.pass(TimeDelta::minutes(3));
    let letters = three.since(before).await;
    assert_eq!(numbers(&letters), [1, 0, 1], "who refuses hears no more of it");
    let letter = &letters[0][0].text;
    assert!(letter.starts_with("Nobody comes to help you against "), "{letter}");
    assert_eq!(three.house.count("kind = 'call'").await - calls, 1);
    post.stop().await;
}

#[actix_web::test]
async fn a_call_goes_by_itself_unless_its_reader_gathers_letters_or_wants_none() {
    let three = Three::in_a_fight("ask 2 3", is_lost).await;
    let [alice, hatter, dinah] = three.people.each_ref();
    let house = &three.house;
    // The Hatter's other table waits for him, too; Dinah wants everything in the evening.
    let other = house.begin("red-queen", &[alice, hatter], None).await;
    house.play_until_turn_of(other, &[alice, hatter], hatter).await;
    house.wish(dinah, r#"{"when":"digest","digest":{"at":"18:30","days":[1,2,3,4,5,6,7]}}"#).await;
    let post = house.start_post(&post_settings(None));
    let before = three.counts().await;
    three.say(0, "ask 2 3").await;
    let letters = three.since(before).await;
    assert_eq!(numbers(&letters), [0, 1, 0]);
    assert!(letters[1][0].text.starts_with("Alice calls you") && !letters[1][0].text.contains(&other.to_string()));
    house.pass(TimeDelta::minutes(3));
    let letters = three.since(before).await;
    assert_eq!(letters[1].len(), 2, "the other table's letter comes when it would have come");
    assert!(letters[1][0].text.contains(&other.to_string()));
    house.pass(TimeDelta::hours(7));
    let letters = three.since(before).await;
    let [digest] = letters[2].as_slice() else { panic!("{} letters", letters[2].len()) };
    assert!(digest.text.contains("Alice calls you for help against "), "{}", digest.text);
    post.stop().await;
}

#[actix_web::test]
async fn who_wants_no_calls_gets_none() {
    let three = Three::in_a_fight("ask 2 3", is_lost).await;
    three.house.wish(&three.people[1], r#"{"off":["call"]}"#).await;
    let post = three.house.start_post(&post_settings(None));
    let before = three.counts().await;
    three.say(0, "ask 2 3").await;
    three.house.pass(TimeDelta::minutes(3));
    assert_eq!(numbers(&three.since(before).await), [0, 0, 1]);
    post.stop().await;
}

#[actix_web::test]
async fn a_reply_to_a_call_helps() {
    let mut house = PostHouse::empty().await;
    let (alice, hatter) = (house.player(ALICE).await, house.player(HATTER).await);
    let wanted = |game: Rehearsal| fight(game, "ask 2", is_lost);
    let (table, said) = begin_wanted(&house.tables, GAME, &[&alice, &hatter], wanted).await;
    for (seat, line) in said.iter().map(|(seat, line)| (*seat, line.as_str())).chain([(ONE, "ask 2")]) {
        let caller = if seat == ONE { &alice } else { &hatter };
        let step = house.moves(table).await;
        house.tables.submit_moves(caller, table, step, line).await.unwrap();
    }
    let call = loop {
        let letter = house.letter_to(HATTER).await;
        if letter.text.contains("calls you for help") {
            break letter;
        }
    };
    let outcome = house.reply(&call, HATTER, "help\ndone").await;
    assert!(outcome.starts_with("done") || outcome == "made in part", "{outcome}");
    let kept = house.tables.load_fresh(table).await.unwrap();
    let helper = &kept.now.position.view(wonderpost_rules::Viewer::Public)["table"]["fight"]["helper"]["seat"];
    assert_eq!(*helper, 2, "the Hatter has come");
    if kept.now.position.prompt(TWO) == Some("assist") {
        house.tables.submit_moves(&hatter, table, kept.now.moves, "done").await.unwrap();
    }
    let letter = loop {
        let letter = house.letter_to(ALICE).await;
        if letter.text.contains("has come to help you") {
            break letter;
        }
    };
    let outcome = house.reply(&letter, ALICE, "run").await;
    assert!(outcome.starts_with("done"), "{outcome}");
}
