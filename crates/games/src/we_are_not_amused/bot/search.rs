//! The decent bot: with the order of the deck known the game up to the next shuffle is a puzzle without chance. A beam
//! search over plays looks for good ways through it, and the greedy bot's own lines are never forgotten. Where a shuffle is
//! left, games played on after it tell which way is best.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::super::WeAreNotAmused;
use super::super::moves::Move;
use super::super::phase::{Ended, Phase};
use super::playout;
use super::worth::{self, Worth};
use rand::rngs::SmallRng;
use rand::{Rng, RngExt, SeedableRng};

/// How many positions of each depth are followed up.
const BEAM: usize = 150;

/// How many stopping places of the search are looked at closely.
const CLOSE_LOOKS: usize = 4;

/// How many lines of the greedy bot are tried beside the search.
const GREEDY_LINES: usize = 8;

/// How many if no shuffle is left: then a line's end is the game's, and they need no games played on to be judged.
const LAST_GREEDY_LINES: usize = 32;

/// How many games are played on from a stopping place to judge it.
const PLAYOUTS: usize = 10;

/// A way to a place where one can stop.
struct Way {
    moves: Vec<Move>,
    state: WeAreNotAmused,
    worth: Worth,
}

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
pub fn plan(state: &WeAreNotAmused, rng: &mut dyn Rng) -> Vec<Move> {
    let mut ways = found_by_search(state);
    let lines = if state.shuffles_left > 0 { GREEDY_LINES } else { LAST_GREEDY_LINES };
    ways.extend((0..lines).filter_map(|_| found_by_greed(state, rng)));
    // The same shuffles for all, so that none is judged by its luck.
    let luck: u64 = rng.random();
    let best = ways.into_iter().max_by_key(|way| prospect(way, luck));
    let Some(Way { mut moves, state, .. }) = best else { return vec![] };
    if state.ended().is_none() {
        moves.push(if state.shuffles_left > 0 { Move::Shuffle } else { Move::End });
    }
    moves
}

/// What a way brings in the end, as far as one can tell, and how it looks.
fn prospect(way: &Way, luck: u64) -> (u32, Worth) {
    let playouts = PLAYOUTS as u32;
    let roses = match way.state.ended() {
        Some(Ended::Surrounded) => 0,
        Some(_) => playouts * u32::from(way.state.delivered),
        None if way.state.shuffles_left == 0 => playouts * u32::from(way.state.delivered),
        None => {
            let mut rng = SmallRng::seed_from_u64(luck);
            (0..PLAYOUTS).map(|_| u32::from(playout::roses_after_shuffle(&way.state, &mut rng))).sum()
        }
    };
    (roses, way.worth)
}

fn found_by_search(state: &WeAreNotAmused) -> Vec<Way> {
    let mut steps = Vec::new();
    let goals = search(state, &mut steps);
    let way = |(worth, goal): (Worth, Node)| {
        let mut moves = Vec::new();
        let mut last = goal.step;
        while let Some(step) = last.and_then(|step| steps.get(step)) {
            moves.push(step.play);
            moves.extend(std::iter::repeat_n(Move::Pass, step.passes.into()));
            last = step.before;
        }
        moves.reverse();
        Way { moves, state: goal.state, worth }
    };
    goals.into_iter().map(way).collect()
}

/// The best stopping place on a line of the greedy bot.
fn found_by_greed(state: &WeAreNotAmused, rng: &mut dyn Rng) -> Option<Way> {
    let line = playout::line(state, rng);
    let worths = line.iter().map(|(_, state)| as_goal(state)).enumerate();
    let (place, worth) = worths.filter_map(|(place, worth)| Some((place, worth?))).max_by_key(|(_, worth)| *worth)?;
    let moves = line[..=place].iter().map(|(mv, _)| *mv).collect();
    Some(Way { moves, state: line[place].1.clone(), worth })
}

/// The best places to stop at, the best first.
fn search(root: &WeAreNotAmused, steps: &mut Vec<Step>) -> Vec<(Worth, Node)> {
    let mut goals: Vec<(Worth, Node)> = Vec::new();
    let mut front = vec![Node { worth: promise(root), state: root.clone(), step: None }];
    while !front.is_empty() {
        let mut met = HashSet::<u64, BuildHasherDefault<DefaultHasher>>::default();
        let mut next = Vec::new();
        for node in &front {
            if let Some(value) = as_goal(&node.state)
                && (goals.len() < CLOSE_LOOKS || goals.last().is_some_and(|(worst, _)| value > *worst))
            {
                let place = goals.partition_point(|(better, _)| *better >= value);
                goals.insert(place, (value, Node { state: node.state.clone(), ..*node }));
                goals.truncate(CLOSE_LOOKS);
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
    goals
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

pub(super) fn carry_on(state: &mut WeAreNotAmused) {
    while let Some(event) = state.next_event(false) {
        state.fold(&event);
    }
}

/// What makes a position worth following up.
fn promise(state: &WeAreNotAmused) -> Worth {
    worth::of_garden(state) + worth::of_deck(state) + worth::of_lost_roses(&state.garden)
}

/// What a position is worth to stop at; `None` where one cannot.
fn as_goal(state: &WeAreNotAmused) -> Option<Worth> {
    match state.phase {
        Phase::Over(Ended::Surrounded) => Some(-1),
        Phase::Over(_) => Some(Worth::from(state.delivered) * 1000),
        Phase::Turning | Phase::Plant => None,
        Phase::Play | Phase::Stuck if state.shuffles_left > 0 => {
            Some(worth::of_garden(state) + worth::of_shuffle(state) + worth::of_lost_roses(&state.garden))
        }
        Phase::Play | Phase::Stuck => Some(Worth::from(state.delivered) * 1000),
    }
}

/// Positions that look the same to the rest of the search.
fn fingerprint(state: &WeAreNotAmused) -> u64 {
    let key = (state.garden, state.deck, state.discard.last(), state.collected, state.delivered);
    BuildHasherDefault::<DefaultHasher>::default().hash_one(key)
}
