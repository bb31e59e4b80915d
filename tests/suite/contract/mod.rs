//! What every game of the catalogue owes the house, shown on random games over all seat counts and options.

mod checks;

use std::collections::BTreeSet;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use wonderpost_games::catalogue;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Chance, Choices, Decided, Fact, Game, Level, Position, Scene, Scripted, Seat, Viewer};

use checks::{check_concealment, check_moves, check_untold, check_views, fold, viewers};

/// Random games for each seat count and each choice of options.
const GAMES: u64 = 24;
/// Steps for each game of the catalogue, shared out evenly among its seat counts and options; one game is played with each at least.
const STEPS: usize = 1_500;
/// A game longer than this is broken.
const MOST_MOVES: usize = 20_000;
/// In one of so many steps it is looked whether what can be undone told anybody anything.
const UNDO_EVERY: usize = 8;
/// Lines that no game knows.
const NONSENSE: [&str; 6] = ["", " ", "dance", "pass the marmalade", "attack z9", "’twas brillig"];

#[test]
fn random_games_keep_the_contract() {
    for game in catalogue().iter() {
        let tables = tables(game);
        let share = STEPS / tables.len().max(1);
        for (seats, options) in tables {
            let mut heard = BTreeSet::new();
            let mut steps = 0;
            for number in 0..GAMES {
                if steps < share {
                    let name = format!("{} for {seats} with {options}, game {number}", game.info().slug);
                    steps += play(game, seats, &options, number, &mut heard, &name);
                }
            }
        }
    }
}

#[test]
fn a_board_does_not_depend_on_what_its_viewer_cannot_know() {
    const LOOKED_AT: usize = 90;
    for game in catalogue().iter() {
        let seats = game.info().seats.1;
        let name = game.info().slug;
        let mut rng = SmallRng::seed_from_u64(7);
        let seed = Seed::of_number(7);
        let mut before = game.begin(&game.default_options(), seats).unwrap();
        let mut decided = before.set_up(&mut seed.chance(0)).unwrap();
        let mut drawn = 0;
        for step in 0..LOOKED_AT {
            drawn += decided.draws.len() as u64;
            let position = decided.position;
            if position.result().is_some() {
                break;
            }
            // What differs from the step before is marked, and the marks tell nothing either.
            for viewer in viewers(seats).filter(|_| step % 3 == 0) {
                let was = if step == 0 { before.boxed_clone() } else { before.resample_hidden(viewer, &mut rng) };
                let board = position.resample_hidden(viewer, &mut rng).board(Some(&*was), viewer, &Scene::default());
                let expected = position.board(Some(&*before), viewer, &Scene::default());
                assert!(board == expected, "{name}, step {step}: the board of {viewer:?} tells what is hidden");
            }
            let seat = position.awaiting().iter().next().unwrap();
            let moves = position.legal_moves(seat);
            let line = moves.choose(&mut rng).unwrap();
            decided = position.decide_line(seat, line, &mut seed.chance(drawn)).unwrap();
            before = position;
        }
    }
}

#[test]
fn seats_and_options_that_a_game_does_not_have_are_refused() {
    for game in catalogue().iter() {
        let (fewest, most) = game.info().seats;
        for seats in [fewest - 1, most + 1, u8::MAX] {
            assert!(game.begin(&game.default_options(), seats).is_err(), "{} for {seats}", game.info().slug);
        }
        let unknown = serde_json::json!({"no such option": 1});
        assert!(game.begin(&unknown, fewest).is_err());
        assert!(game.begin(&Value::Null, fewest).is_err());
        for (_, options) in tables(game) {
            assert_eq!(game.complete_options(&options).unwrap(), options);
        }
    }
}

#[test]
fn bots_of_every_level_finish_a_game_with_legal_moves() {
    for game in catalogue().iter() {
        for level in Level::ALL {
            let (_, seats) = game.info().seats;
            let seed = Seed::of_number(1);
            let mut rng = SmallRng::seed_from_u64(1);
            let begun = game.begin(&game.default_options(), seats).unwrap();
            let Decided { mut position, draws, .. } = begun.set_up(&mut seed.chance(0)).unwrap();
            let mut drawn = draws.len() as u64;
            let mut moves = 0;
            while let Some(seat) = position.awaiting().iter().next() {
                let said = position.bot(level, seat, &mut rng);
                assert!(!said.is_empty(), "{}: {level:?} has nothing to say", game.info().slug);
                for line in said {
                    let decided = position.decide_move(seat, &line, &mut seed.chance(drawn));
                    let decided = decided.unwrap_or_else(|refusal| panic!("{level:?} says “{line}”: {refusal}"));
                    position = decided.position;
                    drawn += decided.draws.len() as u64;
                    moves += 1;
                    assert!(moves < MOST_MOVES, "{}: no end", game.info().slug);
                    if decided.revealing || !position.awaiting().contains(seat) {
                        break;
                    }
                }
            }
            assert!(position.result().is_some());
        }
    }
}

/// What leaves a random game long enough to show something. Games not named take any move.
fn lively(slug: &str, prompt: &str, line: &str) -> bool {
    match (slug, prompt) {
        ("we-are-not-amused", "play") => !matches!(line, "end" | "shuffle" | "pass all"),
        ("we-are-not-amused", "stuck") => line != "end",
        _ => true,
    }
}

/// What a rulebook accepts in other forms than those it lists: the order of the seats asked, and ways to pay.
fn has_other_forms(slug: &str, line: &str) -> bool {
    match slug {
        "munchkin-wonderland" => line.starts_with("ask "),
        // Any legal payment is accepted, in any order, and an action without one.
        "messenger-rabbits" => line.contains(' '),
        _ => false,
    }
}

/// All seat counts with the default options; and a sample of the values of all options, one varied at a time, over the seat counts in turn.
fn tables(game: &dyn Game) -> Vec<(u8, Value)> {
    let defaults = game.default_options();
    let mut all = vec![defaults.clone()];
    for spec in game.options() {
        let values: Vec<Value> = match &spec.choices {
            Choices::Flag => vec![true.into(), false.into()],
            Choices::Number { from, to, step } => {
                // The ends of a short range; of a long one the low end, for much of the same shows nothing new.
                let values: Vec<i64> = (*from..=*to).step_by(usize::try_from(*step).unwrap()).collect();
                let last = if values.len() <= 16 { values.last() } else { None };
                values.iter().take(3).chain(last).copied().map(Value::from).collect()
            }
            Choices::One(choices) => choices.iter().map(|choice| choice.value.to_json()).collect(),
            Choices::Text => vec![],
        };
        for value in values {
            let mut options: Map<String, Value> = defaults.as_object().unwrap().clone();
            options.insert(spec.key.to_owned(), value);
            let options = Value::Object(options);
            if !all.contains(&options) {
                all.push(options);
            }
        }
    }
    let (fewest, most) = game.info().seats;
    let mut tables = Vec::new();
    for (number, options) in all.into_iter().enumerate() {
        // Some options ask for a seat that is not at every table.
        let takes: Vec<u8> = (fewest..=most).filter(|seats| game.begin(&options, *seats).is_ok()).collect();
        match number {
            0 => tables.extend(takes.iter().map(|seats| (*seats, options.clone()))),
            _ => tables.extend(takes.get(number % takes.len().max(1)).map(|seats| (*seats, options))),
        }
    }
    tables
}

/// Random play hardly ever finishes some games: those are left after so many steps.
fn most_steps(slug: &str) -> usize {
    if slug == "messenger-rabbits" { 150 } else { usize::MAX }
}

/// Plays one random game and checks it at every step. Gives back how many there were.
fn play(game: &dyn Game, seats: u8, options: &Value, number: u64, heard: &mut BTreeSet<String>, name: &str) -> usize {
    let mut rng = SmallRng::seed_from_u64(number);
    let seed = Seed::of_number(number);
    let begun = game.begin(options, seats).unwrap();
    let mut folded = begun.boxed_clone();
    let mut drawn = 0;
    let mut decided = begun.set_up(&mut seed.chance(0)).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    for step in 0.. {
        let name = format!("{name}, step {step}");
        assert!(step < MOST_MOVES, "{name}: no end");
        if step >= most_steps(game.info().slug) {
            return step;
        }
        drawn += decided.draws.len() as u64;
        assert!(decided.revealing || decided.draws.is_empty(), "{name}: chance was drawn in secret");
        decided.facts.iter().for_each(|fact| fold(&mut folded, fact, seats, &name));
        let position = decided.position;
        assert_eq!(folded.snapshot(), position.snapshot(), "{name}: the facts do not fold to the state");
        let restored = game.restore(&position.snapshot()).unwrap();
        assert_eq!(restored.snapshot(), position.snapshot(), "{name}: a snapshot reads back as something else");
        check_views(&*position, seats, &mut rng, &name);
        if position.result().is_some() {
            let refused =
                Seat::all(seats).all(|seat| position.decide_line(seat, "pass", &mut seed.chance(drawn)).is_err());
            assert!(refused, "{name}: a move after the end");
            return step;
        }
        check_moves(&*position, seats, &seed, drawn, heard, &mut rng, &name);
        heard.retain(|line| !has_other_forms(game.info().slug, line));
        let awaited: Vec<Seat> = position.awaiting().iter().collect();
        let seat = *awaited.choose(&mut rng).unwrap_or_else(|| panic!("{name}: nobody is awaited"));
        let prompt = position.view(Viewer::Seat(seat))["prompt"].as_str().unwrap_or_default().to_owned();
        let moves = position.legal_moves(seat);
        let mut worth: Vec<&String> = moves.iter().filter(|line| lively(game.info().slug, &prompt, line)).collect();
        if worth.is_empty() || rng.random_ratio(1, 100) {
            worth = moves.iter().collect();
        }
        let line = *worth.choose(&mut rng).unwrap_or_else(|| panic!("{name}: no move to make"));
        decided = position
            .decide_line(seat, line, &mut seed.chance(drawn))
            .unwrap_or_else(|refusal| panic!("{name}: “{line}” is listed and refused: {refusal}"));
        check_concealment(&*position, &decided, seat, seats, &format!("{name}, “{line}”"));
        if decided.reversible && step.is_multiple_of(UNDO_EVERY) {
            check_untold(&*position, line, &decided, seat, seats, &mut rng, &name);
        }
    }
    unreachable!("a game that does not end")
}
