//! Games at random, as measurements need them: long ones.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use wonderpost_rules::{Position, Seat};

/// Moves that cut a game short: left out where there are others, so that whole games are measured.
const SHORT_CUTS: [&str; 3] = ["end", "shuffle", "pass all"];

/// A move at random for the first seat that is to move; `None` when the game is over.
pub fn choose(position: &dyn Position, rng: &mut SmallRng) -> Option<(Seat, String)> {
    let seat = position.awaiting().iter().next()?;
    let moves = position.legal_moves(seat);
    let whole: Vec<&String> = moves.iter().filter(|line| !SHORT_CUTS.contains(&line.as_str())).collect();
    let line = whole.choose(rng).copied().or_else(|| moves.choose(rng))?;
    Some((seat, line.clone()))
}
