//! Planting a revealed Bramble.

use std::cmp::Reverse;

use super::WeAreNotAmused;
use super::card::GardenCard;
use super::cell::{Cell, CellSet};
use super::event::Event;
use super::moves::Move;
use wonderpost_rules::Refusal;

impl WeAreNotAmused {
    /// WNA-26: what a move at a Bramble brings about.
    pub(super) fn plant(&self, mv: Move) -> Result<Event, Refusal> {
        let Move::Plant { at } = mv else {
            return Err(Refusal::new("A Bramble is turned over: it has to be planted before anything else."));
        };
        match self.garden.card(at) {
            None => Ok(Event::Planted { at, after: self.after_planting(at) }),
            Some(GardenCard::Queen) => Err(Refusal::new(format!("The Queen sits at {at}."))),
            Some(card) => Err(Refusal::new(format!("There is {} at {at}: a Bramble needs a gap.", card.one()))),
        }
    }

    /// The cell that does the least harm by a simple rule: the gap farthest from the Queen, the first of several in
    /// reading order; with an open path only gaps that leave it open, if there is one.
    pub(super) fn default_planting(&self) -> Option<Cell> {
        let gaps = self.garden.gaps();
        let harmless = if self.garden.path_open() { self.harmless(gaps) } else { gaps };
        let considered = if harmless.is_empty() { gaps } else { harmless };
        considered.iter().min_by_key(|cell| Reverse(cell.distance(Cell::QUEEN)))
    }

    fn harmless(&self, gaps: CellSet) -> CellSet {
        let leaves_open = |at: &Cell| {
            let mut garden = self.garden;
            garden.put(*at, GardenCard::Bramble);
            garden.path_open()
        };
        gaps.iter().filter(leaves_open).collect()
    }
}
