//! Chance: the only randomness that rules may use.
//!
//! Every draw is one of three kinds and is recorded with what it was drawn from and what it gave, so that it can
//! be derived again from the table's seed (see [`seed`]) or scripted by a case file.

pub mod hmac;
pub mod seed;

use std::collections::VecDeque;
use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::Refusal;

/// One draw of chance: from what, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// A pile brought into a new order, first element on top.
    Shuffle {
        /// The items in their starting order.
        of: Vec<String>,
        /// The same in their new order.
        gave: Vec<String>,
    },
    /// Dice with so many sides thrown together.
    Roll {
        /// The faces of each die.
        sides: u32,
        /// What the dice show.
        gave: Vec<u32>,
    },
    /// One item picked evenly.
    Pick {
        /// The items to pick from.
        of: Vec<String>,
        /// The one picked.
        gave: String,
    },
}

/// Items by name, named only when somebody asks.
pub trait Labels {
    /// How many items there are.
    fn len(&self) -> usize;
    /// What an item is called.
    fn label(&self, index: usize) -> String;

    /// Whether there is nothing to draw from.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All labels, in order.
    fn to_vec(&self) -> Vec<String> {
        (0..self.len()).map(|index| self.label(index)).collect()
    }
}

impl<T: Display> Labels for &[T] {
    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn label(&self, index: usize) -> String {
        self[index].to_string()
    }
}

/// A source of chance.
pub trait Chance {
    /// A new order of the items, as indexes into them.
    fn shuffle(&mut self, items: &dyn Labels) -> Result<Vec<usize>, Refusal>;
    /// The faces, from 1, of so many dice.
    fn roll(&mut self, dice: usize, sides: u32) -> Result<Vec<u32>, Refusal>;
    /// The index of one of the items; there is at least one.
    fn pick(&mut self, items: &dyn Labels) -> Result<usize, Refusal>;
}

/// An outcome that a script prescribes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The labels in their new order.
    Shuffle(Vec<String>),
    /// The faces of the dice.
    Roll(Vec<u32>),
    /// The label of the item.
    Pick(serde_json::Value),
}

impl From<&Draw> for Outcome {
    fn from(draw: &Draw) -> Outcome {
        match draw {
            Draw::Shuffle { gave, .. } => Outcome::Shuffle(gave.clone()),
            Draw::Roll { gave, .. } => Outcome::Roll(gave.clone()),
            Draw::Pick { gave, .. } => Outcome::Pick(gave.clone().into()),
        }
    }
}

/// Chance that follows a script: case files, and the check of a finished game.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    outcomes: VecDeque<Outcome>,
}

impl Scripted {
    /// Chance that gives these outcomes one after the other.
    pub fn new(outcomes: impl IntoIterator<Item = Outcome>) -> Scripted {
        Scripted { outcomes: outcomes.into_iter().collect() }
    }

    /// How many outcomes have not been asked for.
    pub fn left(&self) -> usize {
        self.outcomes.len()
    }

    fn next(&mut self, wanted: &str) -> Result<Outcome, Refusal> {
        self.outcomes
            .pop_front()
            .ok_or_else(|| Refusal::fault(format!("chance: a {wanted} is needed and none is left")))
    }
}

fn wrong(wanted: &str, given: &Outcome) -> Refusal {
    Refusal::fault(format!("chance: {wanted} is needed, the script gives {given:?}"))
}

impl Chance for Scripted {
    fn shuffle(&mut self, items: &dyn Labels) -> Result<Vec<usize>, Refusal> {
        let outcome = self.next("shuffle")?;
        let wanted = || format!("a shuffle of {:?}", items.to_vec());
        let Outcome::Shuffle(order) = &outcome else { return Err(wrong(&wanted(), &outcome)) };
        // Cards that look alike are alike: each name takes the first item of that name not yet taken.
        let mut labels: Vec<Option<String>> = items.to_vec().into_iter().map(Some).collect();
        let mut indexes = Vec::with_capacity(order.len());
        for name in order {
            let found = labels.iter().position(|label| label.as_deref() == Some(name));
            let Some(index) = found else { return Err(wrong(&wanted(), &outcome)) };
            labels[index] = None;
            indexes.push(index);
        }
        if indexes.len() != labels.len() {
            return Err(wrong(&wanted(), &outcome));
        }
        Ok(indexes)
    }

    fn roll(&mut self, dice: usize, sides: u32) -> Result<Vec<u32>, Refusal> {
        let outcome = self.next("roll")?;
        match outcome {
            Outcome::Roll(faces) if faces.len() == dice && faces.iter().all(|face| (1..=sides).contains(face)) => {
                Ok(faces)
            }
            _ => Err(wrong(&format!("a roll of {dice} dice with {sides} sides"), &outcome)),
        }
    }

    fn pick(&mut self, items: &dyn Labels) -> Result<usize, Refusal> {
        let outcome = self.next("pick")?;
        let wanted = || format!("a pick from {:?}", items.to_vec());
        let Outcome::Pick(value) = &outcome else { return Err(wrong(&wanted(), &outcome)) };
        let name = match value {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        (0..items.len()).find(|index| items.label(*index) == name).ok_or_else(|| wrong(&wanted(), &outcome))
    }
}
