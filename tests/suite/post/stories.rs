//! What letters about games say.

use wonderpost::tables::CachedTable;
use wonderpost::tables::state::table_state::Status;
use wonderpost_rules::{Seat, Viewer};

use crate::harness::letters::Letter;
use crate::harness::timed_house::{PLACE, Person, TimedHouse, post_settings};

const NOON: &str = "2026-11-16T12:00:00Z";
const THREE_DAYS: u32 = 3 * 86_400;

fn named(kept: &CachedTable, text: &str) -> String {
    let name = |seat: Seat| kept.holders.iter().find(|holder| holder.seat == seat).unwrap().name.clone();
    Seat::fill_marks(text, name)
}

/// What another seat sees and this one does not.
fn secrets(kept: &CachedTable, mine: Seat) -> Vec<String> {
    let text = |viewer| named(kept, &kept.now.position.text(viewer));
    let known = text(Viewer::Seat(mine));
    let others = Seat::all(kept.now.opened.seats).filter(|seat| *seat != mine);
    let lines = others.flat_map(|seat| text(Viewer::Seat(seat)).lines().map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|line| line.trim().len() > 3 && !known.contains(line.trim())).collect()
}

pub fn in_order(text: &str, words: &[&str]) {
    let mut from = 0;
    for word in words {
        let place = text[from..].find(word).unwrap_or_else(|| panic!("“{word}” is not where it belongs in\n{text}"));
        from += place + word.len();
    }
}

#[actix_web::test]
async fn a_turn_letter_says_what_changed_where_one_stands_what_to_do_and_by_when() {
    let house = TimedHouse::new(NOON);
    let (alice, hatter) = (house.person("Alice").await, house.person("Hatter").await);
    let people = [&alice, &hatter];
    house.wish(&hatter, r#"{"when":"at-once","zone":"Europe/Berlin"}"#).await;
    let table = house.begin("red-queen", &people, Some(THREE_DAYS)).await;
    house.play_until_turn_of(table, &people, &hatter).await;
    house.play_turn_of(table, &people, &hatter).await;
    house.play_until_turn_of(table, &people, &hatter).await;
    let post = house.start_post(&post_settings(None));
    let letters = house.letters_to(&hatter).await;
    let [letter] = letters.as_slice() else { panic!("{} letters", letters.len()) };
    let kept = house.tables.load_fresh(table).await.unwrap();
    let seat = kept.seat_of(Some(hatter.caller.player)).unwrap();
    assert_eq!(letter.subject, "Your turn: Red Queen with Alice");
    let board = named(&kept, &kept.now.position.table_in_words(Viewer::Seat(seat)));
    let board = board.trim_end().lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n");
    in_order(
        &letter.text,
        &[
            "It is your turn: your time ends in 3 days.\n",
            "You have until Thursday 19 November, 13:00 (Berlin time), in 3 days.",
            "SINCE YOU LAST MOVED",
            "You draw",
            "Alice draws a card",
            "YOUR POSITION",
            &board,
            "YOUR MOVES",
            &format!("Play: {PLACE}/t/{table}"),
            &format!("/t/{table}/at/{}", kept.now.moves),
            "/games/red-queen",
            &format!("{PLACE}/next"),
            "/me/letters",
            "/unsubscribe/turn.",
        ],
    );
    // Every move once, folded or not; none is left out.
    let listed: usize =
        unfolded(&letter.text).iter().filter(|line| kept.now.position.legal_moves(seat).contains(line)).count();
    assert_eq!(listed, kept.now.position.legal_moves(seat).len(), "{}", letter.text);
    in_order(
        &letter.html,
        &[
            "Thursday 19 November, 13:00 (Berlin time)",
            "Since you last moved",
            "<img src=\"cid:board\"",
            "Your moves",
            &format!("{PLACE}/t/{table}\""),
            "Your position",
            "/unsubscribe/turn.",
        ],
    );
    post.stop().await;
}

/// The moves that a letter lists, with folded lines taken apart.
fn unfolded(text: &str) -> Vec<String> {
    let list = text.split("YOUR MOVES").nth(1).expect("moves").lines().filter(|line| line.starts_with("  "));
    let mut moves = Vec::new();
    for line in list {
        let line = line.trim().split("  (").next().unwrap_or_default();
        let mut lines = vec![String::new()];
        for word in line.split(' ') {
            let longer = |line: &String, choice: &str| format!("{line} {choice}").trim().to_owned();
            lines = lines.iter().flat_map(|line| word.split('|').map(move |choice| longer(line, choice))).collect();
        }
        moves.extend(lines);
    }
    moves
}

/// Everything that a letter to this person must not say.
pub fn nothing_leaks(kept: &CachedTable, reader: &Person, others: &[&Person], letter: &Letter) {
    let seat = kept.seat_of(Some(reader.caller.player)).unwrap();
    for secret in secrets(kept, seat) {
        let secret = secret.trim();
        assert!(!letter.text.contains(secret), "“{secret}” is in a letter to {}:\n{}", reader.name, letter.text);
    }
    for other in others.iter().filter(|other| other.caller.player != reader.caller.player) {
        assert!(!letter.text.contains(&other.address) && !letter.html.contains(&other.address));
    }
    assert!(!letter.text.chars().any(|sign| ('\u{e000}'..'\u{f8ff}').contains(&sign)), "a mark where a name belongs");
}

#[actix_web::test]
async fn no_letter_of_any_game_tells_what_another_seat_alone_knows() {
    for game in ["red-queen", "off-with-their-heads", "messenger-rabbits", "munchkin-wonderland"] {
        let house = TimedHouse::new(NOON);
        let (alice, hatter) = (house.person("Alice").await, house.person("Hatter").await);
        let people = [&alice, &hatter];
        for person in people {
            house.wish(person, r#"{"when":"at-once","though_i_looked":true}"#).await;
        }
        let table = house.begin(game, &people, None).await;
        let post = house.start_post(&post_settings(None));
        let mut seen = [0, 0];
        for round in 0..6 {
            house.settled().await;
            let kept = house.tables.load_fresh(table).await.unwrap();
            if kept.now.status() == Status::Over {
                // Everything is shown now.
                break;
            }
            for (seen, person) in seen.iter_mut().zip(people) {
                let letters = house.letters_to(person).await;
                if letters.len() > *seen {
                    *seen = letters.len();
                    nothing_leaks(&kept, person, &people, &letters[0]);
                }
            }
            house.pass(chrono::TimeDelta::hours(1));
            let Some((_, mover)) = house.awaited(table, &people).await else { break };
            house.play_turn_of(table, &people, mover).await;
            assert!(round < 5 || seen.iter().sum::<usize>() > 0, "nobody was written to about {game}");
        }
        post.stop().await;
    }
}

/// Mail programs cut off what is longer.
const LONGEST_PAGE: usize = 100_000;

#[actix_web::test]
async fn no_letter_of_any_game_is_so_long_that_mail_programs_cut_it() {
    let house = TimedHouse::new(NOON);
    let mut settings = post_settings(None);
    settings.receive.reply_domain = Some("in.house.example".into());
    let post = house.start_post(&settings);
    let names = ["Alice", "Hatter", "Hare", "Dinah", "Lory", "Bill", "Dodo", "Mabel"];
    let mut people = Vec::new();
    for name in names {
        people.push(house.person(name).await);
        house.wish(&people[people.len() - 1], r#"{"when":"at-once"}"#).await;
    }
    for game in house.tables.catalogue.iter() {
        let seats = usize::from(game.info().seats.1);
        let seated: Vec<&Person> = people.iter().take(seats).collect();
        let before = house.count("sent_at is not null").await;
        let table = house.begin(game.info().slug, &seated, None).await;
        house.settled().await;
        for person in &seated[1..] {
            house.tables.resign(&person.caller, table).await.expect("it ends");
        }
        house.settled().await;
        let written = house.count("sent_at is not null").await - before;
        assert!(seats == 1 || written > seats as i64, "{written} letters about {}", game.info().title);
    }
    for person in &people {
        for letter in house.letters_to(person).await {
            let length = letter.html.len();
            assert!(length < LONGEST_PAGE, "{length} bytes to {}: {}", person.name, letter.subject);
        }
    }
    post.stop().await;
}

#[actix_web::test]
async fn the_letter_at_the_end_has_the_result_everybodys_cards_and_a_way_to_play_again() {
    let house = TimedHouse::new(NOON);
    let (alice, hatter) = (house.person("Alice").await, house.person("Hatter").await);
    let people = [&alice, &hatter];
    let table = house.begin("red-queen", &people, None).await;
    house.tables.resign(&hatter.caller, table).await.unwrap();
    let post = house.start_post(&post_settings(None));
    house.pass(chrono::TimeDelta::minutes(3));
    let letters = house.letters_to(&alice).await;
    let [letter] = letters.as_slice() else { panic!("{} letters", letters.len()) };
    let kept = house.tables.load_fresh(table).await.unwrap();
    let theirs = kept.seat_of(Some(hatter.caller.player)).unwrap();
    let board = kept.now.position.table_in_words(Viewer::Seat(theirs));
    let hand = board.lines().find_map(|line| line.strip_prefix("Your hand: ")).expect("a hand");
    assert_eq!(letter.subject, "You won: Red Queen with Hatter");
    in_order(
        &letter.text,
        &[
            "The game is over: you won!",
            "Hatter resigns.",
            "THE TABLE AT THE END",
            "WHAT THE OTHERS HELD\n\n  Hatter: ",
            hand.trim_end_matches('.'),
            &format!("Play again: {PLACE}/t/{table}#rematch"),
            &format!("/t/{table}/at/{}?as=all", kept.now.moves),
        ],
    );
    assert!(letter.html.contains("Play again"));
    post.stop().await;
}

#[actix_web::test]
async fn what_was_said_at_the_table_comes_to_the_others_and_notes_to_their_writer_alone() {
    let house = TimedHouse::new(NOON);
    let (alice, hatter) = (house.person("Alice").await, house.person("Hatter").await);
    let people = [&alice, &hatter];
    let table = house.begin("red-queen", &people, None).await;
    house.tables.keep_note(hatter.caller.player, table, "Beware of the Queen").await.unwrap();
    house.tables.keep_note(alice.caller.player, table, "He bluffs").await.unwrap();
    house.tables.talk(alice.caller.player, table, "Your hair wants cutting").await.unwrap();
    house.tables.talk(alice.caller.player, table, "I mean it").await.unwrap();
    house.play_until_turn_of(table, &people, &hatter).await;
    let post = house.start_post(&post_settings(None));
    house.settled().await;
    house.pass(chrono::TimeDelta::minutes(3));
    let letters = house.letters_to(&hatter).await;
    let [letter] = letters.as_slice() else { panic!("{} letters", letters.len()) };
    in_order(
        &letter.text,
        &[
            "It is your turn.",
            "AT THE TABLE\n\n  Alice: Your hair wants cutting\n  Alice: I mean it\n",
            "YOUR POSITION",
            "YOUR NOTES\n\nBeware of the Queen\n",
        ],
    );
    assert!(!letter.text.contains("He bluffs") && !letter.html.contains("He bluffs"));
    assert!(letter.html.contains("Alice: Your hair wants cutting"));
    post.stop().await;
}
