//! Random games, and what holds at every step of them.

use rand::RngExt;
use rand::rngs::SmallRng;

use super::WeAreNotAmused;
use super::moves::Move;
use super::options::Options;
use wonderpost_rules::random_games::{RandomGames, any};

/// A game goes on as long as it can, as a rule.
fn choose(moves: &[Move], rng: &mut SmallRng) -> Move {
    let goes_on = |mv: &Move| !matches!(mv.to_string().as_str(), "end" | "shuffle" | "pass all");
    let lively: Vec<Move> = moves.iter().filter(|mv| goes_on(mv)).cloned().collect();
    any(if lively.is_empty() || rng.random_ratio(1, 100) { moves } else { &lively }, rng)
}

#[test]
fn hundreds_of_games_with_all_options_keep_the_contract() {
    const GAMES: u64 = 300;
    let finished = RandomGames::<WeAreNotAmused> {
        tables: (0..=2).map(|shuffles| (1, Options { shuffles })).collect(),
        games: GAMES,
        leave_after: None,
        choose,
        has_other_forms: |_| false,
        holds: |_| {},
    }
    .play();
    assert_eq!(finished, GAMES);
}
