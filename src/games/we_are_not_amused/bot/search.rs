//! The decent bot: with the order of the deck known the game up to the next shuffle is a puzzle without chance. A beam
//! search over plays looks for the best way through it.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::super::WeAreNotAmused;
use super::super::moves::Move;
use super::super::phase::{Ended, Phase};
use super::worth::{self, Worth};

/// How many positions of each depth are followed up.
const BEAM: usize = 150;

/// A position met in the search.
struct Node {
    state: WeAreNotAmused,
    worth: Worth,
    /// The last step of the way here; `None` at the root.
    step: Option<usize>,
}

/// One play, and the passes before it.
#[derive(Copy, Clone)]
struct Step {
    before: Option<usize>,
    passes: u8,
    play: Move,
}

/// The best way found from here: up to the next shuffle if one is left, else to the end.
pub fn plan(state: &WeAreNotAmused) -> Vec<Move> {
    let mut steps = Vec::new();
    let goal = search(state, &mut steps);
    let mut plan = Vec::new();
    let mut last = goal.step;
    while let Some(step) = last.and_then(|step| steps.get(step)) {
        plan.push(step.play);
        plan.extend(std::iter::repeat_n(Move::Pass, step.passes.into()));
        last = step.before;
    }
    plan.reverse();
    if goal.state.ended().is_none() {
        plan.push(if goal.state.shuffles_left > 0 { Move::Shuffle } else { Move::End });
    }
    plan
}

fn search(root: &WeAreNotAmused, steps: &mut Vec<Step>) -> Node {
    let node = |state: WeAreNotAmused, step| Node { worth: promise(&state), state, step };
    let mut goal: Option<(Worth, Node)> = None;
    let mut front = vec![node(root.clone(), None)];
    while !front.is_empty() {
        let mut met = HashSet::<u64, BuildHasherDefault<DefaultHasher>>::default();
        let mut next = Vec::new();
        for node in &front {
            if let Some(value) = as_goal(&node.state)
                && goal.as_ref().is_none_or(|(best, _)| value > *best)
            {
                goal = Some((value, Node { state: node.state.clone(), ..*node }));
            }
            successors(&node.state, |passes, play, state| {
                if met.insert(fingerprint(&state)) {
                    steps.push(Step { before: node.step, passes, play });
                    next.push(Node { worth: promise(&state), state, step: Some(steps.len() - 1) });
                }
            });
        }
        if next.len() > BEAM {
            next.select_nth_unstable_by_key(BEAM, |node| (Reverse(node.worth), node.step));
            next.truncate(BEAM);
        }
        front = next;
    }
    goal.map_or_else(|| node(root.clone(), None), |(_, node)| node)
}

/// All positions one play away: with the revealed card, or with a later one after so many passes.
fn successors(state: &WeAreNotAmused, mut found: impl FnMut(u8, Move, WeAreNotAmused)) {
    let mut state = state.clone();
    let mut plays = Vec::new();
    for passes in 0.. {
        plays.clear();
        match state.phase {
            Phase::Play => {
                let Some(revealed) = state.revealed() else { return };
                state.list_plays(revealed, &mut plays);
                for play in &plays {
                    if let Ok(event) = state.play(revealed, *play) {
                        found(passes, *play, carried_on(&state, &event));
                    }
                }
                state.phase = Phase::Turning;
                carry_on(&mut state);
            }
            Phase::Plant => {
                for at in state.garden.gaps().iter() {
                    let play = Move::Plant { at };
                    if let Ok(event) = state.plant(play) {
                        found(passes, play, carried_on(&state, &event));
                    }
                }
                return;
            }
            Phase::Turning | Phase::Stuck | Phase::Over(_) => return,
        }
    }
}

fn carried_on(state: &WeAreNotAmused, event: &super::super::event::Event) -> WeAreNotAmused {
    let mut next = state.clone();
    next.fold(event);
    carry_on(&mut next);
    next
}

fn carry_on(state: &mut WeAreNotAmused) {
    while let Some(event) = state.next_event(false) {
        state.fold(&event);
    }
}

/// What makes a position worth following up.
fn promise(state: &WeAreNotAmused) -> Worth {
    worth::of_garden(state) + worth::of_deck(state)
}

/// What a position is worth to stop at; `None` where one cannot.
fn as_goal(state: &WeAreNotAmused) -> Option<Worth> {
    match state.phase {
        Phase::Over(Ended::Surrounded) => Some(-1),
        Phase::Over(_) => Some(Worth::from(state.delivered) * 1000),
        Phase::Turning | Phase::Plant => None,
        Phase::Play | Phase::Stuck if state.shuffles_left > 0 => {
            Some(worth::of_garden(state) + worth::of_shuffle(state))
        }
        Phase::Play | Phase::Stuck => Some(Worth::from(state.delivered) * 1000),
    }
}

/// Positions that look the same to the rest of the search.
fn fingerprint(state: &WeAreNotAmused) -> u64 {
    let key = (state.garden, state.deck, state.discard.last(), state.collected, state.delivered);
    BuildHasherDefault::<DefaultHasher>::default().hash_one(key)
}
