//! RQ-29: the moves, one line of text each.

use std::fmt;
use std::str::FromStr;

use super::coterie::Slot;
use wonderpost_rules::{Card, Refusal};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// RQ-8
    Draw,
    /// RQ-9
    Place { card: Card },
    /// RQ-10
    Swap { slot: Slot, card: Card },
    /// RQ-11: the face-down members in their new order.
    Shuffle { cards: Vec<Card> },
    /// RQ-12
    Attack { slot: Slot, card: Card },
    /// RQ-17
    AttackQueen { card: Card },
    /// RQ-18
    End,
    /// RQ-19
    Discard { card: Card },
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Draw => f.write_str("draw"),
            Move::Place { card } => write!(f, "place {card}"),
            Move::Swap { slot, card } => write!(f, "swap {slot} {card}"),
            Move::Shuffle { cards } => {
                f.write_str("shuffle")?;
                cards.iter().try_for_each(|card| write!(f, " {card}"))
            }
            Move::Attack { slot, card } => write!(f, "attack {slot} {card}"),
            Move::AttackQueen { card } => write!(f, "attack queen {card}"),
            Move::End => f.write_str("end"),
            Move::Discard { card } => write!(f, "discard {card}"),
        }
    }
}

impl FromStr for Move {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Move, Refusal> {
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["draw"] => Ok(Move::Draw),
            ["place", card] => Ok(Move::Place { card: card.parse()? }),
            ["swap", slot, card] => Ok(Move::Swap { slot: slot.parse()?, card: card.parse()? }),
            ["shuffle", ref cards @ ..] if matches!(cards.len(), 2 | 3) => {
                Ok(Move::Shuffle { cards: cards.iter().map(|card| card.parse()).collect::<Result<_, _>>()? })
            }
            ["attack", "queen", card] => Ok(Move::AttackQueen { card: card.parse()? }),
            ["attack", slot, card] => Ok(Move::Attack { slot: slot.parse()?, card: card.parse()? }),
            ["end"] => Ok(Move::End),
            ["discard", card] => Ok(Move::Discard { card: card.parse()? }),
            ["shuffle", ..] => {
                Err(Refusal::new("“shuffle” names all face-down members in their new order, as in “shuffle KD 9C 4S”."))
            }
            ["attack", ..] => Err(Refusal::new(
                "“attack” takes a slot and a card, as in “attack 2 KS”, or the Queen herself, as in “attack queen RJ”.",
            )),
            ["swap", ..] => Err(Refusal::new("“swap” takes a slot and a card, as in “swap 2 KD”.")),
            [verb @ ("place" | "discard"), ..] => {
                Err(Refusal::new(format!("“{verb}” takes one card, as in “{verb} 9C”.")))
            }
            [verb @ ("draw" | "end"), ..] => Err(Refusal::new(format!("Nothing goes with “{verb}”."))),
            _ => Err(Refusal::new(format!(
                "“{text}” is no move: say draw, place, swap, shuffle, attack, discard or end."
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_move_reads_back_as_it_is_written() {
        for text in [
            "draw",
            "place 9C",
            "swap 2 KD",
            "shuffle KD 9C",
            "shuffle KD 9C RJ",
            "attack 3 10S",
            "attack queen BJ",
            "end",
            "discard QD",
        ] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
            assert_eq!(text.to_lowercase().parse::<Move>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "attack",
            "attack 4 KS",
            "attack 0 KS",
            "attack 01 KS",
            "attack 2",
            "attack 2 KS now",
            "attack2 KS",
            "attack queen",
            "attack king RJ",
            "place",
            "place 1S",
            "place 9C 9D",
            "swap 2",
            "shuffle",
            "shuffle KD",
            "shuffle KD 9C RJ BJ",
            "draw 9C",
            "end now",
            "hello",
        ] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
