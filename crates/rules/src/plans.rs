//! Answers in advance: which decisions of a game may be answered before they come up. The answers themselves are kept by the house.

use super::AnyMove;

/// A decision that may be answered in advance, with an ordered list of moves: when it comes up the first that is legal is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedPrompt {
    /// The name of the decision, as [`Rules::prompt`](super::Rules::prompt) gives it.
    pub prompt: &'static str,
    /// When it comes up, in words that begin with “When”.
    pub title: &'static str,
    /// Ready-made lists.
    pub suggestions: Vec<Suggestion>,
    /// A line of a list of one's own, where such are good.
    pub example: Option<&'static str>,
    /// For how long a plan is good.
    pub term: Term,
    /// What becomes of a plan that was used.
    pub after_use: AfterUse,
    /// Whether lines left over from a form or a letter become an answer here.
    pub takes_left_over: bool,
}

/// A ready-made list of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What the form calls it.
    pub title: &'static str,
    /// Moves, the best first.
    pub lines: Vec<String>,
    /// Whether a table can be opened with it for everybody.
    pub preset: bool,
}

impl Suggestion {
    /// A list that no table is opened with.
    pub fn new(title: &'static str, lines: &[&str]) -> Suggestion {
        Suggestion { title, lines: lines.iter().map(|line| (*line).to_owned()).collect(), preset: false }
    }
}

/// For how long answers are good.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// Until they are withdrawn.
    Open,
    /// For one stretch of the game, such as a bout or a round: the one it is in now, and the one that answers left now are for.
    Stretch {
        /// The number of the stretch that the game is in.
        now: u32,
        /// The number of the stretch that a plan left now is for.
        left_for: u32,
    },
}

/// What becomes of a list when a line of it was made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AfterUse {
    /// It stays as it is.
    Stays,
    /// The line is struck off.
    LineGoes,
    /// All of it has served.
    ListGoes,
}

/// A line of a form or a letter as it is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// To be made now.
    Move(AnyMove),
    /// To be kept for a decision to come.
    Plan {
        /// The decision.
        prompt: &'static str,
        /// The move that answers it.
        answer: AnyMove,
    },
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Line::Move(mv) => f.write_str(mv.as_str()),
            Line::Plan { prompt, answer } => write!(f, "{prompt}: {answer}"),
        }
    }
}
