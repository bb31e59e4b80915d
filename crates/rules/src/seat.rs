//! Seats, sets of seats, and who is looking.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The private character before the first mark of a seat.
const BEFORE_MARKS: u32 = 0xE000;

/// What every mark of a seat begins with in UTF-8.
const FIRST_BYTE_OF_MARKS: u8 = 0xEE;

/// A place at a table, numbered from 1 in turn order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(u8);

impl Seat {
    /// The most seats that any table can have.
    pub const MOST: u8 = 8;

    /// The first in turn order; every table has it.
    pub const FIRST: Seat = Seat(1);

    /// The seat with this number; `None` if no table has so many.
    pub const fn new(number: u8) -> Option<Seat> {
        if number >= 1 && number <= Seat::MOST { Some(Seat(number)) } else { None }
    }

    /// The seat's number, from 1.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The seat's place in an array with one entry a seat.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// Stands for the name of whoever holds the seat, in log lines, texts and boards: rules know no names, the house fills them in.
    pub const fn mark(self) -> char {
        // A private character, which no name may hold.
        match char::from_u32(BEFORE_MARKS + self.0 as u32) {
            Some(mark) => mark,
            None => unreachable!(),
        }
    }

    /// Puts names in the places of marks. Pages are long and marks are few, so what lies between them is copied as it is.
    pub fn fill_marks(text: &str, name: impl Fn(Seat) -> String) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut copied = 0;
        for place in memchr::memchr_iter(FIRST_BYTE_OF_MARKS, text.as_bytes()) {
            let Some(letter) = text[place..].chars().next() else { break };
            if let Some(seat) = Seat::of_mark(letter) {
                filled.push_str(&text[copied..place]);
                filled.push_str(&name(seat));
                copied = place + letter.len_utf8();
            }
        }
        filled.push_str(&text[copied..]);
        filled
    }

    fn of_mark(letter: char) -> Option<Seat> {
        let number = (letter as u32).checked_sub(BEFORE_MARKS)?;
        Seat::new(u8::try_from(number).ok()?)
    }

    /// All seats of a table with so many seats, in turn order.
    pub fn all(seats: u8) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..seats.min(Seat::MOST)).map(|index| Seat(index + 1))
    }

    /// The seat after this one, clockwise.
    pub const fn next(self, seats: u8) -> Seat {
        if self.0 >= seats { Seat(1) } else { Seat(self.0 + 1) }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<u8> for Seat {
    type Error = String;

    fn try_from(number: u8) -> Result<Seat, String> {
        Seat::new(number).ok_or_else(|| format!("there is no seat {number}"))
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        seat.0
    }
}

/// A set of seats; iterates in ascending order and is written as an array of numbers.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Seat>", into = "Vec<Seat>")]
pub struct SeatSet(u8);

impl SeatSet {
    /// Nobody.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// One seat alone.
    pub const fn one(seat: Seat) -> SeatSet {
        SeatSet(1 << (seat.0 - 1))
    }

    /// Whether the seat is in the set.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & SeatSet::one(seat).0 != 0
    }

    /// Whether nobody is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many seats are in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Puts a seat into the set.
    pub fn insert(&mut self, seat: Seat) {
        self.0 |= SeatSet::one(seat).0;
    }

    /// Takes a seat out of the set.
    pub fn remove(&mut self, seat: Seat) {
        self.0 &= !SeatSet::one(seat).0;
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::all(Seat::MOST).filter(move |seat| self.contains(*seat))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        let mut set = SeatSet::EMPTY;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

impl From<Vec<Seat>> for SeatSet {
    fn from(seats: Vec<Seat>) -> SeatSet {
        seats.into_iter().collect()
    }
}

impl From<SeatSet> for Vec<Seat> {
    fn from(set: SeatSet) -> Vec<Seat> {
        set.iter().collect()
    }
}

/// Who is looking at a table: somebody who holds a seat, or anybody else.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// Anybody: they see what all may see.
    Public,
    /// Whoever holds this seat.
    Seat(Seat),
}

impl Viewer {
    /// The seat that this viewer holds, if any.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Viewer::Public => None,
            Viewer::Seat(seat) => Some(seat),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_set_lists_its_seats_in_ascending_order() {
        let seats = [4, 1, 3].map(|n| Seat::new(n).unwrap());
        let set: SeatSet = seats.into_iter().collect();
        assert_eq!(serde_json::to_string(&set).unwrap(), "[1,3,4]");
        assert_eq!(set.len(), 3);
    }

    #[test]
    fn marks_give_way_to_names() {
        let [one, two] = [1, 2].map(|n| Seat::new(n).unwrap());
        let text = format!("{} attacks {}.", two.mark(), one.mark());
        let fill = |text: &str| Seat::fill_marks(text, |seat| format!("Seat {seat}"));
        assert_eq!(fill(&text), "Seat 2 attacks Seat 1.");
        let other = "“é”, \u{E000}, \u{E009}, \u{EFFF} and ♥";
        assert_eq!(fill(other), other, "what is no mark stays");
        assert!(Seat::all(Seat::MOST).all(|seat| fill(&seat.mark().to_string()) == format!("Seat {seat}")));
    }

    #[test]
    fn turn_order_goes_round() {
        let last = Seat::new(3).unwrap();
        assert_eq!(last.next(3).number(), 1);
        assert_eq!(last.next(4).number(), 4);
    }
}
