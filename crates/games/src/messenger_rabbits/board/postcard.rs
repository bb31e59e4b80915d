//! The map as a picture for letters, with the dice, the players and the viewer's hand below it.

use std::sync::LazyLock;

use askama::Template;

use super::super::MessengerRabbits;
use super::choice::Choices;
use super::hand::{Hand, Prompt};
use super::map::Map;
use super::players::Player;
use crate::drawing::{self, Drawings};
use crate::playing_cards;
use wonderpost_rules::{Picture, View};

/// The drawings of the game, as a page has them.
#[derive(Template)]
#[template(path = "messenger-rabbits/symbols.html")]
struct Symbols;

/// What its lands are filled with.
#[derive(Template)]
#[template(path = "messenger-rabbits/lands.html")]
struct Lands;

static SYMBOLS: LazyLock<String> = LazyLock::new(|| Symbols.render().unwrap_or_default());
static LANDS: LazyLock<String> = LazyLock::new(|| Lands.render().unwrap_or_default());
pub(super) static DRAWINGS: LazyLock<Drawings> =
    LazyLock::new(|| Drawings::of(&[playing_cards::symbols(), &SYMBOLS, &LANDS]));

/// The drawings of this game alone, as HTML.
pub fn symbols() -> &'static str {
    &SYMBOLS
}

/// The patterns of the lands, as HTML. Once a page.
pub fn lands() -> &'static str {
    &LANDS
}

const WIDTH: u32 = 720;
const HAND_CARD: u32 = 80;

#[derive(Template)]
#[template(path = "messenger-rabbits/postcard.html")]
struct Postcard {
    map: Map,
    map_height: u32,
    prompt: Prompt,
    players: Vec<Row>,
    hand: Option<String>,
    hand_from: u32,
}

/// A player and where the row is drawn.
struct Row {
    y: u32,
    player: Player,
    cards: String,
}

pub fn picture(view: &View<MessengerRabbits>) -> Picture {
    let choices = match view.moves.is_empty() {
        false => Choices::new(view, None),
        true => Choices::default(),
    };
    let map = Map::new(view, None, &choices);
    let map_height = map.height_at(f64::from(WIDTH)).round() as u32;
    let rows = Player::all(view, None, false).into_iter().zip((0..).map(|number| map_height + 62 + 66 * number));
    let row = |(player, y): (Player, u32)| {
        let cards = [player.pictures.as_str(), &player.capital].concat();
        Row { y, cards: playing_cards::row(&cards, 530, y + 8, 31, 34), player }
    };
    let players: Vec<Row> = rows.map(row).collect();
    let hand_from = map_height + 62 + 66 * players.len() as u32;
    let hand = Hand::new(view).filter(|_| !view.over);
    let hand = hand.map(|hand| {
        let cards: String = hand.stacks.iter().map(|stack| stack.pictures()).collect();
        let step = playing_cards::step(hand.count, HAND_CARD, WIDTH - 32);
        playing_cards::row(&cards, 16, hand_from + 36, HAND_CARD, step)
    });
    let height = match &hand {
        Some(cards) if cards.is_empty() => hand_from + 40,
        Some(_) => hand_from + 160,
        None => hand_from + 6,
    };
    let postcard = Postcard { map, map_height, prompt: Prompt::new(view, false), players, hand, hand_from };
    let alt = alt(view, &postcard);
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    drawing::picture(&DRAWINGS, (WIDTH, height), &postcard.render().unwrap_or_default(), alt)
}

fn alt(view: &View<MessengerRabbits>, postcard: &Postcard) -> String {
    let faces: Vec<String> = postcard.prompt.dice.iter().map(|die| die.face.to_string()).collect();
    let dice = if faces.is_empty() { String::new() } else { format!(" The dice show {}.", faces.join(" and ")) };
    let hand = match view.mine.as_ref().filter(|_| !view.over) {
        Some(mine) if mine.hand.is_empty() => " Your hand is empty.".to_owned(),
        Some(mine) => format!(" Your hand: {}.", mine.hand.in_words()),
        None => String::new(),
    };
    format!("{} {}.{dice}{hand}", postcard.map.label, postcard.prompt.title)
}
