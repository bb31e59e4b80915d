use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use super::super::RedQueen;
use super::super::options::{Muster, Options};
use super::super::round::How;
use super::super::tests::{after, dealt, seat};
use super::bot;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Level, Rules, Seat, View, Viewer, deal, decide_line, decide_move};

/// Who plays the Red Queen, and who the companions; `None` plays at random.
#[derive(Copy, Clone)]
struct Players {
    queen: Option<Level>,
    companions: Option<Level>,
}

/// The share of rounds that the Red Queen wins.
fn queen_wins(seats: u8, games: u64, players: Players) -> f64 {
    let (mut rounds, mut slain) = (0, 0);
    for game in 0..games {
        let mut rng = SmallRng::seed_from_u64(game);
        let mut chance = Seed::of_number(game).chance(0);
        let mut state = deal::<RedQueen>(Options::default(), seats, &mut chance).unwrap().state;
        while let Some(awaited) = state.awaiting().iter().next() {
            let level = if awaited == state.queen { players.queen } else { players.companions };
            let view = View::new(&state, Viewer::Seat(awaited));
            let mv = match level {
                Some(level) => bot(level, &view, &mut rng)[0].clone(),
                None => view.moves.choose(&mut rng).unwrap().clone(),
            };
            state = decide_move(&state, awaited, mv, &mut chance).unwrap().state;
        }
        rounds += state.history.len();
        slain += state.history.iter().filter(|round| round.how == How::Slain).count();
    }
    1.0 - slain as f64 / rounds as f64
}

#[test]
fn bots_make_only_legal_moves_and_skill_counts() {
    let (easy, decent) = (Some(Level::Easy), Some(Level::Decent));
    assert!(queen_wins(4, 12, Players { queen: None, companions: decent }) < 0.3);
    assert!(queen_wins(3, 8, Players { queen: decent, companions: None }) > 0.8);
    assert!(queen_wins(4, 12, Players { queen: easy, companions: easy }) > 0.7);
    assert!((0.2..0.75).contains(&queen_wins(2, 16, Players { queen: decent, companions: decent })));
}

fn chosen(state: &RedQueen, number: u8) -> String {
    let view = View::new(state, Viewer::Seat(seat(number)));
    bot(Level::Decent, &view, &mut SmallRng::seed_from_u64(1))[0].to_string()
}

#[test]
fn the_decent_queen_guards_herself_with_her_best_and_keeps_a_killer() {
    let (state, mut chance) = dealt(4, "9C 2S 2H 2D KD 3S 3H 3D RJ 4S 4H 4D 7H 5S 5H 5D", Options::default());
    assert_eq!(chosen(&state, 1), "place KD");
    let state = after(state, &mut chance, &["1 place KD", "1 place 9C"]);
    assert_eq!(chosen(&state, 1), "place 7H");
}

#[test]
fn the_decent_companion_strikes_when_the_queen_is_bare_and_never_draws_the_last_card() {
    let (state, mut chance) = dealt(4, "9C RJ 2H 2D KD 3S 3H 3D 2C 4S 4H 4D 7H 5S 5H 5D", Options::default());
    let mut state = after(state, &mut chance, &["1 end"]);
    assert_eq!(chosen(&state, 2), "attack queen RJ");
    state = after(state, &mut chance, &["2 end"]);
    assert_eq!(chosen(&state, 3), "draw");
    state.pile.truncate(1);
    assert_eq!(chosen(&state, 3), "end");
}

#[test]
fn the_decent_companion_takes_the_cheapest_card_that_wins() {
    let (state, mut chance) = dealt(4, "6C 10D 2H 2D KD 7S 3H 3D 2C 4S 4H 4D 7H JS 5H 5D", Options::default());
    let state = after(state, &mut chance, &["1 place 6C", "1 end", "2 attack 1 4S"]);
    assert_eq!(chosen(&state, 2), "attack 1 7S");
}

#[test]
fn a_bot_sees_no_more_than_its_view() {
    let mut rng = SmallRng::seed_from_u64(3);
    let mut chance = Seed::of_number(3).chance(0);
    let options = Options { rounds: 2, muster: Muster::Even, ..Options::default() };
    let mut state = deal::<RedQueen>(options, 3, &mut chance).unwrap().state;
    while let Some(awaited) = state.awaiting().iter().next() {
        let resampled = state.resample_hidden(Viewer::Seat(awaited), &mut rng);
        let said = [&state, &resampled].map(|state| chosen(state, awaited.number()));
        assert_eq!(said[0], said[1]);
        state = decide_line(&state, Seat::new(awaited.number()).unwrap(), &said[0], &mut chance).unwrap().state;
    }
}
