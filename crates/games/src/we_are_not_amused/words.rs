//! Moves in words, as offers to whoever could make them.

use super::card::GardenCard;
use super::cell::Cell;
use super::garden::Garden;
use super::moves::Move;
use super::view::PublicView;

/// A move as an offer, with what comes of it.
pub fn offer(table: &PublicView, mv: &Move) -> String {
    match *mv {
        Move::Attack { at, cat } => attack(table, at, cat),
        Move::Paint { at, gardener } => paint(table, at, gardener),
        Move::Vanish { at } => format!("Make {} vanish", name_at(table, at)),
        Move::Collect { at } => format!("Pick {}", name_at(table, at)),
        Move::Plant { at } => plant(table, at),
        Move::Swap => {
            let top = table.discard.last().map_or("top discard", |top| top.name());
            format!("Swap the Cat for the {top}")
        }
        Move::Pass => {
            let card = table.revealed.map_or("card", |card| card.name());
            let leave = format!("Leave the {card} in the deck");
            match is_last_chance(table) {
                true => format!("{leave}: if nothing is played before the deck has come round, the game is over"),
                false => leave,
            }
        }
        Move::PassAll if is_last_chance(table) => {
            "Leave the rest of the deck: with nothing played in it, and no shuffle left, the game is over".to_owned()
        }
        Move::PassAll => "Leave the rest of the deck".to_owned(),
        Move::Shuffle if table.shuffles_left <= 1 => {
            "Shuffle the deck and the discards together: it is your last shuffle".to_owned()
        }
        Move::Shuffle => "Shuffle the deck and the discards together".to_owned(),
        Move::End => format!("Stop here: the game is over with {} of 12 roses", table.delivered),
    }
}

/// Whether a move is asked about before it is made: it cannot be taken back, and may cost the game.
pub fn is_grave(table: &PublicView, mv: &Move) -> bool {
    match mv {
        Move::Shuffle | Move::End => true,
        Move::Pass | Move::PassAll => is_last_chance(table),
        Move::Plant { at } => planted(table, *at).queen_walled_in(),
        Move::Attack { .. } | Move::Paint { .. } | Move::Vanish { .. } | Move::Swap | Move::Collect { .. } => false,
    }
}

/// One more idle cycle ends the game.
fn is_last_chance(table: &PublicView) -> bool {
    table.last_chance && table.shuffles_left == 0
}

fn attack(table: &PublicView, at: Cell, cat: Option<Cell>) -> String {
    let name = name_at(table, at);
    match cat.or(table.garden.beside(at, GardenCard::Cat).first()) {
        Some(cat) => format!("Attack {name}: the Cheshire Cat at {cat} vanishes in its stead"),
        None => format!("Attack {name}"),
    }
}

fn paint(table: &PublicView, at: Cell, gardener: Option<Cell>) -> String {
    let name = name_at(table, at);
    match gardener.or(table.garden.beside(at, GardenCard::Gardener).first()) {
        Some(gardener) => {
            format!("Go for {name}: the Queen's Gardener at {gardener} is sent away, and the rose stays white")
        }
        None => format!("Paint {name} red"),
    }
}

fn plant(table: &PublicView, at: Cell) -> String {
    let then = planted(table, at);
    if then.queen_walled_in() {
        format!("Plant the Bramble at {at}: it walls in the Queen, and the game is lost")
    } else if table.path_open && !then.path_open() {
        format!("Plant the Bramble at {at}: it closes the way to the Queen")
    } else {
        format!("Plant the Bramble at {at}")
    }
}

fn planted(table: &PublicView, at: Cell) -> Garden {
    let mut garden = table.garden;
    garden.put(at, GardenCard::Bramble);
    garden
}

/// “the Queen's Soldier at c3”.
pub fn name_at(table: &PublicView, at: Cell) -> String {
    match table.garden.card(at) {
        Some(GardenCard::Soldier) => format!("the Queen's Soldier at {at}"),
        Some(GardenCard::Gardener) => format!("the Queen's Gardener at {at}"),
        Some(card) => format!("the {} at {at}", card.name()),
        None => format!("the gap at {at}"),
    }
}
