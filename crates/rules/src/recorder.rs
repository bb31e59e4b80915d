//! The recorder: how a decision turns into facts.

use std::fmt::Display;
use std::ops::Deref;

use super::{Chance, Draw, Refusal, Rules, SeatSet};

/// Takes down the events of one decision. Each is applied to a working copy as it is recorded, so that a decision
/// can look at its own consequences: the recorder reads as the state so far.
pub struct Recorder<'a, R: Rules> {
    state: R,
    events: Vec<R::Event>,
    awaiting: Vec<SeatSet>,
    draws: Vec<Draw>,
    revealing: bool,
    foreseeable: usize,
    reversible: bool,
    chance: &'a mut dyn Chance,
}

/// What a decision came to.
pub struct Decision<R: Rules> {
    /// The state after all events.
    pub state: R,
    /// What happened, in order.
    pub events: Vec<R::Event>,
    /// Who was awaited after each event.
    pub awaiting: Vec<SeatSet>,
    /// The chance that was drawn, in order.
    pub draws: Vec<Draw>,
    /// Chance was drawn or hidden knowledge came up for whoever decided: it could not be foreseen.
    pub revealing: bool,
    /// How many events come before that: whoever decides could foresee them.
    pub foreseeable: usize,
    /// Nobody learnt anything hidden by it, and no chance was drawn: it can be undone.
    pub reversible: bool,
}

impl<'a, R: Rules> Recorder<'a, R> {
    /// A recorder that begins with this state.
    pub fn new(state: R, chance: &'a mut dyn Chance) -> Recorder<'a, R> {
        Recorder {
            state,
            events: Vec::new(),
            awaiting: Vec::new(),
            draws: Vec::new(),
            revealing: false,
            foreseeable: 0,
            reversible: true,
            chance,
        }
    }

    /// Records an event and applies it.
    pub fn record(&mut self, event: R::Event) {
        self.revealing = self.revealing || self.state.reveals(&event);
        self.reversible = self.reversible && !self.revealing && !self.state.discloses(&event);
        self.state.apply(&event);
        self.events.push(event);
        if !self.revealing {
            self.foreseeable = self.events.len();
        }
        self.awaiting.push(self.state.awaiting());
    }

    /// Brings the items, given in their starting order, into a new one.
    pub fn shuffle<T: Display + Clone>(&mut self, items: &[T]) -> Result<Vec<T>, Refusal> {
        let order = self.chance.shuffle(&items)?;
        let shuffled: Vec<T> = order.iter().map(|index| items[*index].clone()).collect();
        self.drew(Draw::Shuffle { of: names(items), gave: names(&shuffled) });
        Ok(shuffled)
    }

    /// Throws so many dice together.
    pub fn roll(&mut self, dice: usize, sides: u32) -> Result<Vec<u32>, Refusal> {
        let faces = self.chance.roll(dice, sides)?;
        self.drew(Draw::Roll { sides, gave: faces.clone() });
        Ok(faces)
    }

    /// Picks one of the items evenly. There must be at least one.
    pub fn pick<T: Display + Clone>(&mut self, items: &[T]) -> Result<T, Refusal> {
        let picked = items[self.chance.pick(&items)?].clone();
        self.drew(Draw::Pick { of: names(items), gave: picked.to_string() });
        Ok(picked)
    }

    fn drew(&mut self, draw: Draw) {
        self.revealing = true;
        self.reversible = false;
        self.draws.push(draw);
    }

    /// What was recorded.
    pub fn finish(self) -> Decision<R> {
        let Recorder { state, events, awaiting, draws, revealing, foreseeable, reversible, chance: _ } = self;
        // The end of a game shows what was hidden, and brings its secret to light.
        let reversible = reversible && state.result().is_none();
        Decision { state, events, awaiting, draws, revealing, foreseeable, reversible }
    }
}

fn names<T: Display>(items: &[T]) -> Vec<String> {
    items.iter().map(T::to_string).collect()
}

impl<R: Rules> Deref for Recorder<'_, R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.state
    }
}
