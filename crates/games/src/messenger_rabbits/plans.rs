//! The answers that a player may leave in advance (rulebook, section 9), so that a table that never contests never waits.

use super::cards::Cards;
use super::moves::Move;
use super::options::Options;
use super::suits::Suits;
use wonderpost_rules::{AfterUse, Card, PlannedPrompt, Rank, Suggestion, Suit, Term};

/// The decisions that take answers at a table with these options and suits.
pub fn prompts(options: &Options, suits: Suits) -> Vec<PlannedPrompt> {
    let of = |prompt, title, suggestions, example| PlannedPrompt {
        prompt,
        title,
        suggestions,
        example,
        term: Term::Open,
        after_use: AfterUse::Stays,
        // “pass” left over is meant for a contest: one's own lottery comes later.
        takes_left_over: prompt != "lottery",
    };
    let list = |title, verb: &str, cards: &[Card], last: Option<&str>| {
        let lines = cards.iter().map(|card| format!("{verb} {card}")).chain(last.map(str::to_owned)).collect();
        Suggestion { title, lines, preset: false }
    };
    let pips = |suit: Suit, ranks: &[Rank]| ranks.iter().map(|rank| Card::Plain(suit, *rank)).collect::<Vec<_>>();
    let six_to_ten = pips(Suit::Hearts, &Rank::ALL[4..=8]);
    let mut spades = vec![Card::Plain(Suit::Spades, Rank::Ace)];
    spades.extend(pips(Suit::Spades, &Rank::ALL[..=8]));
    vec![
        of(
            "contest",
            "When somebody takes what you could contest",
            vec![
                Suggestion { preset: true, ..Suggestion::new("Never contest", &["pass"]) },
                list("Contest with one heart", "contest showing", &six_to_ten, Some("pass")),
            ],
            Some("contest showing 7H"),
        ),
        of(
            "prove",
            "When you have to prove a contest",
            vec![list("Prove with one heart", "prove", &six_to_ten, None)],
            Some("prove 7H"),
        ),
        of(
            "fight",
            "When somebody attacks you",
            vec![
                Suggestion::new("Never fight back", &["yield"]),
                list("Fight back with one spade at a time", "throw", &spades, Some("yield")),
            ],
            Some("throw 7S"),
        ),
        of("trade", "When somebody offers you a deal", vec![Suggestion::new("No deals", &["decline"])], None),
        of(
            "lottery",
            "When the dice may bring you a card",
            vec![
                list("Always show a card", "show", &lottery_cards(options, suits), Some("pass")),
                Suggestion::new("Never show a card", &["pass"]),
            ],
            Some("show 4S"),
        ),
        of("takeoff", "When you could fly", vec![Suggestion::new("Never fly", &["roll"])], None),
    ]
}

/// Whether a prompt can ever be answered so.
pub fn fits(prompt: &str, answer: &Move) -> bool {
    match answer {
        Move::Roll => prompt == "takeoff",
        Move::Show(_) => prompt == "lottery",
        Move::Pass => matches!(prompt, "lottery" | "contest"),
        Move::Contest(_) => prompt == "contest",
        Move::Prove(_) => prompt == "prove",
        Move::Throw(_) | Move::Yield => prompt == "fight",
        Move::Decline => prompt == "trade",
        _ => false,
    }
}

/// All cards that could match: aces and pips to 6, and with the windfall lottery 10 and the royals.
fn lottery_cards(options: &Options, suits: Suits) -> Vec<Card> {
    let mut cards: Vec<Card> = Vec::new();
    for suit in suits.iter() {
        cards.push(Card::Plain(suit, Rank::Ace));
        cards.extend(Rank::ALL[..=4].iter().map(|rank| Card::Plain(suit, *rank)));
    }
    if options.windfall_lottery {
        let high = Cards::of_rank(Rank::Ten) | Cards::ROYALS;
        cards.extend((high & suits.cards()).iter());
    }
    cards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_answers_to_their_prompts() {
        for windfall_lottery in [false, true] {
            let options = Options { windfall_lottery, ..Options::default() };
            for prompt in prompts(&options, Suits::ALL) {
                for line in prompt.suggestions.iter().flat_map(|suggestion| &suggestion.lines) {
                    let mv: Move = wonderpost_rules::fold_line(line).parse().unwrap();
                    assert!(mv.to_string() == *line && fits(prompt.prompt, &mv), "{}: {line}", prompt.prompt);
                }
            }
        }
    }
}
