//! What stands against a visit before one goes there: who may contest it, and the hearts one holds.

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::hexagon::{Hexagon, Kind, Place};
use super::super::options::Level;
use super::super::steps::contest::HEARTS;
use wonderpost_rules::{Seat, Suit, View};

/// A visit that may be contested.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Risk {
    /// How many rabbits may contest it.
    pub rabbits: usize,
    /// What the viewer's hearts are worth.
    pub hearts: u16,
}

impl Risk {
    /// MR-43, MR-47, MR-61, MR-67: what a visit to this hexagon risks once these cards are paid; nothing if nobody is asked.
    pub fn of(view: &View<MessengerRabbits>, at: Hexagon, paid: Cards) -> Option<Risk> {
        let (mine, table) = (view.mine.as_ref()?, &view.table);
        let left = mine.hand - paid;
        let is_guest = at.house().is_some_and(|house| left.contains(house.royal()));
        if table.options.level != Level::Standard || !table.suits.contains(Suit::Hearts) || is_guest {
            return None;
        }
        let by_all = match at {
            Hexagon::House(house) => house.kind == Kind::Palace,
            Hexagon::Citadel => table.options.advanced_citadel,
        };
        let may = |seat: &Seat| {
            let place = table.rabbits[seat.index()];
            let near = match by_all {
                true => place != Place::Off,
                false => table.options.special_access && place == Place::On(at),
            };
            *seat != mine.seat && near && table.hands[seat.index()] > 0
        };
        let rabbits = table.seats().filter(may).count();
        let hearts = table.worths(mine.seat).of_all(left & Cards::of_suit(Suit::Hearts));
        (rabbits > 0).then_some(Risk { rabbits, hearts })
    }

    /// Whether a contest would be lost.
    pub fn is_grave(self) -> bool {
        self.hearts < HEARTS
    }

    /// “2 rabbits may contest; you hold hearts 0 of 6”
    pub fn in_words(self) -> String {
        let rabbits = if self.rabbits == 1 { "1 rabbit".to_owned() } else { format!("{} rabbits", self.rabbits) };
        format!("{rabbits} may contest; you hold hearts {} of {HEARTS}", self.hearts)
    }

    /// “♥ 0/6”
    pub fn in_short(self) -> String {
        format!("♥ {}/{HEARTS}", self.hearts)
    }
}
