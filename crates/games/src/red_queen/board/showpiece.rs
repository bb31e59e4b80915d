//! The court: pile, Queen and discards above the coterie.

use askama::Template;

use super::super::RedQueen;
use super::choice::Choice;
use super::court::Court;
use super::postcard::{DRAWINGS, alt};
use crate::drawing;
use crate::playing_cards;
use wonderpost_rules::{Picture, View};

const CARD: u32 = 130;
const COLUMNS: [u32; 3] = [75, 255, 435];
const ROWS: [u32; 2] = [24, 234];

#[derive(Template)]
#[template(path = "red-queen/showpiece.html")]
struct Showpiece {
    /// Cards in their places.
    cards: Vec<String>,
    /// Where there is none.
    gaps: Vec<(u32, u32)>,
}

pub fn showpiece(view: &View<RedQueen>) -> Picture {
    let court = Court::new(view, None, &Choice::default());
    let above = [Some(&court.pile_picture), Some(&court.queen_picture), court.top.as_ref()];
    let below = court.slots.iter().map(|slot| slot.picture.as_ref());
    let places = ROWS.iter().flat_map(|y| COLUMNS.iter().map(|x| (*x, *y)));
    let mut drawn = Showpiece { cards: Vec::new(), gaps: Vec::new() };
    for (card, (x, y)) in above.into_iter().chain(below).zip(places) {
        match card {
            Some(card) => drawn.cards.push(playing_cards::row(card, x, y, CARD, 0)),
            None => drawn.gaps.push((x, y)),
        }
    }
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    drawing::picture(&DRAWINGS, drawing::SHOWPIECE, &drawn.render().unwrap_or_default(), alt(view, &court))
}
