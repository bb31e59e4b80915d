//! Why something was not done, in a sentence that a player understands.

/// A move, a set-up or an option that the rules do not allow. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct Refusal {
    sentence: String,
    fault: bool,
}

impl Refusal {
    pub fn new(sentence: impl Into<String>) -> Refusal {
        Refusal { sentence: sentence.into(), fault: false }
    }

    /// Chance could not be had. Only scripted chance fails so; it is never the player's doing.
    pub fn fault(sentence: impl Into<String>) -> Refusal {
        Refusal { sentence: sentence.into(), fault: true }
    }

    pub fn is_fault(&self) -> bool {
        self.fault
    }

    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}
