//! Where the game stands, why it ended, and what the Queen thinks of it.

use serde::{Deserialize, Serialize};

/// What is to be decided.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Nothing: within a move, between a card dealt with and the next one to be decided on.
    #[default]
    Turning,
    /// The revealed card can be played.
    Play,
    /// A Bramble is revealed.
    Plant,
    /// The deck has come round with nothing to play, and a shuffle is left.
    Stuck,
    Over(Ended),
}

impl From<Phase> for &'static str {
    fn from(phase: Phase) -> &'static str {
        match phase {
            Phase::Turning | Phase::Play => "play",
            Phase::Plant => "plant",
            Phase::Stuck => "stuck",
            Phase::Over(_) => "over",
        }
    }
}

/// Why the game is over.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// WNA-38: the player said so.
    Quit,
    /// WNA-37: stuck without a shuffle.
    Stuck,
    /// WNA-39: the Queen is walled in.
    Surrounded,
    /// WNA-40: twelve roses.
    Delivered,
}

/// What the Queen thinks of the score.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Lost,
    Scowl,
    Smirk,
    Smile,
    Laugh,
    Helpless,
}

impl Verdict {
    pub const fn of(score: u8) -> Verdict {
        match score {
            0 => Verdict::Lost,
            1..=3 => Verdict::Scowl,
            4..=6 => Verdict::Smirk,
            7..=9 => Verdict::Smile,
            10..=11 => Verdict::Laugh,
            12.. => Verdict::Helpless,
        }
    }

    pub const fn title(self) -> &'static str {
        match self {
            Verdict::Lost => "Off with your head!",
            Verdict::Scowl => "We are not amused",
            Verdict::Smirk => "The corner of a royal mouth",
            Verdict::Smile => "Her Majesty smiles",
            Verdict::Laugh => "Her Majesty laughs aloud",
            Verdict::Helpless => "Her Majesty laughs until her crown falls off",
        }
    }
}
