//! The steps of a game: a file for each kind of decision, which says what it is called, who acts, what they may do, and does it.
//! `using` is what cards of the hand do at several of them.

mod assist;
mod dice;
mod discard;
mod entrance;
mod fight;
mod help;
mod run;
mod share;
mod turn;
mod using;
mod walk;

pub use turn::set_up;

use super::phase::{self, Phase, RollKind};
use super::{MunchkinWonderland, Record};
use wonderpost_rules::{Refusal, Step, Stepwise, Unasked};

impl phase::Step {
    /// The step of a decision.
    pub fn step(self) -> &'static dyn Step<MunchkinWonderland> {
        match self {
            phase::Step::Roll(RollKind::Move) => &walk::Walk,
            phase::Step::Roll(RollKind::Entrance) => &entrance::Entrance,
            phase::Step::Roll(RollKind::Run) => &run::Run,
            phase::Step::Fight => &fight::Fight,
            phase::Step::Help => &help::Help,
            phase::Step::Assist => &assist::Assist,
            phase::Step::Share => &share::Share,
            phase::Step::Discard => &discard::Discard,
            phase::Step::Over => &Unasked { name: "over", run: None },
        }
    }
}

impl Stepwise for MunchkinWonderland {
    fn step(&self) -> &'static dyn Step<MunchkinWonderland> {
        match &self.phase {
            Phase::Between => &Unasked { name: "move", run: Some(turn::end) },
            Phase::Rolled(_) | Phase::Fight(_) | Phase::Share(_) | Phase::Discard | Phase::Over => {
                self.phase.step().step()
            }
        }
    }
}

impl MunchkinWonderland {
    /// What can be said now, for refusals.
    fn not_now(&self) -> Refusal {
        self.step().refusal(self)
    }
}
