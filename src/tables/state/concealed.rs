//! Moves that are known to their movers alone as yet.
//!
//! In some games a player decides several times in secret before the others learn of any of it. That such a move was made at all would
//! tell something, so to everybody else it does not exist until the game shows it: it has no number, no time and no place in the log, and
//! the clock of its seat goes on as if nothing had happened. Each viewer therefore counts moves in their own way; the events keep the numbers
//! that they were recorded with.

use serde::{Deserialize, Serialize};

use crate::tables::state::record::{Digest, Record};
use crate::tables::state::table_state::{Status, TableState};
use wonderpost_rules::{Position, Seat, Viewer};

/// A move that nobody but its mover knows of.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Concealed {
    pub seat: Seat,
    /// As recorded.
    pub move_no: u32,
    /// The number and the digest of its last event.
    pub version: i64,
    pub head: Digest,
}

/// Whether a seat's move, decided on one state and leading to the other, is to be concealed from the others.
pub(crate) fn is_concealed(before: &dyn Position, after: &dyn Position, seat: Seat) -> bool {
    after.concealed_moves(seat) > before.concealed_moves(seat)
}

/// How a viewer counts the moves of a table: those that others have made in secret do not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbering {
    /// The recorded numbers of the moves that the viewer does not know of, ascending.
    hidden: Vec<u32>,
}

impl Numbering {
    /// What the viewer calls a recorded move; a hidden one belongs to the move before.
    pub fn shown(&self, move_no: u32) -> u32 {
        move_no - self.hidden.iter().filter(|hidden| **hidden <= move_no).count() as u32
    }

    /// The recorded number of what the viewer calls this move.
    pub fn recorded(&self, shown: u32) -> u32 {
        self.hidden
            .iter()
            .fold(shown, |number, hidden| if *hidden <= number { number.saturating_add(1) } else { number })
    }

    /// The same, or the last hidden move before the next that the viewer knows of.
    pub fn recorded_until(&self, shown: u32) -> u32 {
        match shown.checked_add(1) {
            Some(next) => self.recorded(next) - 1,
            None => shown,
        }
    }

    /// Whether a record is part of a move that the viewer does not know of. What the house records meanwhile is no part of it.
    pub fn hides(&self, record: &Record) -> bool {
        record.is_of_a_move() && self.hidden.contains(&record.move_no)
    }
}

impl TableState {
    /// How a viewer counts the moves of this table now.
    pub fn numbering(&self, viewer: Viewer) -> Numbering {
        let others = self.concealed.iter().filter(|concealed| viewer.seat() != Some(concealed.seat));
        Numbering { hidden: others.map(|concealed| concealed.move_no).collect() }
    }

    /// How many moves a viewer knows of.
    pub fn moves_for(&self, viewer: Viewer) -> u32 {
        self.numbering(viewer).shown(self.moves)
    }

    /// The digest of the last event that a viewer knows of.
    pub fn head_for(&self, viewer: Viewer) -> &Digest {
        let own = self.concealed.iter().rfind(|concealed| viewer.seat() == Some(concealed.seat));
        own.filter(|own| own.version > self.public_version).map_or(&self.public_head, |own| &own.head)
    }

    /// Takes note of a record that was folded: whether everybody knows of it, and what is no longer concealed.
    pub(crate) fn note_concealed(&mut self, record: &Record) {
        if let Some(last) = self.concealed.last_mut().filter(|last| last.move_no == record.move_no)
            && record.is_of_a_move()
        {
            (last.version, last.head) = (record.seq, record.digest);
            return;
        }
        (self.public_version, self.public_head, self.moved_at) = (record.seq, record.digest, record.at);
        if !self.concealed.is_empty() {
            let over = self.status() == Status::Over;
            let (concealed, position, closed_at) = (&mut self.concealed, &self.position, self.open_moves.closed_at);
            // What was undone in secret is shown with the rest, and not when nothing of it is left.
            concealed.retain(|concealed| {
                !over && (concealed.move_no > closed_at || position.concealed_moves(concealed.seat) > 0)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_counted_as_if_the_hidden_ones_had_not_been_made() {
        let plain = Numbering::default();
        assert_eq!((plain.shown(7), plain.recorded(7), plain.recorded_until(7)), (7, 7, 7));
        // Moves 5, 6 and 8 are hidden: what follows 4 is 7, and 9 is the sixth that is known.
        let numbering = Numbering { hidden: vec![5, 6, 8] };
        let shown: Vec<u32> = (3..=10).map(|number| numbering.shown(number)).collect();
        assert_eq!(shown, [3, 4, 4, 4, 5, 5, 6, 7]);
        let recorded: Vec<u32> = (3..=7).map(|number| numbering.recorded(number)).collect();
        assert_eq!(recorded, [3, 4, 7, 9, 10]);
        let until: Vec<u32> = (3..=7).map(|number| numbering.recorded_until(number)).collect();
        assert_eq!(until, [3, 6, 8, 9, 10]);
        assert_eq!(numbering.recorded_until(u32::MAX), u32::MAX);
    }
}
