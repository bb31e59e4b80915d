//! Steps: a game of many different decisions, one file each.

use super::{Recorder, Refusal, Rules, Seat, SeatSet};

/// One kind of decision: what it is called, who acts, what they may do, and what comes of it.
///
/// A game with more than two or three kinds of decisions is easier to read if each is a step of its own, and one `match` leads from
/// the phase to the step.
pub trait Step<R: Rules> {
    /// What the decision is called: the name of the phase in views, and of the prompt.
    fn name(&self) -> &'static str;
    /// Who acts.
    fn awaiting(&self, state: &R) -> SeatSet;
    /// What they may do.
    fn moves(&self, state: &R, seat: Seat) -> Vec<R::Move>;
    /// The move made for a seat if time runs out.
    fn default_move(&self, state: &R, seat: Seat) -> Option<R::Move>;
    /// What whoever wants to do anything else is told.
    fn refusal(&self, state: &R) -> Refusal;
    /// Does a move.
    fn decide(&self, record: &mut Recorder<R>, seat: Seat, mv: R::Move) -> Result<(), Refusal>;
    /// Does what happens by itself before anybody is asked. Whether anything did: then the table may be at another step.
    fn run(&self, _record: &mut Recorder<R>) -> Result<bool, Refusal> {
        Ok(false)
    }
}

/// What happens at a step by itself.
pub type ByItself<R> = fn(&mut Recorder<R>) -> Result<(), Refusal>;

/// A step that asks nobody: the game runs on through it, or is over.
pub struct Unasked<R: Rules> {
    /// The name of the phase in views.
    pub name: &'static str,
    /// What happens by itself; `None` where nothing does.
    pub run: Option<ByItself<R>>,
}

impl<R: Rules> Step<R> for Unasked<R> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn awaiting(&self, _state: &R) -> SeatSet {
        SeatSet::EMPTY
    }

    fn moves(&self, _state: &R, _seat: Seat) -> Vec<R::Move> {
        vec![]
    }

    fn default_move(&self, _state: &R, _seat: Seat) -> Option<R::Move> {
        None
    }

    fn refusal(&self, _state: &R) -> Refusal {
        Refusal::new("There is nothing to decide.")
    }

    fn decide(&self, record: &mut Recorder<R>, _seat: Seat, _mv: R::Move) -> Result<(), Refusal> {
        Err(self.refusal(record))
    }

    fn run(&self, record: &mut Recorder<R>) -> Result<bool, Refusal> {
        let Some(run) = self.run else { return Ok(false) };
        run(record).map(|()| true)
    }
}

/// A game in steps.
pub trait Stepwise: Rules {
    /// The step that the table is at.
    fn step(&self) -> &'static dyn Step<Self>;
}

/// Does a move by the step that the table is at, and runs on to the next decision.
pub fn decide_step<R: Stepwise>(record: &mut Recorder<R>, seat: Seat, mv: R::Move) -> Result<(), Refusal> {
    record.step().decide(record, seat, mv)?;
    run_steps(record)
}

/// Runs on until somebody must decide.
pub fn run_steps<R: Stepwise>(record: &mut Recorder<R>) -> Result<(), Refusal> {
    while record.step().run(record)? {}
    Ok(())
}
