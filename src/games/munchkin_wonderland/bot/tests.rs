use serde_json::json;

use super::super::options::Options;
use super::*;
use crate::bots::{Simulation, simulate};
use crate::rules::Entry;
use crate::rules::seed::Seed;
use crate::rules::{Rules, Seat, Viewer, deal, say};

static GAME: Entry<MunchkinWonderland> = Entry::new();

#[test]
fn bots_finish_games_with_legal_moves_only() {
    for seats in [2, 3, 6] {
        let levels = [Level::Easy, Level::Decent];
        let options = json!({"short": true});
        let report = simulate(&Simulation {
            game: &GAME,
            seats,
            options: &options,
            games: 4,
            levels: &levels,
            first_seed: 1,
            threads: Some(1),
        })
        .unwrap();
        assert!(report.played.iter().all(|played| played.over && played.refused == 0));
    }
}

#[test]
fn a_bot_does_the_same_whatever_it_cannot_know() {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    let mut rng = SmallRng::seed_from_u64(4);
    let mut chance = Seed::of_number(4).chance(0);
    let mut state = deal::<MunchkinWonderland>(Options::default(), 3, &mut chance).unwrap().state;
    while let Some(seat) = state.awaiting().iter().next() {
        for level in [Level::Easy, Level::Decent] {
            let says = |state: &MunchkinWonderland| {
                bot(level, &View::new(state, Viewer::Seat(seat)), &mut SmallRng::seed_from_u64(7))
            };
            assert_eq!(says(&state), says(&state.imagine(Viewer::Seat(seat), &mut rng)));
        }
        let view = View::new(&state, Viewer::Seat(seat));
        let line = bot(Level::Decent, &view, &mut rng)[0].to_string();
        state = say(&state, seat, &line, &mut chance).unwrap().state;
    }
}

#[test]
fn the_decent_bot_closes_a_gap_with_the_cheapest_cards() {
    use super::super::table::{FightTable, SideTable};
    let side = SideTable { seat: Seat::new(1).unwrap(), dice: vec![2], used: vec![], power: 2 };
    let fight = FightTable {
        room: "red-queen".parse().unwrap(),
        monsters: vec![],
        die: None,
        monster_power: 9,
        fighter: side.clone(),
        helper: None,
        can_ask: vec![],
        asked: vec![],
        refused: vec![],
    };
    let hand: Vec<Treasure> =
        ["crown", "dry-biscuit", "riddle", "teacup", "watch"].map(|id| id.parse().unwrap()).into();
    let plan = plan::cheapest(&fight, &side, &hand, 7).unwrap();
    let lines: Vec<String> = plan.moves.iter().map(Move::to_string).collect();
    assert_eq!(lines, ["use dry-biscuit", "use teacup"]);
    assert!(plan::cheapest(&fight, &side, &hand, 20).is_none());
}

/// `cargo test --release munchkin_bots -- --ignored`; `wonderpost simulate` prints the figures.
#[test]
#[ignore = "plays hundreds of games"]
fn munchkin_bots_decent_beats_easy() {
    let levels = [Level::Easy, Level::Decent];
    for seats in 2..=6 {
        let report = simulate(&Simulation {
            game: &GAME,
            seats,
            options: &json!({}),
            games: 400,
            levels: &levels,
            first_seed: 1,
            threads: Some(1),
        })
        .unwrap();
        if seats == 2 {
            assert!(report.level(Level::Decent).win_rate() >= 0.65);
        }
    }
}
