//! Games played on by the greedy bot: lines that a plan must not fall behind, and a guess at what a shuffle brings.

use rand::Rng;
use rand::seq::SliceRandom;

use super::super::WeAreNotAmused;
use super::super::card::DeckCard;
use super::super::event::Event;
use super::super::moves::Move;
use super::super::phase::{Ended, Phase};
use super::greedy;
use super::search::carry_on;

/// How many moves a line may have: the greedy bot could swap for ever.
const LONGEST: usize = 400;

/// The positions that the greedy bot comes through until a shuffle is due or the game is over, and the moves that lead there.
pub fn line(start: &WeAreNotAmused, rng: &mut dyn Rng) -> Vec<(Move, WeAreNotAmused)> {
    let mut line: Vec<(Move, WeAreNotAmused)> = Vec::new();
    while line.len() < LONGEST {
        let state = line.last().map_or(start, |(_, state)| state);
        let (Phase::Play | Phase::Plant, Some(mv)) = (state.phase, greedy::next_move(state, rng)) else { break };
        let Some(next) = after(state, mv) else { break };
        line.push((mv, next));
    }
    line
}

/// How many roses the greedy bot delivers from here if the deck is shuffled now.
pub fn roses_after_shuffle(state: &WeAreNotAmused, rng: &mut dyn Rng) -> u8 {
    let mut state = state.clone();
    while state.ended().is_none() && state.shuffles_left > 0 {
        shuffle(&mut state, rng);
        if let Some((_, last)) = line(&state, rng).pop() {
            state = last;
        }
    }
    if state.ended() == Some(Ended::Surrounded) { 0 } else { state.delivered }
}

/// The position after a move; `None` if it is not legal.
fn after(state: &WeAreNotAmused, mv: Move) -> Option<WeAreNotAmused> {
    let mut next = state.clone();
    match (state.phase, mv) {
        (Phase::Play, Move::Pass) => next.phase = Phase::Turning,
        (Phase::Play, _) => next.fold(&state.play(state.revealed()?, mv).ok()?),
        (Phase::Plant, _) => next.fold(&state.plant(mv).ok()?),
        (Phase::Turning | Phase::Stuck | Phase::Over(_), _) => return None,
    }
    carry_on(&mut next);
    Some(next)
}

fn shuffle(state: &mut WeAreNotAmused, mut rng: &mut dyn Rng) {
    let mut cards: Vec<DeckCard> = state.deck.cards().iter().chain(state.discard.iter()).copied().collect();
    cards.shuffle(&mut rng);
    state.fold(&Event::Shuffled { deck: cards.into_iter().collect() });
    carry_on(state);
}
