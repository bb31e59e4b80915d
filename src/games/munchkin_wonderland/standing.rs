//! Standing answers: the prompts that a player may answer in advance, for the house to offer.
//!
//! For such a prompt a player leaves an ordered list of moves; when it comes up, the first that is legal is made at once.

use super::listing::best_first;
use super::moves::Move;
use super::treasure::Treasure;

/// An answer that can be left for a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingAnswer {
    pub prompt: &'static str,
    pub title: &'static str,
    /// In order: the first that is legal is made.
    pub moves: Vec<Move>,
}

/// All answers of this game that have a name. For `share`, any list of `take <card>` is good as well.
pub fn standing_answers() -> Vec<StandingAnswer> {
    let mut best: Vec<Treasure> = Treasure::all().collect();
    best.sort_by_key(|card| best_first(*card));
    vec![
        StandingAnswer { prompt: "help", title: "Always help", moves: vec![Move::Help] },
        StandingAnswer { prompt: "help", title: "Never help", moves: vec![Move::Refuse] },
        StandingAnswer { prompt: "assist", title: "Die and Friends only", moves: vec![Move::Done] },
        StandingAnswer { prompt: "share", title: "Most Gold", moves: best.into_iter().map(Move::Take).collect() },
    ]
}
