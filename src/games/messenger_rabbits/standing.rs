//! The answers that a player may leave in advance, by prompt (rulebook, section 9). The first legal one is made.

use super::cards::Cards;
use super::options::Options;
use super::suits::Suits;
use crate::rules::{Card, Rank, Suit};

/// A ready-made list of moves for one prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub prompt: &'static str,
    pub title: &'static str,
    /// In order; the first legal one is made.
    pub moves: Vec<String>,
}

/// The prompts that take answers in advance.
pub const PROMPTS: [&str; 6] = ["takeoff", "lottery", "contest", "prove", "fight", "trade"];

/// The suggestions for a table with these options and suits. “Never contest” is the one to preset for everybody.
pub fn suggestions(options: &Options, suits: Suits) -> Vec<Standing> {
    let of = |prompt, title, moves: &[&str]| Standing {
        prompt,
        title,
        moves: moves.iter().map(|line| line.to_string()).collect(),
    };
    let singles = |verb: &str, cards: &[Card]| cards.iter().map(|card| format!("{verb} {card}")).collect::<Vec<_>>();
    let pips = |suit: Suit, ranks: &[Rank]| ranks.iter().map(|rank| Card::Plain(suit, *rank)).collect::<Vec<_>>();
    let with = |mut moves: Vec<String>, last: Option<&str>| {
        moves.extend(last.map(str::to_owned));
        moves
    };
    let six_to_ten = pips(Suit::Hearts, &Rank::ALL[4..=8]);
    let mut spades = vec![Card::Plain(Suit::Spades, Rank::Ace)];
    spades.extend(pips(Suit::Spades, &Rank::ALL[..=8]));
    vec![
        of("takeoff", "Never fly", &["roll"]),
        of("lottery", "Never show a card", &["pass"]),
        Standing {
            prompt: "lottery",
            title: "Always show a card",
            moves: with(singles("show", &lottery_cards(options, suits)), Some("pass")),
        },
        of("contest", "Never contest", &["pass"]),
        Standing {
            prompt: "contest",
            title: "Contest with one card",
            moves: with(singles("contest showing", &six_to_ten), Some("pass")),
        },
        Standing { prompt: "prove", title: "Prove with one card", moves: singles("prove", &six_to_ten) },
        Standing {
            prompt: "fight",
            title: "Fight back with one spade at a time",
            moves: with(singles("throw", &spades), Some("yield")),
        },
        of("fight", "Never fight back", &["yield"]),
        of("trade", "No deals", &["decline"]),
    ]
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
    use crate::games::messenger_rabbits::moves::Move;
    use crate::rules::fold_line;

    #[test]
    fn suggestions_are_moves_of_prompts_that_take_them() {
        for windfall_lottery in [false, true] {
            let options = Options { windfall_lottery, ..Options::default() };
            for standing in suggestions(&options, Suits::ALL) {
                assert!(PROMPTS.contains(&standing.prompt), "{standing:?}");
                for line in &standing.moves {
                    assert_eq!(fold_line(line).parse::<Move>().unwrap().to_string(), *line);
                }
            }
        }
    }
}
