use std::collections::BTreeSet;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::tables::play::preview::*;
use crate::tables::play::test_table::table;
use wonderpost_games::catalogue;
use wonderpost_rules::{Card, Game, Outcome as Drawn, Scripted};

/// How many moves of each game are looked at.
const STEPS: usize = 60;
/// How many lines are previewed at each step: so many that are listed, and as many that were listed earlier.
const LINES: usize = 3;

/// All that a preview tells its viewer.
fn told(cached: &CachedTable, seat: Seat, line: &str) -> Result<Option<(Vec<String>, Value, bool)>, String> {
    match preview(cached, seat, line, Utc::now()) {
        Ok(shown) => Ok(shown.map(|shown| (shown.log, shown.then.view(Viewer::Seat(seat)), shown.is_whole))),
        Err(error) => Err(error.to_string()),
    }
}

/// The same table with another position.
fn with_position(cached: &CachedTable, position: Box<dyn Position>) -> CachedTable {
    let mut other = cached.clone();
    other.now.position = position;
    other
}

/// Plays a random game and previews moves; gives back how many could be foreseen.
fn preview_random_game(game: &'static dyn Game, options: &Value, seats: u8, number: u64) -> usize {
    let mut rng = SmallRng::seed_from_u64(number);
    let seed = Seed::of_number(number);
    let options = game.complete_options(options).unwrap();
    let dealt = game.begin(&options, seats).unwrap().set_up(&mut seed.chance(0)).unwrap();
    let mut draws = dealt.draws.len() as u64;
    let mut cached = table(game, &options, seats, dealt.position);
    let (mut heard, mut foreseen) = (BTreeSet::new(), 0);
    for step in 0..STEPS {
        let Some(seat) = cached.now.position.awaiting().iter().collect::<Vec<_>>().choose(&mut rng).copied() else {
            break;
        };
        let listed = cached.now.position.legal_moves(seat);
        let others: Vec<String> = heard.iter().cloned().collect();
        let resampled = with_position(&cached, cached.now.position.resample_hidden(Viewer::Seat(seat), &mut rng));
        for line in listed.sample(&mut rng, LINES).chain(others.sample(&mut rng, LINES)) {
            let name = format!("{}, game {number}, step {step}: “{line}” of seat {seat}", game.info().slug);
            let shown = told(&cached, seat, line);
            assert_eq!(told(&resampled, seat, line), shown, "{name}: the preview tells what is hidden");
            // What is foreseen comes true.
            let said = cached.now.position.decide_line(seat, line, &mut seed.chance(draws));
            match (shown, said) {
                (Ok(Some((_, _, false))), Ok(decided)) => assert!(decided.revealing, "{name}: it could be foreseen"),
                (Ok(Some((_, view, true))), Ok(decided)) => {
                    assert_eq!(decided.position.view(Viewer::Seat(seat)), view, "{name}: it comes otherwise");
                    foreseen += 1;
                }
                (Err(sentence), Err(refusal)) => assert_eq!(refusal.to_string(), sentence, "{name}"),
                (Ok(None), Ok(decided)) => assert!(decided.revealing, "{name}: it could be foreseen"),
                (shown, said) => {
                    panic!("{name}: {shown:?}, and it is {}", if said.is_ok() { "made" } else { "refused" })
                }
            }
        }
        heard.extend(listed.iter().cloned());
        let line = listed.choose(&mut rng).unwrap();
        let decided = cached.now.position.decide_line(seat, line, &mut seed.chance(draws)).unwrap();
        draws += decided.draws.len() as u64;
        cached.now.position = decided.position;
    }
    foreseen
}

#[test]
fn a_preview_depends_on_what_its_viewer_knows_alone() {
    let more = [
        ("messenger-rabbits", 3, json!({"special_trades": true, "special_access": true})),
        ("red-queen", 2, json!({"muster": "even"})),
    ];
    for game in catalogue().iter() {
        let slug = game.info().slug;
        let plain = (slug, game.info().seats.1, json!({}));
        let mut foreseen = 0;
        for (_, seats, options) in more.iter().filter(|(other, ..)| *other == slug).chain([&plain]) {
            for number in 0..6 {
                foreseen += preview_random_game(game, options, *seats, number);
            }
        }
        assert!(foreseen > 0, "{slug}: something can be foreseen");
    }
}

#[test]
fn a_preview_does_not_tell_whether_the_red_queen_has_the_last_killer() {
    let catalogue = catalogue();
    let game = catalogue.find("red-queen").unwrap();
    let options = game.complete_options(&json!({"first": 1})).unwrap();
    let previews = ["BJ", "4D"].map(|last| {
        let mut cards: Vec<String> = format!("AS JH KC RJ {last} QD 3D 2S").split(' ').map(str::to_owned).collect();
        let deck = Card::plain().chain([Card::BlackJoker, Card::RedJoker]).map(|card| card.to_string());
        let rest: Vec<String> = deck.filter(|card| card != "QH" && !cards.contains(card)).collect();
        cards.extend(rest);
        let mut chance = Scripted::new([Drawn::Shuffle(cards)]);
        let mut position = game.begin(&options, 2).unwrap().set_up(&mut chance).unwrap().position;
        for (number, line) in [(1, "place AS"), (1, "place KC"), (1, "end"), (2, "attack 1 JH"), (2, "attack 2 RJ")] {
            position = position.decide_line(Seat::new(number).unwrap(), line, &mut chance).unwrap().position;
        }
        let cached = table(game, &options, 2, position);
        ["attack 1 QD", "attack 1 2S", "attack 1 2S\nattack 1 QD"]
            .map(|line| told(&cached, Seat::new(2).unwrap(), line))
    });
    let [safe, not] = &previews;
    assert_eq!(safe, not);
    assert!(matches!(&safe[0], Ok(None)) && matches!(&safe[1], Ok(Some(_))), "{safe:?}");
}

#[test]
fn repeating_a_preview_tells_nothing_new() {
    let catalogue = catalogue();
    let game = catalogue.find("red-queen").unwrap();
    let options = game.complete_options(&json!({"first": 1})).unwrap();
    let mut rng = SmallRng::seed_from_u64(3);
    let seed = Seed::of_number(rng.random());
    let dealt = game.begin(&options, 2).unwrap().set_up(&mut seed.chance(0)).unwrap();
    let cached = table(game, &options, 2, dealt.position);
    let seat = cached.now.position.awaiting().iter().next().unwrap();
    for line in cached.now.position.legal_moves(seat) {
        let shown = told(&cached, seat, &line);
        assert!((0..5).all(|_| told(&cached, seat, &line) == shown), "{line}");
    }
}
