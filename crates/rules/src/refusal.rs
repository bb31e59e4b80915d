//! Why something was not done, in a sentence that a player understands.

/// A move, a set-up or an option that the rules do not allow. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct Refusal {
    sentence: String,
    fault: bool,
}

impl Refusal {
    /// A refusal with a sentence that tells the player what to do.
    pub fn new(sentence: impl Into<String>) -> Refusal {
        Refusal { sentence: sentence.into(), fault: false }
    }

    /// Chance could not be had. Only scripted chance fails so; it is never the player's doing.
    pub fn fault(sentence: impl Into<String>) -> Refusal {
        Refusal { sentence: sentence.into(), fault: true }
    }

    /// Whether it is not the player who is to blame, but the program or the case file.
    pub fn is_fault(&self) -> bool {
        self.fault
    }

    /// What the player reads.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}
