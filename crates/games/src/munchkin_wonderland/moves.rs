//! The moves, one line of text each.

use std::fmt;
use std::str::FromStr;

use super::place::Place;
use super::room::Room;
use super::treasure::Treasure;
use wonderpost_rules::{Refusal, Seat};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// MW-6, MW-11, MW-35.
    Go(Place),
    /// MW-14: puts a Friend in front of oneself, perhaps for another one.
    Play {
        friend: Treasure,
        instead: Option<Treasure>,
    },
    /// MW-15, MW-22: uses a Treasure, perhaps on the monster's die.
    Use {
        card: Treasure,
        on: Option<Room>,
    },
    /// MW-25: uses a Thimble to take back a card.
    Recover {
        thimble: Treasure,
        card: Treasure,
    },
    /// MW-39: in the order in which they are asked.
    Ask(Vec<Seat>),
    /// MW-40.
    Help,
    Refuse,
    /// MW-42.
    Done,
    /// MW-44.
    Take(Treasure),
    /// MW-34.
    Run,
    /// MW-36.
    Discard(Treasure),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Go(place) => write!(f, "go {place}"),
            Move::Play { friend, instead: None } => write!(f, "play {friend}"),
            Move::Play { friend, instead: Some(old) } => write!(f, "play {friend} for {old}"),
            Move::Use { card, on: None } => write!(f, "use {card}"),
            Move::Use { card, on: Some(room) } => write!(f, "use {card} on {room}"),
            Move::Recover { thimble, card } => write!(f, "use {thimble} {card}"),
            Move::Ask(seats) => {
                f.write_str("ask")?;
                seats.iter().try_for_each(|seat| write!(f, " {seat}"))
            }
            Move::Help => f.write_str("help"),
            Move::Refuse => f.write_str("refuse"),
            Move::Done => f.write_str("done"),
            Move::Take(card) => write!(f, "take {card}"),
            Move::Run => f.write_str("run"),
            Move::Discard(card) => write!(f, "discard {card}"),
        }
    }
}

impl FromStr for Move {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Move, Refusal> {
        let mut words = [""; 8];
        let mut count = 0;
        for word in text.split(' ') {
            match words.get_mut(count) {
                Some(place) => *place = word,
                None => return Err(Refusal::new("That is too long for a move.")),
            }
            count += 1;
        }
        match words[..count] {
            ["go", place] => Ok(Move::Go(place.parse()?)),
            ["play", friend] => Ok(Move::Play { friend: friend.parse()?, instead: None }),
            ["play", friend, "for", old] => Ok(Move::Play { friend: friend.parse()?, instead: Some(old.parse()?) }),
            ["use", card] => Ok(Move::Use { card: card.parse()?, on: None }),
            ["use", card, "on", room] => Ok(Move::Use { card: card.parse()?, on: Some(room.parse()?) }),
            ["use", thimble, card] => recover(thimble.parse()?, card.parse()?),
            ["ask", _, ..] => words[1..count].iter().map(|word| seat(word)).collect::<Result<_, _>>().map(Move::Ask),
            ["help"] => Ok(Move::Help),
            ["refuse"] => Ok(Move::Refuse),
            ["done"] => Ok(Move::Done),
            ["take", card] => Ok(Move::Take(card.parse()?)),
            ["run"] => Ok(Move::Run),
            ["discard", card] => Ok(Move::Discard(card.parse()?)),
            ["go", ..] => Err(Refusal::new("“go” takes a place, as in “go shore-3”.")),
            ["play", ..] => {
                Err(Refusal::new("“play” takes a Friend, or two, as in “play dinah” or “play dinah for bill”."))
            }
            ["use", ..] => Err(Refusal::new(
                "“use” takes a Treasure, as in “use soup”, “use watch on bandersnatch” or “use thimble soup”.",
            )),
            ["ask"] => Err(Refusal::new("Say whom you ask, as in “ask 2” or “ask 3 1”.")),
            [verb @ ("take" | "discard"), ..] => {
                Err(Refusal::new(format!("“{verb}” takes a Treasure, as in “{verb} soup”.")))
            }
            [verb @ ("help" | "refuse" | "done" | "run"), ..] => {
                Err(Refusal::new(format!("Nothing goes with “{verb}”.")))
            }
            _ => Err(Refusal::new(format!(
                "“{text}” is no move: say go, play, use, ask, help, refuse, done, take, run or discard."
            ))),
        }
    }
}

fn recover(thimble: Treasure, card: Treasure) -> Result<Move, Refusal> {
    if thimble.is_thimble() {
        Ok(Move::Recover { thimble, card })
    } else {
        Err(Refusal::new(format!("Only a Thimble takes another card back: say “use {thimble}” alone.")))
    }
}

fn seat(word: &str) -> Result<Seat, Refusal> {
    let number = word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()));
    let refuse = || Refusal::new(format!("“{word}” is no seat: name those you ask by their numbers, as in “ask 3 1”."));
    number.and_then(Seat::new).ok_or_else(refuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_move_reads_back_as_it_is_written() {
        for text in [
            "go shore-3",
            "go entrance",
            "play dinah",
            "play dinah for bill",
            "use soup",
            "use watch on bandersnatch",
            "use thimble soup",
            "ask 2",
            "ask 3 1",
            "help",
            "refuse",
            "done",
            "take soup",
            "run",
            "discard bill",
        ] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "go",
            "go home",
            "go shore-3 now",
            "play",
            "play dinah with bill",
            "use",
            "use soup dinah",
            "use soup on",
            "use soup on shore-3",
            "ask",
            "ask all",
            "ask 0",
            "ask +2",
            "ask 9",
            "ask 1 2 3 4 5 6 7 8",
            "help me",
            "take",
            "discard",
            "run away",
            "dance",
        ] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
