//! The moves, one line of text each.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::cards::Cards;
use super::hexagon::{Hexagon, Place};
use super::phase::Action;
use super::suits::Suits;
use super::survey::Ground;
use wonderpost_rules::{Card, Refusal, Seat, Suit};

/// MR-26: the paid ways to travel.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transfer {
    Hike,
    Horse,
    Boat,
    Hole,
    Tavern,
}

impl Transfer {
    pub const ALL: [Transfer; 5] = [Transfer::Hike, Transfer::Horse, Transfer::Boat, Transfer::Hole, Transfer::Tavern];

    pub const fn word(self) -> &'static str {
        match self {
            Transfer::Hike => "hike",
            Transfer::Horse => "horse",
            Transfer::Boat => "boat",
            Transfer::Hole => "hole",
            Transfer::Tavern => "tavern",
        }
    }
}

impl fmt::Display for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What a player can say.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Move {
    Place(Ground),
    Fly {
        to: Hexagon,
        showing: Card,
    },
    Roll,
    Show(Cards),
    Pass,
    Discard(Cards),
    Stay,
    Go(Place),
    Joker(Hexagon),
    /// A paid action: with its payment, or bare, to be paid for next.
    Act(Action, Option<Cards>),
    Pay(Cards),
    Fall,
    Contest(Cards),
    Prove(Cards),
    Concede,
    Attack {
        target: Seat,
        with: Cards,
    },
    Throw(Cards),
    Yield,
    Release(Card),
    Offer {
        card: Card,
        to: Seat,
        suit: Suit,
    },
    Give(Card),
    Decline,
    Done,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(ground) => write!(f, "place {ground}"),
            Move::Fly { to, showing } => write!(f, "fly {to} showing {showing}"),
            Move::Roll => f.write_str("roll"),
            Move::Show(cards) => write!(f, "show {cards}"),
            Move::Pass => f.write_str("pass"),
            Move::Discard(cards) => write!(f, "discard {cards}"),
            Move::Stay => f.write_str("stay"),
            Move::Go(place) => write!(f, "go {place}"),
            Move::Joker(to) => write!(f, "joker {to}"),
            Move::Act(action, Some(paying)) => write!(f, "{action} paying {paying}"),
            Move::Act(action, None) => write!(f, "{action}"),
            Move::Pay(cards) => write!(f, "pay {cards}"),
            Move::Fall => f.write_str("fall"),
            Move::Contest(cards) => write!(f, "contest showing {cards}"),
            Move::Prove(cards) => write!(f, "prove {cards}"),
            Move::Concede => f.write_str("concede"),
            Move::Attack { target, with } => write!(f, "attack {target} with {with}"),
            Move::Throw(cards) => write!(f, "throw {cards}"),
            Move::Yield => f.write_str("yield"),
            Move::Release(royal) => write!(f, "release {royal}"),
            Move::Offer { card, to, suit } => write!(f, "offer {card} to {to} for {}", suit.letter()),
            Move::Give(card) => write!(f, "give {card}"),
            Move::Decline => f.write_str("decline"),
            Move::Done => f.write_str("done"),
        }
    }
}

/// The verbs, with an example of each.
const EXAMPLES: [(&str, &str); 30] = [
    ("place", "place d5 by e5"),
    ("fly", "fly KS showing 8C"),
    ("roll", "roll"),
    ("show", "show 5S"),
    ("pass", "pass"),
    ("discard", "discard 2C"),
    ("stay", "stay"),
    ("go", "go QH"),
    ("hike", "hike QH paying 4S 5S"),
    ("horse", "horse QH paying 4S 5S"),
    ("boat", "boat QH paying 4S 5S"),
    ("hole", "hole QH paying 4S 5S"),
    ("tavern", "tavern QH paying 4S 5S"),
    ("joker", "joker QH"),
    ("pay", "pay 4S 5S"),
    ("land", "land paying 4S"),
    ("fall", "fall"),
    ("contest", "contest showing 6H"),
    ("prove", "prove 6H"),
    ("concede", "concede"),
    ("claim", "claim QH paying 4H 6H"),
    ("attack", "attack 2 with 5S"),
    ("throw", "throw 5S"),
    ("yield", "yield"),
    ("release", "release QH"),
    ("buy", "buy 7S paying 8D"),
    ("offer", "offer 5D to 2 for H"),
    ("give", "give 6H"),
    ("decline", "decline"),
    ("done", "done"),
];

impl FromStr for Move {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Move, Refusal> {
        let words: Vec<&str> = text.split(' ').collect();
        let some = |cards: &[&str]| -> Result<Cards, Refusal> {
            if cards.is_empty() { Err(misspelt(&words)) } else { Cards::read(cards) }
        };
        match words[..] {
            ["place", site, "by", "sea"] => Ok(Move::Place(Ground { site: site.parse()?, by: None })),
            ["place", site, "by", by] => Ok(Move::Place(Ground { site: site.parse()?, by: Some(by.parse()?) })),
            ["fly", to, "showing", card] => Ok(Move::Fly { to: to.parse()?, showing: card.parse()? }),
            ["roll"] => Ok(Move::Roll),
            ["show", ref cards @ ..] => some(cards).map(Move::Show),
            ["pass"] => Ok(Move::Pass),
            ["discard", ref cards @ ..] => some(cards).map(Move::Discard),
            ["stay"] => Ok(Move::Stay),
            ["go", place] => place.parse().map(Move::Go),
            ["joker", to] => to.parse().map(Move::Joker),
            ["pay", ref cards @ ..] => some(cards).map(Move::Pay),
            ["fall"] => Ok(Move::Fall),
            ["contest", "showing", ref cards @ ..] => some(cards).map(Move::Contest),
            ["prove", ref cards @ ..] => some(cards).map(Move::Prove),
            ["concede"] => Ok(Move::Concede),
            ["attack", target, "with", ref cards @ ..] => {
                Ok(Move::Attack { target: seat(target)?, with: some(cards)? })
            }
            ["throw", ref cards @ ..] => some(cards).map(Move::Throw),
            ["yield"] => Ok(Move::Yield),
            ["release", royal] => royal.parse().map(Move::Release),
            ["offer", card, "to", to, "for", suit] => {
                let suits = Suits::read(&suit.to_uppercase()).filter(|suits| suits.len() == 1);
                let suit = suits.and_then(|suits| suits.iter().next()).ok_or_else(|| misspelt(&words))?;
                Ok(Move::Offer { card: card.parse()?, to: seat(to)?, suit })
            }
            ["give", card] => card.parse().map(Move::Give),
            ["decline"] => Ok(Move::Decline),
            ["done"] => Ok(Move::Done),
            ["land", ref paying @ ..] => Ok(Move::Act(Action::Land, payment(paying, &words)?)),
            ["claim", house, ref paying @ ..] => Ok(Move::Act(Action::Claim(house.parse()?), payment(paying, &words)?)),
            ["buy", card, ref paying @ ..] => Ok(Move::Act(Action::Buy(card.parse()?), payment(paying, &words)?)),
            [verb, to, ref paying @ ..] => {
                let transfer = Transfer::ALL.into_iter().find(|transfer| transfer.word() == verb);
                let transfer = transfer.ok_or_else(|| misspelt(&words))?;
                Ok(Move::Act(Action::Travel(transfer, to.parse()?), payment(paying, &words)?))
            }
            _ => Err(misspelt(&words)),
        }
    }
}

fn payment(words: &[&str], line: &[&str]) -> Result<Option<Cards>, Refusal> {
    match words {
        [] => Ok(None),
        ["paying", cards @ ..] if !cards.is_empty() => Cards::read(cards).map(Some),
        _ => Err(misspelt(line)),
    }
}

fn seat(text: &str) -> Result<Seat, Refusal> {
    let number = text.parse().ok().and_then(Seat::new);
    number.ok_or_else(|| Refusal::new(format!("“{text}” is no seat: seats are numbers from 1.")))
}

fn misspelt(words: &[&str]) -> Refusal {
    let verb = words.first().copied().unwrap_or_default();
    match EXAMPLES.iter().find(|(known, _)| *known == verb) {
        Some((_, example)) => Refusal::new(format!("Write it like this: “{example}”.")),
        None => Refusal::new(format!("“{}” is no move of this game.", words.join(" "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wonderpost_rules::fold_line;

    #[test]
    fn every_form_of_move_reads_back_as_it_is_written() {
        let more =
            ["place h3 by sea", "horse KS", "claim KC", "buy 10D", "land", "go off", "go underground", "go citadel"];
        let lines = EXAMPLES.iter().map(|(_, line)| *line).chain(more);
        for line in lines {
            assert_eq!(fold_line(line).parse::<Move>().unwrap().to_string(), line);
        }
        assert_eq!("pay 9h 5h".parse::<Move>().unwrap().to_string(), "pay 5H 9H");
    }

    #[test]
    fn anything_else_is_refused() {
        for line in [
            "",
            "dance",
            "place d5",
            "place d5 by",
            "fly ks",
            "show",
            "show 5s 5s",
            "go",
            "go moon",
            "horse",
            "horse ks paying",
            "horse ks for 5s",
            "contest",
            "contest showing",
            "attack 2",
            "attack 0 with 5s",
            "attack x with 5s",
            "offer 5d to 2 for x",
            "offer 5d to 2 for sh",
            "claim 7s paying 5s",
            "roll 6",
            "release",
            "buy",
            "land 5s",
        ] {
            assert!(line.parse::<Move>().is_err(), "{line}");
        }
    }
}
