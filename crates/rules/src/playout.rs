//! Playing a position on to its end among bots, to see what may come of it.

use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::{Catalogued, Chance, Labels, Level, Refusal, Rules, Seat, SeatSet, View, Viewer, decide_move};

/// How a position is played on.
#[derive(Copy, Clone, Debug)]
pub struct PlayoutPlan {
    /// How well all seats are played.
    pub level: Level,
    /// The same number gives the same game.
    pub seed: u64,
    /// After so many moves the game is given up.
    pub most_moves: u32,
}

/// What a game that was played on came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Who won.
    pub winners: SeatSet,
    /// See [`Rules::ranking_key`].
    pub ranking_key: Vec<i64>,
    /// How many moves it took.
    pub moves: u32,
}

/// Chance that nobody needs to check: quick, and not derived from any table's secret.
struct QuickChance(SmallRng);

impl Chance for QuickChance {
    fn shuffle(&mut self, items: &dyn Labels) -> Result<Vec<usize>, Refusal> {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.shuffle(&mut self.0);
        Ok(order)
    }

    fn roll(&mut self, dice: usize, sides: u32) -> Result<Vec<u32>, Refusal> {
        Ok((0..dice).map(|_| self.0.random_range(1..=sides)).collect())
    }

    fn pick(&mut self, items: &dyn Labels) -> Result<usize, Refusal> {
        Ok(self.0.random_range(0..items.len()))
    }
}

/// A game that bots play on.
struct PlayedOn<R> {
    state: R,
    chance: QuickChance,
    moves: u32,
}

impl<R: Rules> PlayedOn<R> {
    /// Makes a move; whether something new came up, or nothing if it was refused.
    fn make(&mut self, seat: Seat, mv: R::Move) -> Option<bool> {
        let decision = decide_move(&self.state, seat, mv, &mut self.chance).ok()?;
        self.state = decision.state;
        self.moves += 1;
        Some(decision.revealing)
    }
}

/// Plays a state on. `first` is made before the bots take over. Nothing comes of it if that move is refused or there is no end in time.
pub(crate) fn play_out<R: Catalogued>(
    state: &R,
    first: Option<(Seat, R::Move)>,
    plan: &PlayoutPlan,
) -> Option<Playout> {
    let mut rng = SmallRng::seed_from_u64(plan.seed);
    let chance = QuickChance(SmallRng::seed_from_u64(rng.random()));
    let mut game = PlayedOn { state: state.clone(), chance, moves: 0 };
    if let Some((seat, mv)) = first {
        game.make(seat, mv)?;
    }
    while game.state.result().is_none() {
        if game.moves >= plan.most_moves {
            return None;
        }
        let seat = game.state.awaiting().iter().next()?;
        let chosen = R::bot(plan.level, &View::new(&game.state, Viewer::Seat(seat)), &mut rng);
        let before = game.moves;
        for mv in chosen {
            // The rest of a plan is for what was foreseen.
            if game.make(seat, mv).is_none_or(|revealing| revealing || !game.state.awaiting().contains(seat)) {
                break;
            }
        }
        if game.moves == before {
            let default = game.state.default_move(seat)?;
            game.make(seat, default)?;
        }
    }
    let winners = game.state.result()?.winners;
    Some(Playout { winners, ranking_key: game.state.ranking_key(), moves: game.moves })
}
