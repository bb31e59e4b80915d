//! The seats in turn order, as far as everybody sees them.

use super::super::RedQueen;
use super::super::role::Role;
use super::super::words;
use crate::playing_cards::{back, small};
use wonderpost_rules::{Seat, View, Viewer};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatLine {
    pub seat: Seat,
    /// “You” or the name.
    pub who: String,
    pub role: &'static str,
    pub reigns: bool,
    pub is_mine: bool,
    pub awaited: bool,
    pub winner: bool,
    pub points: i64,
    pub felled: u16,
    pub cards: usize,
    /// The hand as backs, and the cards that all have seen, or that are shown at the end, open.
    pub backs: Vec<String>,
    pub open: Vec<String>,
    /// The open cards are shown because the game is over.
    pub shown: bool,
}

impl SeatLine {
    /// The Red Queen first, then clockwise.
    pub fn all(view: &View<RedQueen>, ended_early: bool) -> Vec<SeatLine> {
        let table = &view.table;
        let line = |seat| SeatLine::new(view, seat, ended_early);
        let mut lines: Vec<SeatLine> = Seat::all(table.seats()).map(line).collect();
        let first = table.queen.index().min(lines.len());
        lines.rotate_left(first);
        lines
    }

    fn new(view: &View<RedQueen>, seat: Seat, ended_early: bool) -> SeatLine {
        let table = &view.table;
        let place = seat.index();
        let cards = table.hands.get(place).copied().unwrap_or(0);
        let revealed = table.revealed.as_ref().and_then(|revealed| revealed.hands.get(place)).copied();
        let open = revealed.or(table.seen.get(place).copied()).unwrap_or_default();
        SeatLine {
            seat,
            who: words::viewer(view).person(seat).capitalised(),
            role: table.roles.get(place).map_or("", |role| role.title()),
            reigns: seat == table.queen,
            is_mine: words::viewer(view) == Viewer::Seat(seat),
            awaited: !ended_early && view.awaiting.contains(&seat),
            winner: view.winners.contains(&seat),
            points: view.scores.get(place).copied().flatten().unwrap_or(0),
            felled: table.felled.get(place).copied().unwrap_or(0),
            cards,
            backs: (open.len()..cards).map(|_| back("small", None)).collect(),
            open: open.iter().map(|card| small(card, "")).collect(),
            shown: revealed.is_some(),
        }
    }

    pub fn cards_in_words(&self) -> String {
        words::cards(self.cards)
    }
}

/// A few words for the chip of each seat, as HTML: the role, which opens to what it means, and the hand as all see it.
pub fn chips(view: &View<RedQueen>) -> Vec<String> {
    let table = &view.table;
    let chip = |(seat, role): (Seat, &Role)| {
        let seen = table.seen.get(seat.index()).copied().unwrap_or_default();
        let seen = match seen.is_empty() || view.over {
            true => String::new(),
            false => format!("<span class=\"rq-chip-seen\">, seen {}</span>", words::list(seen)),
        };
        let cards = words::cards(table.hands.get(seat.index()).copied().unwrap_or(0));
        let (title, about) = (role.title(), role.about());
        format!("<span class=\"rq-role\"><b>{title}</b>, </span>{cards}{seen}<span class=\"rq-about\">{about}</span>")
    };
    Seat::all(table.seats()).zip(&table.roles).map(chip).collect()
}
