//! Answers in advance: where Brambles are to be planted, and what to do when stuck.

use super::moves::Move;
use wonderpost_rules::{AfterUse, PlannedPrompt, Suggestion, Term};

pub fn prompts() -> Vec<PlannedPrompt> {
    let of = |prompt, title, suggestions, example, after_use| PlannedPrompt {
        prompt,
        title,
        suggestions,
        example,
        term: Term::Open,
        after_use,
        takes_left_over: false,
    };
    vec![
        // The cell may be empty again later, so that a line serves once.
        of("plant", "When a Bramble has to be planted", vec![], Some("plant c4"), AfterUse::LineGoes),
        of(
            "stuck",
            "When nothing can be played any more",
            vec![Suggestion::new("Shuffle", &["shuffle"]), Suggestion::new("End the game", &["end"])],
            None,
            AfterUse::Stays,
        ),
    ]
}

pub fn fits(prompt: &str, answer: &Move) -> bool {
    match answer {
        Move::Plant { .. } => prompt == "plant",
        Move::Shuffle | Move::End => prompt == "stuck",
        _ => false,
    }
}
