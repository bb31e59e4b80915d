//! Messenger Rabbits: how bots play it.

use serde_json::{Value, json};
use wonderpost_bench::simulate::{Report, Simulation, simulate};
use wonderpost_games::catalogue;
use wonderpost_rules::Level;

fn bots(seats: u8, games: usize, levels: &[Level], options: &Value) -> Report {
    let game = catalogue().find("messenger-rabbits").unwrap();
    simulate(&Simulation { game, seats, options, games, levels, first_seed: 1, threads: Some(2) }).unwrap()
}

const BOTH: [Level; 2] = [Level::Easy, Level::Decent];

#[test]
fn bots_finish_games_with_every_objective_with_legal_moves_only() {
    for objective in ["simple", "diverse", "monarchic", "diverse-monarchic", "tribal"] {
        for seats in 2..=4 {
            for levels in [&BOTH[..1], &BOTH] {
                let report = bots(seats, 2, levels, &json!({"objective": objective}));
                assert!(report.played.iter().all(|played| played.over && played.refused == 0), "{objective} {seats}");
            }
        }
    }
}

/// With two suits for two players all royals may be in the wrong hands: somebody has to give way.
#[test]
fn bots_finish_games_in_which_the_royals_are_split_between_them() {
    let options = json!({"objective": "tribal", "tight_suits": true});
    for levels in [&BOTH[..1], &BOTH[1..]] {
        let report = bots(2, 10, levels, &options);
        assert!(report.played.iter().all(|played| played.over && played.refused == 0));
    }
}

#[test]
fn the_decent_bot_is_better_than_the_easy_one() {
    assert!(bots(2, 60, &BOTH, &json!({})).level(Level::Decent).win_rate() >= 0.6);
}

#[test]
#[ignore = "plays hundreds of games"]
fn the_decent_bot_wins_two_games_of_three_against_the_easy_one() {
    assert!(bots(2, 400, &BOTH, &json!({})).level(Level::Decent).win_rate() >= 0.65);
}
