//! The table as a picture for letters: the Queen behind her coterie, the viewer's hand, and who sits around.

use std::sync::LazyLock;

use askama::Template;

use super::super::RedQueen;
use super::super::words;
use super::choice::Choice;
use super::court::{Court, SlotView};
use super::hand::Hand;
use super::prompt::heading;
use super::seats::SeatLine;
use crate::drawing::{self, Drawings};
use crate::playing_cards;
use wonderpost_rules::{Picture, View};

pub(super) static DRAWINGS: LazyLock<Drawings> = LazyLock::new(|| Drawings::of(&[playing_cards::symbols()]));

const WIDTH: u32 = 720;
const HAND_CARD: u32 = 104;

#[derive(Template)]
#[template(path = "red-queen/postcard.html")]
struct Postcard {
    title: String,
    kicker: String,
    pile: String,
    queen: String,
    /// The uppermost of the discards.
    top: Option<String>,
    court: Court,
    slots: Vec<Place>,
    hand: Option<String>,
    seats: Vec<Line>,
    seats_from: u32,
}

/// A slot of the coterie and where it is drawn.
struct Place {
    x: u32,
    card: Option<String>,
    corner: String,
    words: String,
}

/// A seat and where its line is written.
struct Line {
    y: u32,
    line: SeatLine,
    cards: String,
}

pub fn picture(view: &View<RedQueen>) -> Picture {
    let choice = Choice::default();
    let court = Court::new(view, None, &choice);
    let (kicker, title) = heading(view);
    let hand = Hand::new(view, None, &choice).filter(|_| !view.over);
    let hand = hand.map(|hand| {
        let step = playing_cards::step(hand.cards.len(), HAND_CARD, WIDTH - 48);
        let cards: String = hand.cards.iter().map(|card| card.picture.as_str()).collect();
        playing_cards::row(&cards, 24, 568, HAND_CARD, step)
    });
    let seats_from = if hand.is_some() { 734 } else { 530 };
    let lines = SeatLine::all(view, false).into_iter().zip((0..).map(|number| seats_from + 52 * number));
    let line = |(line, y): (SeatLine, u32)| {
        let cards = line.open.concat() + &line.backs.concat();
        let step = playing_cards::step(line.cards, 27, 180).min(30);
        Line { y, cards: playing_cards::row(&cards, 516, y + 4, 27, step), line }
    };
    let postcard = Postcard {
        title,
        kicker,
        pile: playing_cards::row(&court.pile_picture, 70, 92, 110, 0),
        queen: playing_cards::row(&court.queen_picture, 296, 78, 128, 0),
        top: court.top.as_ref().map(|top| playing_cards::row(top, 540, 92, 110, 0)),
        slots: court.slots.iter().zip([76, 305, 534]).map(|(slot, x)| Place::new(slot, x)).collect(),
        court,
        hand,
        seats: lines.map(line).collect(),
        seats_from,
    };
    let height = postcard.seats_from + 52 * postcard.seats.len() as u32 + 12;
    let alt = alt(view, &postcard.court);
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    drawing::picture(&DRAWINGS, (WIDTH, height), &postcard.render().unwrap_or_default(), alt)
}

impl Place {
    fn new(slot: &SlotView, x: u32) -> Place {
        Place {
            x,
            card: slot.picture.as_ref().map(|picture| playing_cards::row(picture, x, 310, 110, 0)),
            corner: slot
                .corner
                .as_ref()
                .map(|corner| playing_cards::row(corner, x + 72, 300, 48, 0))
                .unwrap_or_default(),
            words: format!("{}: {}", slot.slot, slot.tag),
        }
    }
}

pub(super) fn alt(view: &View<RedQueen>, court: &Court) -> String {
    let slots: Vec<String> = court.slots.iter().map(|slot| format!("slot {} {}", slot.slot, slot.tag)).collect();
    let reigns = if court.is_mine { "You reign".to_owned() } else { format!("{} reigns", court.queen.mark()) };
    let hand = match view.mine.filter(|_| !view.over) {
        Some(mine) if mine.hand.is_empty() => " Your hand is empty.".to_owned(),
        Some(mine) => format!(" Your hand: {}.", words::list(mine.hand)),
        None => String::new(),
    };
    format!(
        "The court of the Red Queen. {reigns}; her coterie: {}. The pile has {}, {} discarded.{hand}",
        slots.join(", "),
        words::cards(court.pile),
        words::cards(court.discards),
    )
}
