//! Somebody in a sentence, as its reader would say it: “you draw” to whoever draws, “Alice draws” to everybody else.

use std::fmt;

use super::{Seat, Viewer};

/// A seat in a sentence for one reader. Written out it is “you” or the seat's mark.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Person {
    seat: Seat,
    is_reader: bool,
}

impl Viewer {
    /// A seat as this viewer is told of it.
    pub fn person(self, seat: Seat) -> Person {
        Person { seat, is_reader: self == Viewer::Seat(seat) }
    }
}

impl Person {
    /// Whether the sentence is about its reader.
    pub const fn is_reader(self) -> bool {
        self.is_reader
    }

    /// The person at the beginning of a sentence doing something, given as it is said of others: `does("draws")`.
    pub fn does(self, verb: &str) -> String {
        match self.is_reader {
            true => format!("You {}", second_person(verb)),
            false => format!("{} {verb}", self.seat.mark()),
        }
    }

    /// The same in the middle of a sentence.
    pub fn then_does(self, verb: &str) -> String {
        match self.is_reader {
            true => format!("you {}", second_person(verb)),
            false => format!("{} {verb}", self.seat.mark()),
        }
    }

    /// A verb alone, agreeing with the person: for the second verb of a sentence.
    pub fn verb(self, verb: &str) -> String {
        if self.is_reader { second_person(verb) } else { verb.to_owned() }
    }

    /// “your”, or the name with its apostrophe.
    pub fn whose(self) -> String {
        if self.is_reader { "your".to_owned() } else { format!("{}'s", self.seat.mark()) }
    }

    /// “You” or the name, for the beginning of a sentence.
    pub fn capitalised(self) -> String {
        if self.is_reader { "You".to_owned() } else { self.seat.mark().to_string() }
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_reader {
            true => f.write_str("you"),
            false => write!(f, "{}", self.seat.mark()),
        }
    }
}

/// What is said to somebody for what is said of a third: “draw” for “draws”.
fn second_person(verb: &str) -> String {
    match verb {
        "is" => "are".to_owned(),
        "was" => "were".to_owned(),
        "has" => "have".to_owned(),
        _ => plain_form(verb),
    }
}

fn plain_form(verb: &str) -> String {
    if let Some(stem) = verb.strip_suffix("ies") {
        return format!("{stem}y");
    }
    // “passes”, “catches”, “pushes”, “fixes”, “goes”.
    for ending in ["ss", "ch", "sh", "x", "o"] {
        if let Some(stem) = verb.strip_suffix("es").filter(|stem| stem.ends_with(ending)) {
            return stem.to_owned();
        }
    }
    verb.strip_suffix('s').unwrap_or(verb).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_is_you_and_others_have_their_names() {
        let [one, two] = [1, 2].map(|number| Seat::new(number).unwrap());
        let told = |seat| Viewer::Seat(one).person(seat).does("draws");
        assert_eq!(told(one), "You draw");
        assert_eq!(told(two), format!("{} draws", two.mark()));
        assert_eq!(Viewer::Public.person(one).whose(), format!("{}'s", one.mark()));
        assert_eq!(Viewer::Seat(two).person(two).whose(), "your");
    }

    #[test]
    fn verbs_agree_with_you() {
        for (they, you) in [
            ("draws", "draw"),
            ("passes", "pass"),
            ("goes", "go"),
            ("is", "are"),
            ("has", "have"),
            ("was", "were"),
            ("tries", "try"),
            ("chooses", "choose"),
            ("catches", "catch"),
            ("loses", "lose"),
            ("plays", "play"),
            ("takes", "take"),
            ("says", "say"),
        ] {
            assert_eq!(second_person(they), you);
        }
    }
}
