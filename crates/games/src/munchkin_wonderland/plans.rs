//! Answers in advance: those of players who are asked for help, so that a call is often settled while the fighter looks on.

use super::moves::Move;
use super::treasure::{Treasure, best_first};
use wonderpost_rules::{AfterUse, PlannedPrompt, Suggestion, Term};

pub fn prompts() -> Vec<PlannedPrompt> {
    let of = |prompt, title, suggestions, example| PlannedPrompt {
        prompt,
        title,
        suggestions,
        example,
        term: Term::Open,
        after_use: AfterUse::Stays,
        takes_left_over: true,
    };
    let mut best: Vec<Treasure> = Treasure::all().collect();
    best.sort_by_key(|card| best_first(*card));
    let most_gold = Suggestion {
        title: "Take the most Gold",
        lines: best.into_iter().map(|card| Move::Take(card).to_string()).collect(),
        preset: false,
    };
    vec![
        of(
            "help",
            "When somebody asks you for help",
            vec![Suggestion::new("Always help", &["help"]), Suggestion::new("Never help", &["refuse"])],
            None,
        ),
        of(
            "assist",
            "When you help in a fight",
            vec![Suggestion::new("With your die and Friends only", &["done"])],
            None,
        ),
        of("share", "When you choose your share of the Treasure", vec![most_gold], Some("take vorpal-blade")),
    ]
}

/// Whether a prompt can ever be answered so.
pub fn fits(prompt: &str, answer: &Move) -> bool {
    match answer {
        Move::Help | Move::Refuse => prompt == "help",
        Move::Done => prompt == "assist",
        Move::Take(_) => prompt == "share",
        Move::Go(_)
        | Move::Play { .. }
        | Move::Use { .. }
        | Move::Recover { .. }
        | Move::Ask(_)
        | Move::Run
        | Move::Discard(_) => false,
    }
}
