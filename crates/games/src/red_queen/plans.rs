//! Answers in advance: one may sit out one's turns until the round ends. Nothing else: all other choices depend on the cards.

use super::RedQueen;
use super::moves::Move;
use wonderpost_rules::{AfterUse, PlannedPrompt, Suggestion, Term};

impl RedQueen {
    pub(super) fn prompts(&self) -> Vec<PlannedPrompt> {
        let round = u32::from(self.round);
        vec![PlannedPrompt {
            prompt: "act",
            title: "When it is your turn in this round",
            suggestions: vec![Suggestion::new("Sit it out", &["end"])],
            example: None,
            term: Term::Stretch { now: round, left_for: round },
            after_use: AfterUse::Stays,
            // Many will write “end” after the action that was their last anyway, and must not sit out their next turn for that.
            takes_left_over: false,
        }]
    }
}

pub fn fits(prompt: &str, answer: &Move) -> bool {
    prompt == "act" && *answer == Move::End
}
