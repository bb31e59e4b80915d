//! Munchkin Wonderland: how bots play it, what the log tells, and what is said when a move is refused.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use wonderpost_bench::simulate::{Report, Simulation, simulate};
use wonderpost_games::catalogue;
use wonderpost_rules::{Fact, Game, Level, Outcome, Position, Scripted, Seat, Viewer};

fn game() -> &'static dyn Game {
    catalogue().find("munchkin-wonderland").unwrap()
}

fn bots(seats: u8, games: usize, options: &Value) -> Report {
    let levels = [Level::Easy, Level::Decent];
    let threads = Some(1);
    simulate(&Simulation { game: game(), seats, options, games, levels: &levels, first_seed: 1, threads }).unwrap()
}

#[test]
fn bots_finish_games_of_every_size_with_legal_moves_only() {
    for seats in 2..=6 {
        for short in [true, false] {
            let report = bots(seats, 2, &json!({"short": short}));
            assert!(report.played.iter().all(|played| played.over && played.refused == 0), "{seats} {short}");
        }
    }
}

#[test]
fn the_decent_bot_is_better_than_the_easy_one() {
    assert!(bots(2, 40, &json!({})).level(Level::Decent).win_rate() >= 0.65);
}

#[test]
#[ignore = "plays hundreds of games"]
fn the_decent_bot_wins_two_games_of_three_against_the_easy_one() {
    assert!(bots(2, 400, &json!({})).level(Level::Decent).win_rate() >= 0.65);
}

/// A game that a case file scripts, after the first so many of its moves, with what was told to everybody.
fn scripted(case: &str, moves: usize) -> (Box<dyn Position>, Scripted, String) {
    let path = format!("{}/tests/cases/munchkin-wonderland/{case}.json", env!("CARGO_MANIFEST_DIR"));
    let case: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let outcomes: Vec<Outcome> = serde_json::from_value(case["chance"].clone()).unwrap();
    let mut chance = Scripted::new(outcomes);
    let mut position = game().begin(&case["options"], case["seats"].as_u64().unwrap() as u8).unwrap();
    let mut told = vec![];
    let dealt = position.set_up(&mut chance).unwrap();
    fold(&mut position, &dealt.facts, &mut told);
    let steps = case["steps"].as_array().unwrap().iter();
    let says = steps.filter(|step| step.get("say").is_some() && step.get("rejected").is_none());
    for step in says.take(moves) {
        let seat: Seat = serde_json::from_value(step["seat"].clone()).unwrap();
        let decided = position.decide_line(seat, step["say"].as_str().unwrap(), &mut chance).unwrap();
        fold(&mut position, &decided.facts, &mut told);
    }
    (position, chance, Seat::fill_marks(&told.join("\n"), |seat| format!("Seat {seat}")))
}

fn fold(position: &mut Box<dyn Position>, facts: &[Fact], told: &mut Vec<String>) {
    for fact in facts {
        let body: &RawValue = serde_json::from_str(&fact.body).unwrap();
        told.extend(position.describe_event(body, Viewer::Public).unwrap());
        position.fold(body).unwrap();
    }
}

#[test]
fn the_log_tells_a_fight_from_meeting_to_treasure() {
    let (_, _, told) = scripted("23-source-fight", usize::MAX);
    for line in [
        "meets the Red Queen with Humpty Dumpty: 9 Power.",
        "10 against 9",
        "beats the Red Queen and takes 2 Treasures.",
    ] {
        assert!(told.contains(line), "“{line}” is missing in:\n{told}");
    }
}

#[test]
fn the_log_keeps_answers_that_made_no_difference() {
    let (_, _, told) = scripted("31-first-willing-helps", usize::MAX);
    assert!(told.contains("for help.") && told.contains("comes to help"), "{told}");
    assert!(!told.contains("You will"), "{told}");
}

#[test]
fn refusals_say_what_can_be_done() {
    let (position, mut chance, _) = scripted("18-on-bandersnatch", 1);
    let one = Seat::new(1).unwrap();
    for (line, sentence) in [
        ("go entrance", "You are in a fight: use or play a card, ask for help, or run."),
        ("use soup", "You do not have Beautiful Soup in your hand."),
        ("use bottle", "The “Drink Me” Bottle does not work on your own die in a fight."),
        ("use watch on jabberwock", "There is no die of the Jabberwock to change here."),
        ("ask 1", "You cannot ask yourself."),
        ("ask 2 2", "You name seat 2 twice."),
        ("ask 3", "There is no seat 3 at this table."),
        ("take soup", "You are in a fight: use or play a card, ask for help, or run."),
    ] {
        let refusal = position.decide_line(one, line, &mut chance).err().unwrap();
        assert_eq!(refusal.sentence(), sentence, "{line}");
    }
}
