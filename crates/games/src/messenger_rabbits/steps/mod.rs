//! The steps of a game: a file for each kind of decision, which says what it is called, who acts, what they may do, and does it.
//! What a suit is good for is there, too: `takeoff` and `flight` (clubs), `fight` (spades), `contest` and `prove` (hearts),
//! `visit::market` (diamonds).

mod build;
pub mod contest;
mod discard;
mod fight;
mod flight;
mod journey;
mod lottery;
mod pay;
mod prove;
mod release;
mod set_up;
mod takeoff;
mod trade;
mod turn;
pub mod visit;

pub use set_up::set_up;

use super::phase::Phase;
use super::{MessengerRabbits, Record};
use wonderpost_rules::{Step, Stepwise, Unasked};

impl Phase {
    /// The step of a phase.
    pub fn step(self) -> &'static dyn Step<MessengerRabbits> {
        match self {
            Phase::Setting => &Unasked { name: "takeoff", run: None },
            Phase::Build => &build::Build,
            Phase::Turning => &Unasked { name: "takeoff", run: Some(turn::begin) },
            Phase::Takeoff => &takeoff::Takeoff,
            Phase::Lottery => &lottery::Lottery,
            Phase::Discard(_) => &discard::Discard,
            Phase::Sinking => &Unasked { name: "journey", run: Some(turn::sink) },
            Phase::Journey => &journey::Journey,
            Phase::Pay => &pay::Pay,
            Phase::Flight => &flight::Flight,
            Phase::Contest => &contest::Contest,
            Phase::Prove => &prove::Prove,
            Phase::Visit => &visit::Visit,
            Phase::Fight => &fight::Fight,
            Phase::Release(_) => &release::Release,
            Phase::Trade => &trade::Trade,
            Phase::Increment => &Unasked { name: "visit", run: Some(turn::increment) },
            Phase::Over => &Unasked { name: "over", run: None },
        }
    }
}

impl Stepwise for MessengerRabbits {
    fn step(&self) -> &'static dyn Step<MessengerRabbits> {
        self.phase.step()
    }
}
