//! Choices that take more than one step.

use super::super::moves::Move;
use super::super::view::PublicView;
use wonderpost_rules::{Seat, fold_line};

/// What the viewer has begun. It comes from the page's address: anything may stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begun {
    Nothing,
    /// A Thimble: which card comes back?
    Thimble,
    /// A call for help: whom else?
    Ask(Vec<Seat>),
}

impl Begun {
    pub fn read(begun: Option<&str>, table: &PublicView, moves: &[Move]) -> Begun {
        let Some(begun) = begun.map(fold_line) else { return Begun::Nothing };
        if begun == "use thimble" && moves.iter().any(|mv| matches!(mv, Move::Recover { .. })) {
            return Begun::Thimble;
        }
        let near = table.fight.as_ref().map(|fight| &fight.can_ask[..]).unwrap_or_default();
        match begun.parse() {
            Ok(Move::Ask(seats)) if can_be_asked(&seats, near) => Begun::Ask(seats),
            _ => Begun::Nothing,
        }
    }
}

/// All in reach, and nobody twice.
fn can_be_asked(seats: &[Seat], near: &[Seat]) -> bool {
    seats.iter().enumerate().all(|(place, seat)| near.contains(seat) && !seats[..place].contains(seat))
}
