//! The moves, one line of text each.

use std::fmt;
use std::str::FromStr;

use super::space::Space;
use wonderpost_rules::{Card, Refusal};

/// What a player can say.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// OWH-6
    Play(Card),
    /// OWH-12
    Mark(Marking),
    /// OWH-16: the card's mark is let go.
    Lose,
    /// OWH-24, OWH-27: a bonus mark is left.
    Skip,
}

/// Where to paint, and with what help.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Marking {
    pub space: Space,
    /// Said where there is a choice: for an ace, and at the Red Keep.
    pub number: Option<u8>,
    /// OWH-13: a teacup for the zone.
    pub zone: bool,
    /// OWH-14: a teacup for the colour.
    pub colour: bool,
}

impl Marking {
    pub const fn teacups(&self) -> u8 {
        self.zone as u8 + self.colour as u8
    }
}

/// The numbers that can be painted, as they are written.
pub const NUMBERS: [&str; 11] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"];

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play(card) => write!(f, "play {card}"),
            Move::Mark(Marking { space, number, zone, colour }) => {
                write!(f, "mark {space}")?;
                if let Some(number) = number {
                    write!(f, " as {number}")?;
                }
                f.write_str(if *zone { " zone" } else { "" })?;
                f.write_str(if *colour { " color" } else { "" })
            }
            Move::Lose => f.write_str("lose"),
            Move::Skip => f.write_str("skip"),
        }
    }
}

impl FromStr for Move {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Move, Refusal> {
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["play", card] => Ok(Move::Play(card.parse()?)),
            ["play", ..] => Err(Refusal::new("“play” takes one card of your hand, as in “play 9C”.")),
            ["mark", space, ref rest @ ..] => Ok(Move::Mark(marking(space.parse()?, rest)?)),
            ["mark"] => Err(Refusal::new("“mark” takes a space, as in “mark woods-7”.")),
            ["lose"] => Ok(Move::Lose),
            ["skip"] => Ok(Move::Skip),
            [verb @ ("lose" | "skip"), ..] => Err(Refusal::new(format!("Nothing goes with “{verb}”."))),
            _ => Err(Refusal::new(format!("“{text}” is no move: say play, mark, lose or skip."))),
        }
    }
}

fn marking(space: Space, words: &[&str]) -> Result<Marking, Refusal> {
    let (number, words) = match words {
        ["as", number, rest @ ..] => (Some(read_number(number)?), rest),
        _ => (None, words),
    };
    let (zone, colour) = match words {
        [] => (false, false),
        ["zone"] => (true, false),
        ["color"] => (false, true),
        ["zone", "color"] => (true, true),
        _ => {
            return Err(Refusal::new(
                "After the space come “as” and a number, then “zone”, then “color”, as far as they are needed: “mark meadow-2 as 1 zone color”.",
            ));
        }
    };
    Ok(Marking { space, number, zone, colour })
}

fn read_number(text: &str) -> Result<u8, Refusal> {
    let found = NUMBERS.iter().position(|number| *number == text);
    found
        .map(|index| index as u8 + 1)
        .ok_or_else(|| Refusal::new(format!("“{text}” cannot be painted: numbers go from 1 to 11.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_move_reads_back_as_it_is_written() {
        for text in [
            "mark woods-7",
            "mark woods-7 as 11",
            "mark keep-a4 zone",
            "mark keep-a4 color",
            "mark meadow-2 as 1 zone color",
            "lose",
            "skip",
        ] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
        assert_eq!("play 10h".parse::<Move>().unwrap().to_string(), "play 10H");
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "play",
            "play 9C 6C",
            "play 1C",
            "mark",
            "mark woods",
            "mark woods-7 as",
            "mark woods-7 as 0",
            "mark woods-7 as 12",
            "mark woods-7 as 01",
            "mark woods-7 colour",
            "mark woods-7 color zone",
            "mark woods-7 zone zone",
            "mark woods-7 zone as 1",
            "lose it",
            "skip it",
            "pass",
        ] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
