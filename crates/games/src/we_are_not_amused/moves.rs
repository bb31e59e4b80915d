//! The moves, one line of text each.

use std::fmt;
use std::str::FromStr;

use super::cell::Cell;
use wonderpost_rules::Refusal;

/// WNA-42: what the player can say.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// With a Soldier. The Cat is named where two or more could save the target.
    Attack {
        at: Cell,
        cat: Option<Cell>,
    },
    /// With a Gardener. The Queen's Gardener is named where two or more guard the rose.
    Paint {
        at: Cell,
        gardener: Option<Cell>,
    },
    /// With a Cat.
    Vanish {
        at: Cell,
    },
    /// With a Cat, for the top card of the discard pile.
    Swap,
    /// With an Alice.
    Collect {
        at: Cell,
    },
    /// A Bramble.
    Plant {
        at: Cell,
    },
    Pass,
    PassAll,
    Shuffle,
    End,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Attack { at, cat: Some(cat) } => write!(f, "attack {at} {cat}"),
            Move::Attack { at, cat: None } => write!(f, "attack {at}"),
            Move::Paint { at, gardener: Some(gardener) } => write!(f, "paint {at} {gardener}"),
            Move::Paint { at, gardener: None } => write!(f, "paint {at}"),
            Move::Vanish { at } => write!(f, "vanish {at}"),
            Move::Swap => f.write_str("swap"),
            Move::Collect { at } => write!(f, "collect {at}"),
            Move::Plant { at } => write!(f, "plant {at}"),
            Move::Pass => f.write_str("pass"),
            Move::PassAll => f.write_str("pass all"),
            Move::Shuffle => f.write_str("shuffle"),
            Move::End => f.write_str("end"),
        }
    }
}

impl FromStr for Move {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Move, Refusal> {
        let mut words = [""; 4];
        let mut count = 0;
        for word in text.split(' ') {
            match words.get_mut(count) {
                Some(place) => *place = word,
                None => break,
            }
            count += 1;
        }
        match words[..count] {
            ["attack", at] => Ok(Move::Attack { at: at.parse()?, cat: None }),
            ["attack", at, cat] => Ok(Move::Attack { at: at.parse()?, cat: Some(cat.parse()?) }),
            ["paint", at] => Ok(Move::Paint { at: at.parse()?, gardener: None }),
            ["paint", at, gardener] => Ok(Move::Paint { at: at.parse()?, gardener: Some(gardener.parse()?) }),
            ["vanish", at] => Ok(Move::Vanish { at: at.parse()? }),
            ["swap"] => Ok(Move::Swap),
            ["collect", at] => Ok(Move::Collect { at: at.parse()? }),
            ["plant", at] => Ok(Move::Plant { at: at.parse()? }),
            ["pass"] => Ok(Move::Pass),
            ["pass", "all"] => Ok(Move::PassAll),
            ["shuffle"] => Ok(Move::Shuffle),
            ["end"] => Ok(Move::End),
            [verb @ ("vanish" | "collect" | "plant"), ..] => {
                Err(Refusal::new(format!("“{verb}” takes one cell, as in “{verb} c3”.")))
            }
            [verb @ ("attack" | "paint"), ..] => {
                Err(Refusal::new(format!("“{verb}” takes a cell, or two, as in “{verb} c3” or “{verb} c3 b3”.")))
            }
            [verb @ ("swap" | "shuffle" | "end" | "pass"), ..] => {
                Err(Refusal::new(format!("Nothing goes with “{verb}”, but “pass all” lets the rest of the deck pass.")))
            }
            _ => Err(Refusal::new(format!(
                "“{text}” is no move: say attack, paint, vanish, swap, collect, plant, pass, pass all, shuffle or end."
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
            "attack c3",
            "attack c3 b3",
            "paint c3",
            "paint c3 b3",
            "vanish c3",
            "swap",
            "collect c3",
            "plant c3",
            "pass",
            "pass all",
            "shuffle",
            "end",
        ] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "attack",
            "attack c3 b3 a3",
            "attack c3 b3 a3 d3 e3",
            "plant",
            "plant h9",
            "plant c3 c4",
            "pass some",
            "pass all all",
            "end now",
            "dance",
            "c3",
        ] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
