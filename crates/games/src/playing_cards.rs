//! Playing cards as pictures: all 54, and their backs, drawn by the house.
//!
//! A game has [`symbols`] among its own; every picture refers to them. Sizes, and the colours of the suits, are the
//! stylesheet's: `<html data-suits="four">` gives each suit a colour of its own.

use std::fmt::Write;
use std::sync::LazyLock;

use askama::Template;

use wonderpost_rules::{Card, Rank, Suit};

/// The drawings that all pictures refer to.
pub fn symbols() -> &'static str {
    static SYMBOLS: LazyLock<String> = LazyLock::new(|| {
        // Writing into a string fails only if a value refuses to be written, and none of ours does.
        Symbols { faces: Card::plain().map(Face::new).collect() }.render().unwrap_or_default()
    });
    &SYMBOLS
}

/// A card, large enough for its pips or its figure, told to those who listen. `classes` are further classes: `large`, `dim`.
pub fn picture(card: Card, classes: &str) -> String {
    svg(&format!("#card-{card}"), "0 0 100 140", classes, Some(&name(card)))
}

/// A card as no more than its rank and suit, for small sizes.
pub fn small(card: Card, classes: &str) -> String {
    svg(&format!("#small-{card}"), "0 0 50 70", &join("small", classes), Some(&name(card)))
}

/// The back of a card. A label for those who listen, or none if words beside it say what it is.
pub fn back(classes: &str, label: Option<&str>) -> String {
    svg("#card-backside", "0 0 100 140", classes, label)
}

/// A picture of a card that words beside it describe.
pub fn silent(card: Card, classes: &str) -> String {
    svg(&format!("#card-{card}"), "0 0 100 140", classes, None)
}

/// A small picture of a card that words beside it describe.
pub fn small_silent(card: Card, classes: &str) -> String {
    svg(&format!("#small-{card}"), "0 0 50 70", &join("small", classes), None)
}

/// Puts pictures of cards into a drawing, each so far to the right of the one before.
pub fn row(pictures: &str, x: u32, y: u32, width: u32, step: u32) -> String {
    let places = (0..).map(|number| x + number * step);
    let cards = pictures.split("<svg ").skip(1).zip(places);
    let height = width * 7 / 5;
    cards.map(|(card, x)| format!("<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {card}")).collect()
}

/// How far apart so many cards of this width stand where there is so much room: side by side, or overlapping.
pub fn step(cards: usize, width: u32, room: u32) -> u32 {
    let gaps = u32::try_from(cards).unwrap_or(u32::MAX).saturating_sub(1).max(1);
    (width + 6).min(room.saturating_sub(width) / gaps)
}

/// The sign of a suit, one line high.
pub fn suit(suit: Suit) -> String {
    let (sign, word) = (sign(suit), suit_name(suit));
    format!(
        "<svg class=\"suit {word}\" viewBox=\"-11 -11 22 22\" role=\"img\" aria-label=\"{word}\"><use href=\"#pip-{sign}\"/></svg>"
    )
}

/// “nine of clubs”, “red joker”.
pub fn name(card: Card) -> String {
    match card {
        Card::Plain(suit, rank) => format!("{} of {}", rank_name(rank), suit_name(suit)),
        Card::BlackJoker => "black joker".to_owned(),
        Card::RedJoker => "red joker".to_owned(),
    }
}

pub const fn suit_name(suit: Suit) -> &'static str {
    match suit {
        Suit::Spades => "spades",
        Suit::Hearts => "hearts",
        Suit::Diamonds => "diamonds",
        Suit::Clubs => "clubs",
    }
}

pub const fn rank_name(rank: Rank) -> &'static str {
    match rank {
        Rank::Two => "two",
        Rank::Three => "three",
        Rank::Four => "four",
        Rank::Five => "five",
        Rank::Six => "six",
        Rank::Seven => "seven",
        Rank::Eight => "eight",
        Rank::Nine => "nine",
        Rank::Ten => "ten",
        Rank::Jack => "jack",
        Rank::Queen => "queen",
        Rank::King => "king",
        Rank::Ace => "ace",
    }
}

fn join(one: &str, more: &str) -> String {
    if more.is_empty() { one.to_owned() } else { format!("{one} {more}") }
}

fn svg(href: &str, view_box: &str, classes: &str, label: Option<&str>) -> String {
    let mut svg = format!("<svg class=\"{}\" viewBox=\"{view_box}\" ", join("playing-card", classes));
    // Writing to a text does not fail. Labels are ours, or names of cards: nothing to escape but for safety's sake.
    let _ = match label {
        Some(label) => write!(svg, "role=\"img\" aria-label=\"{}\"", label.replace('"', "&quot;")),
        None => write!(svg, "aria-hidden=\"true\""),
    };
    let _ = write!(svg, "><use href=\"{href}\"/></svg>");
    svg
}

const fn sign(suit: Suit) -> char {
    suit.letter().to_ascii_lowercase()
}

#[derive(Template)]
#[template(path = "parts/playing-cards.html")]
struct Symbols {
    faces: Vec<Face>,
}

/// A card of a suit as the template writes it.
struct Face {
    card: Card,
    /// The letter of the suit, in lower case.
    sign: char,
    suit: &'static str,
    rank: &'static str,
    /// The figure of a court card.
    figure: Option<&'static str>,
    pips: Vec<Pip>,
}

/// A pip and where its middle is.
struct Pip {
    x: u8,
    y: u8,
}

impl Pip {
    /// Pips of the lower half stand on their heads.
    fn upside_down(&self) -> bool {
        self.y > 70
    }
}

impl Face {
    fn new(card: Card) -> Face {
        // Jokers have symbols of their own.
        let Card::Plain(suit, rank) = card else {
            return Face { card, sign: 's', suit: "", rank: "", figure: None, pips: vec![] };
        };
        let figure = match rank {
            Rank::Jack => Some("jack"),
            Rank::Queen => Some("queen"),
            Rank::King => Some("king"),
            _ => None,
        };
        let pips = places(rank).iter().map(|(x, y)| Pip { x: *x, y: *y }).collect();
        Face { card, sign: sign(suit), suit: suit_name(suit), rank: rank.name(), figure, pips }
    }

    /// An ace has one pip, and that one is large.
    fn is_ace(&self) -> bool {
        self.rank == "A"
    }
}

/// Where the pips of a rank lie on a card of 100 by 140.
const fn places(rank: Rank) -> &'static [(u8, u8)] {
    const LEFT: u8 = 35;
    const MIDDLE: u8 = 50;
    const RIGHT: u8 = 65;
    const TOP: u8 = 27;
    const BOTTOM: u8 = 113;
    // The rows of nines and tens.
    const SECOND: u8 = 56;
    const THIRD: u8 = 84;
    match rank {
        Rank::Two => &[(MIDDLE, TOP), (MIDDLE, BOTTOM)],
        Rank::Three => &[(MIDDLE, TOP), (MIDDLE, 70), (MIDDLE, BOTTOM)],
        Rank::Four => &[(LEFT, TOP), (RIGHT, TOP), (LEFT, BOTTOM), (RIGHT, BOTTOM)],
        Rank::Five => &[(LEFT, TOP), (RIGHT, TOP), (MIDDLE, 70), (LEFT, BOTTOM), (RIGHT, BOTTOM)],
        Rank::Six => &[(LEFT, TOP), (RIGHT, TOP), (LEFT, 70), (RIGHT, 70), (LEFT, BOTTOM), (RIGHT, BOTTOM)],
        Rank::Seven => {
            &[(LEFT, TOP), (RIGHT, TOP), (MIDDLE, 48), (LEFT, 70), (RIGHT, 70), (LEFT, BOTTOM), (RIGHT, BOTTOM)]
        }
        Rank::Eight => &[
            (LEFT, TOP),
            (RIGHT, TOP),
            (MIDDLE, 48),
            (LEFT, 70),
            (RIGHT, 70),
            (MIDDLE, 92),
            (LEFT, BOTTOM),
            (RIGHT, BOTTOM),
        ],
        Rank::Nine => &[
            (LEFT, TOP),
            (RIGHT, TOP),
            (LEFT, SECOND),
            (RIGHT, SECOND),
            (MIDDLE, 70),
            (LEFT, THIRD),
            (RIGHT, THIRD),
            (LEFT, BOTTOM),
            (RIGHT, BOTTOM),
        ],
        Rank::Ten => &[
            (LEFT, TOP),
            (RIGHT, TOP),
            (MIDDLE, 41),
            (LEFT, SECOND),
            (RIGHT, SECOND),
            (LEFT, THIRD),
            (RIGHT, THIRD),
            (MIDDLE, 99),
            (LEFT, BOTTOM),
            (RIGHT, BOTTOM),
        ],
        Rank::Ace => &[(MIDDLE, 70)],
        Rank::Jack | Rank::Queen | Rank::King => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Card> {
        Card::plain().chain([Card::BlackJoker, Card::RedJoker])
    }

    #[test]
    fn every_picture_refers_to_a_drawing_that_is_there_once() {
        let symbols = symbols();
        let pictures = all().flat_map(|card| [picture(card, ""), small(card, ""), silent(card, "")]);
        for picture in pictures.chain([back("", None)]).chain(Suit::ALL.map(suit)) {
            let href = picture.split("href=\"#").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            assert_eq!(symbols.matches(&format!("id=\"{href}\"")).count(), 1, "{href}");
        }
        let hrefs = symbols.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next());
        for href in hrefs {
            assert_eq!(symbols.matches(&format!("id=\"{href}\"")).count(), 1, "{href}");
        }
    }

    #[test]
    fn a_number_card_has_as_many_pips_as_it_says() {
        for (count, rank) in Rank::ALL.into_iter().take(9).enumerate() {
            let places = places(rank);
            assert_eq!(places.len(), count + 2);
            // And looks the same upside down, but for those in the middle of odd ones.
            let turned = places.iter().filter(|(x, y)| places.contains(&(100 - x, 140 - y))).count();
            assert!(turned >= places.len() - 1, "{rank:?}");
        }
    }

    #[test]
    fn pictures_say_what_they_show() {
        assert!(picture(Card::Plain(Suit::Clubs, Rank::Nine), "large").contains("aria-label=\"nine of clubs\""));
        assert!(picture(Card::RedJoker, "").contains("class=\"playing-card\" "));
        assert!(small(Card::RedJoker, "dim").contains("class=\"playing-card small dim\" "));
        assert!(back("", None).contains("aria-hidden=\"true\""));
    }
}
