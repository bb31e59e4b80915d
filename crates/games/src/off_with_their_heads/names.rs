//! What spaces are called, and moves in words.

use super::OffWithTheirHeads;
use super::brings::Brings;
use super::cards::short;
use super::layout::{ground, layout};
use super::moves::{Marking, Move};
use super::space::{COLUMNS, Place, Space};
use super::task::Task;
use wonderpost_rules::View;

/// “the Scarlet Cap”, “tree 6”, “cell a4”.
pub fn space_name(space: Space) -> String {
    match space.place() {
        Place::Mushroom(index) => format!("the {}", layout().meadow.mushrooms[index].name),
        Place::Tree(index) => format!("tree {}", index + 1),
        Place::Cell(index) if index == ground().red_keep => "the Red Keep".to_owned(),
        Place::Cell(index) => format!("cell {}{}", char::from(b'a' + (index % COLUMNS) as u8), index / COLUMNS + 1),
    }
}

/// Where a mark is, for somebody who sees the sheet: “in the Scarlet Cap”, “on tree 6”, “in cell a4”.
pub fn at(space: Space) -> String {
    match space.place() {
        Place::Tree(_) => format!("on {}", space_name(space)),
        Place::Mushroom(_) | Place::Cell(_) => format!("in {}", space_name(space)),
    }
}

/// The same for somebody who does not: “on tree 6 of the Woods”.
pub fn fully_at(space: Space) -> String {
    match space.place() {
        Place::Mushroom(_) => at(space),
        Place::Cell(index) if index == ground().red_keep => at(space),
        Place::Tree(_) | Place::Cell(_) => format!("{} of the {}", at(space), space.zone().name()),
    }
}

/// A move as an offer.
pub fn describe_move(view: &View<OffWithTheirHeads>, mv: &Move) -> String {
    let task = view.mine.as_ref().and_then(|mine| mine.task.as_ref()).map(|seen| seen.task);
    match mv {
        Move::Play(card) => format!("Play {}", short(*card)),
        Move::Mark(marking) => {
            let number = number(view, marking).map(|number| format!(" {number}")).unwrap_or_default();
            let cost = cost(marking).map(|cost| format!(", {cost}")).unwrap_or_default();
            format!("Paint{number} {}{cost}", fully_at(marking.space))
        }
        Move::Lose => "Let the mark go and keep your teacups".to_owned(),
        Move::Skip => match task {
            Some(Task::RedKeep { zone }) => format!("Leave the Red Keep's mark in the {}", zone.name()),
            Some(Task::Card { .. } | Task::Repeat { .. }) | None => "Leave the biscuit".to_owned(),
        },
    }
}

/// What a move brings besides its mark.
pub fn brings(view: &View<OffWithTheirHeads>, mv: &Move) -> String {
    let (Move::Mark(marking), Some(mine)) = (mv, &view.mine) else { return String::new() };
    let brings = number(view, marking).map(|number| Brings::of(&mine.sheet.0, marking.space, number).words());
    brings.unwrap_or_default().join("; ")
}

/// Waking the Jabberwock costs half of all that the Woods will ever bring.
pub fn asks_first(view: &View<OffWithTheirHeads>, mv: &Move) -> bool {
    let (Move::Mark(marking), Some(mine)) = (mv, &view.mine) else { return false };
    let Some(number) = number(view, marking) else { return false };
    Brings::of(&mine.sheet.0, marking.space, number).wakes_jabberwock
}

/// What the teacups of a mark are spent on.
pub fn cost(marking: &Marking) -> Option<&'static str> {
    match (marking.zone, marking.colour) {
        (false, false) => None,
        (true, false) => Some("with a teacup for the zone"),
        (false, true) => Some("with a teacup for the colour"),
        (true, true) => Some("with two teacups, for zone and colour"),
    }
}

/// The number that a move paints, if it is known by now.
fn number(view: &View<OffWithTheirHeads>, marking: &Marking) -> Option<u8> {
    let task = view.mine.as_ref().and_then(|mine| mine.task.as_ref());
    marking.number.or(task.and_then(|task| task.numbers.first().copied()))
}
