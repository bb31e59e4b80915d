//! Random games by the hundred and the thousand: what every game owes the house, on its own types and therefore quickly.
//!
//! At every step of every game the stored events are folded, and what must always hold does. What takes longer is looked at in some steps
//! of each game, in other steps of the next one: so every step is looked at in many games.

// For tests alone: what cannot be had fails them.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fmt::Debug;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use super::{Chance, Decision, Refusal, Rules, Scripted, Seat, View, Viewer, deal, decide_line, decide_move};
use crate::seed::Seed;

/// In one of so many steps all listed moves are tried, and others that must be refused.
const MOVES_EVERY: usize = 8;
/// In one of so many steps what one viewer cannot know is dealt anew.
const VIEWS_EVERY: usize = 8;
/// In one of so many steps it is looked whether what can be undone told one other viewer anything.
const UNDO_EVERY: usize = 16;
/// How many moves in secret are tried that may have come before one that was noticed.
const LONGEST_CHAIN: usize = 4;
/// Lines that are no moves now are sampled from those listed earlier in the game.
const OTHERS: usize = 4;
/// Lines that no game knows.
const NONSENSE: [&str; 2] = ["", "pass the marmalade"];
/// A game longer than this is broken.
const MOST_MOVES: usize = 20_000;

/// Which games are played, and how.
pub struct RandomGames<R: Rules> {
    /// Seats and options, taken in turn.
    pub tables: Vec<(u8, R::Options)>,
    /// How many games are played.
    pub games: u64,
    /// Random play hardly ever finishes some games: those are left after so many moves.
    pub leave_after: Option<usize>,
    /// The move to make, of those listed.
    pub choose: fn(&[R::Move], &mut SmallRng) -> R::Move,
    /// Whether the rulebook accepts a line in other forms than the one it lists.
    pub has_other_forms: fn(&str) -> bool,
    /// What holds at every moment, such as that no card is lost.
    pub holds: fn(&R),
}

/// Any of the listed moves.
pub fn any<M: Clone>(moves: &[M], rng: &mut SmallRng) -> M {
    moves.choose(rng).expect("whoever is awaited has a move").clone()
}

/// Whether a seat can come to what looks so to somebody else with a move, or with several of which only the last is noticed.
fn could_look_like<R: Rules>(state: &R, seat: Seat, other: Viewer, seen: &str, most: usize) -> bool {
    let mut concealed = Vec::new();
    for mv in state.legal_moves(seat) {
        let decided = decide_move(state, seat, mv, &mut Scripted::new([]));
        let Some(then) = decided.ok().filter(|decided| decided.reversible).map(|decided| decided.state) else {
            continue;
        };
        if then.concealed_moves(seat) > state.concealed_moves(seat) {
            concealed.push(then);
        } else if serde_json::to_string(&View::new(&then, other)).unwrap() == seen {
            return true;
        }
    }
    most > 1 && concealed.iter().any(|then| could_look_like(then, seat, other, seen, most - 1))
}

impl<R: Rules + PartialEq + Debug> RandomGames<R> {
    /// Plays them all. Gives back how many were played to the end.
    pub fn play(&self) -> u64 {
        (0..self.games).map(|number| u64::from(self.play_one(number))).sum()
    }

    /// Plays one game; whether it came to an end.
    fn play_one(&self, number: u64) -> bool {
        let kinds = self.tables.len();
        let (seats, options) = &self.tables[number as usize % kinds];
        let mut rng = SmallRng::seed_from_u64(number);
        let seed = Seed::of_number(number);
        let mut folded = R::begin(options.clone(), *seats).unwrap();
        let mut decided = deal::<R>(options.clone(), *seats, &mut seed.chance(0)).unwrap();
        let (mut drawn, mut heard) = (0, BTreeSet::new());
        for step in 0..MOST_MOVES {
            let name = format!("{} for {seats}, game {number}, step {step}", R::GAME.slug);
            drawn += decided.draws.len() as u64;
            assert!(decided.revealing || decided.draws.is_empty(), "{name}: chance was drawn in secret");
            for event in &decided.events {
                let stored = serde_json::to_string(event).unwrap();
                folded.apply(&serde_json::from_str(&stored).unwrap());
            }
            let state = decided.state;
            assert!(folded == state, "{name}: the events do not fold to the state");
            (self.holds)(&state);
            // Games of one kind begin to look at other steps and with the eyes of others.
            let turn = step + number as usize / kinds;
            if turn.is_multiple_of(VIEWS_EVERY) {
                let seat = Seat::all(*seats).nth(turn / VIEWS_EVERY % (usize::from(*seats) + 1));
                self.look(&state, seat.map_or(Viewer::Public, Viewer::Seat), &mut rng, &name);
            }
            let awaited: Vec<Seat> = state.awaiting().iter().collect();
            if turn.is_multiple_of(MOVES_EVERY) || awaited.is_empty() {
                self.try_moves(&state, *seats, || seed.chance(drawn), &mut heard, &mut rng, &name);
                assert!(folded == state, "{name}: asking changed the table");
            }
            let Some(seat) = awaited.choose(&mut rng) else {
                assert!(state.result().is_some(), "{name}: nobody is awaited");
                return true;
            };
            if self.leave_after.is_some_and(|most| step >= most) {
                return false;
            }
            let mv = (self.choose)(&state.legal_moves(*seat), &mut rng);
            decided = decide_move(&state, *seat, mv.clone(), &mut seed.chance(drawn))
                .unwrap_or_else(|refusal| panic!("{name}: “{mv}” is listed and refused: {refusal}"));
            if decided.reversible && turn.is_multiple_of(UNDO_EVERY) {
                let others: Vec<Viewer> = Seat::all(*seats).map(Viewer::Seat).chain([Viewer::Public]).collect();
                let other = others[turn / UNDO_EVERY % others.len()];
                if other != Viewer::Seat(*seat) {
                    self.check_untold(&state, *seat, &mv, &decided.state, other, &mut rng, &name);
                }
            }
        }
        panic!("{} for {seats}, game {number}: no end", R::GAME.slug);
    }

    /// A viewer sees the same, whatever is dealt to where the viewer cannot look.
    fn look(&self, state: &R, viewer: Viewer, rng: &mut SmallRng, name: &str) {
        let resampled = state.resample_hidden(viewer, rng);
        (self.holds)(&resampled);
        let [there, here] = [&resampled, state].map(|state| serde_json::to_string(&View::new(state, viewer)).unwrap());
        assert!(there == here, "{name}: {viewer:?} sees what is hidden:\n{here}\n{there}");
        // The same random numbers deal the same anew, whatever is true.
        let [there, here] = [&resampled, state].map(|state| state.resample_hidden(viewer, &mut rng.clone()));
        assert!(there == here, "{name}: what {viewer:?} imagines depends on what is hidden:\n{here:?}\n{there:?}");
    }

    /// What can be undone has told nobody else anything: whatever is true of what they cannot see, the seat could have come to what
    /// looks the same to them.
    #[allow(clippy::too_many_arguments, reason = "a step of a random game")]
    fn check_untold(
        &self,
        state: &R,
        seat: Seat,
        mv: &R::Move,
        then: &R,
        other: Viewer,
        rng: &mut SmallRng,
        name: &str,
    ) {
        let seen = serde_json::to_string(&View::new(then, other)).unwrap();
        // What nobody noticed told nothing.
        if serde_json::to_string(&View::new(state, other)).unwrap() == seen {
            return;
        }
        let resampled = state.resample_hidden(other, rng);
        let might_be = could_look_like(&resampled, seat, other, &seen, LONGEST_CHAIN);
        assert!(might_be, "{name}: “{mv}” can be undone, and tells {other:?} what is hidden");
    }

    /// What a move comes to for whoever makes it: the log and the view, unless somebody learns what was hidden.
    fn foresee(&self, state: &R, seat: Seat, said: Result<Decision<R>, Refusal>) -> Result<Option<String>, Refusal> {
        let said = said?;
        if said.revealing {
            return Ok(None);
        }
        let undone = if said.reversible { "can be undone" } else { "stands" };
        let viewer = Viewer::Seat(seat);
        let (mut state, mut told) = (state.clone(), Vec::new());
        for event in &said.events {
            told.extend(state.describe_event(event, viewer));
            state.apply(event);
        }
        Ok(Some(format!("{undone} {told:?} {}", serde_json::to_string(&View::new(&state, viewer)).unwrap())))
    }

    /// All listed moves are accepted, and others are refused.
    fn try_moves<C: Chance>(
        &self,
        state: &R,
        seats: u8,
        chance: impl Fn() -> C,
        heard: &mut BTreeSet<String>,
        rng: &mut SmallRng,
        name: &str,
    ) {
        for seat in Seat::all(seats) {
            let awaited = state.awaiting().contains(seat);
            let listed: Vec<String> =
                if awaited { state.legal_moves(seat).iter().map(R::Move::to_string).collect() } else { vec![] };
            let resampled = state.resample_hidden(Viewer::Seat(seat), rng);
            // Whether a move can be foreseen, or why it is refused, must not tell what is hidden from whoever makes it.
            let check_telling = |line: &str| {
                let [there, here] = [&resampled, state]
                    .map(|state| self.foresee(state, seat, decide_line(state, seat, line, &mut chance())));
                assert!(there == here, "{name}: trying “{line}” tells what is hidden:\n{here:?}\n{there:?}");
            };
            for line in &listed {
                let said = decide_line(state, seat, line, &mut chance());
                assert!(said.is_ok(), "{name}: “{line}” is listed for seat {seat}, and refused");
                check_telling(line);
            }
            let others: Vec<&String> =
                heard.iter().filter(|line| !listed.contains(line) && !(self.has_other_forms)(line)).collect();
            for line in others.sample(rng, OTHERS).map(|line| line.as_str()).chain(NONSENSE) {
                let said = decide_line(state, seat, line, &mut chance());
                assert!(said.is_err(), "{name}: “{line}” is not listed for seat {seat}, and accepted");
                check_telling(line);
            }
            heard.extend(listed);
        }
    }
}
