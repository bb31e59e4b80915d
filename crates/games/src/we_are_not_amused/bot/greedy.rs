//! The easy bot: plays whatever makes the garden look best now, and never plans.

use std::cmp::Reverse;

use rand::{Rng, RngExt};

use super::super::WeAreNotAmused;
use super::super::card::DeckCard;
use super::super::moves::Move;
use super::super::phase::Phase;
use super::worth;

pub fn next_move(state: &WeAreNotAmused, rng: &mut dyn Rng) -> Option<Move> {
    match state.phase {
        Phase::Play => Some(play(state, state.revealed()?, rng)),
        Phase::Plant => {
            let plantings = state.garden.gaps().iter().map(|at| Move::Plant { at });
            best(plantings, |mv| state.plant(mv).ok().map(|event| after(state, &event)))
        }
        Phase::Stuck => Some(Move::Shuffle),
        Phase::Turning | Phase::Over(_) => None,
    }
}

fn play(state: &WeAreNotAmused, revealed: DeckCard, rng: &mut dyn Rng) -> Move {
    let mut moves = Vec::new();
    state.list_plays(revealed, &mut moves);
    let top = state.swappable();
    if top == Some(DeckCard::Alice) && moves.contains(&Move::Swap) {
        return Move::Swap;
    }
    let plays = moves.iter().copied().filter(|mv| *mv != Move::Swap);
    let found = best(plays, |mv| state.play(revealed, mv).ok().map(|event| after(state, &event)));
    found.unwrap_or_else(|| {
        let fetch = moves.contains(&Move::Swap) && top == Some(DeckCard::Gardener) && rng.random_bool(0.5);
        if fetch { Move::Swap } else { Move::Pass }
    })
}

fn after(state: &WeAreNotAmused, event: &super::super::event::Event) -> worth::Worth {
    let mut next = state.clone();
    next.fold(event);
    worth::of_garden(&next)
}

/// The first of the best.
fn best(moves: impl Iterator<Item = Move>, worth: impl Fn(Move) -> Option<worth::Worth>) -> Option<Move> {
    moves.filter_map(|mv| Some((mv, worth(mv)?))).min_by_key(|(_, worth)| Reverse(*worth)).map(|(mv, _)| mv)
}
