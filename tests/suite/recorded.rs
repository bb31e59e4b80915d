//! Recorded games must fold for ever.
//!
//! A file `tests/recorded/<slug>-<n>.jsonl` is a whole game: a line with `game`, `seats` and `options`; a line with `kind` and `body`
//! for each fact; a line with the public `view` at its end. A file, once committed, is never changed: if one no longer
//! folds, an old kind of event has lost its meaning, and it is the game that needs mending.
//!
//! To record games that are missing (three for each game of the catalogue, others by raising [`GAMES`]):
//!
//! ```text
//! cargo test --test suite recorded::record -- --ignored
//! ```

use std::fs;
use std::path::PathBuf;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use wonderpost_games::catalogue;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Game, Level, Viewer};

/// How many games are kept of each game of the catalogue.
const GAMES: u64 = 3;

#[derive(Serialize, Deserialize)]
struct Opening {
    game: String,
    seats: u8,
    options: Value,
}

#[derive(Serialize, Deserialize)]
struct Recorded {
    kind: String,
    body: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
struct Ending {
    view: Value,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/recorded")
}

#[test]
fn recorded_games_fold_to_the_view_they_ended_with() {
    let mut files: Vec<PathBuf> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for game in catalogue().iter() {
        let slug = game.info().slug;
        let kept = |number| folder().join(format!("{slug}-{number}.jsonl"));
        assert!((1..=GAMES).all(|number| files.contains(&kept(number))), "{slug} lacks recorded games; see above how");
    }
    for file in files {
        let name = file.display();
        let text = fs::read_to_string(&file).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        let ending: Ending = serde_json::from_str(lines.pop().unwrap()).unwrap();
        let opening: Opening = serde_json::from_str(lines.remove(0)).unwrap();
        let game = catalogue().find(&opening.game).unwrap_or_else(|| panic!("{name}: no such game"));
        let mut table = game.begin(&opening.options, opening.seats).unwrap();
        for (number, line) in lines.iter().enumerate() {
            let fact: Recorded = serde_json::from_str(line).unwrap();
            table
                .describe_event(&fact.body, Viewer::Public)
                .unwrap_or_else(|error| panic!("{name}, {number}: {error}"));
            table.fold(&fact.body).unwrap_or_else(|error| panic!("{name}, {number}: {error}"));
        }
        assert!(table.result().is_some(), "{name} is not over");
        assert_eq!(table.view(Viewer::Public), ending.view, "{name}");
    }
}

#[test]
#[ignore = "writes files; run it to record the games of a new rule set"]
fn record() {
    fs::create_dir_all(folder()).unwrap();
    for game in catalogue().iter() {
        for number in 1..=GAMES {
            let file = folder().join(format!("{}-{number}.jsonl", game.info().slug));
            if !file.exists() {
                fs::write(file, play(game, number)).unwrap();
            }
        }
    }
}

/// A whole game as lines: the first by bots, others at random with a bot's move thrown in.
fn play(game: &dyn Game, number: u64) -> String {
    let (fewest, most) = game.info().seats;
    let seats = if number == 2 { most } else { fewest };
    let options = game.default_options();
    let seed = Seed::of_number(number);
    let mut rng = SmallRng::seed_from_u64(number);
    let begun = game.begin(&options, seats).unwrap();
    let opening = Opening { game: game.info().slug.into(), seats, options };
    let mut lines = vec![serde_json::to_string(&opening).unwrap()];
    let mut decided = begun.set_up(&mut seed.chance(0)).unwrap();
    let mut drawn = 0;
    loop {
        drawn += decided.draws.len() as u64;
        for fact in &decided.facts {
            let body = RawValue::from_string(fact.body.clone()).unwrap();
            lines.push(serde_json::to_string(&Recorded { kind: fact.kind.clone(), body }).unwrap());
        }
        let position = decided.position;
        let Some(seat) = position.awaiting().iter().next() else {
            let ending = Ending { view: position.view(Viewer::Public) };
            lines.push(serde_json::to_string(&ending).unwrap());
            return lines.join("\n") + "\n";
        };
        let level = if number == 1 { Level::Decent } else { Level::Easy };
        let planned = position.bot(level, seat, &mut rng).first().map(|mv| mv.to_string());
        let any = position.legal_moves(seat).choose(&mut rng).cloned();
        let astray = number > 1 && rng.random_ratio(1, 40);
        let line = if astray { any } else { planned.or(any) }.unwrap();
        decided = position.decide_line(seat, &line, &mut seed.chance(drawn)).unwrap();
    }
}
