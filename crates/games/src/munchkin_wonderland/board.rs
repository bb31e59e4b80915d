//! The page of the game: the clock-face board as a picture with real controls laid over it, fights, hands and piles.
//!
//! What the page shows is built here as plain values; the templates only write them out.

mod begun;
mod control;
mod fight;
mod hand;
mod map;
mod people;
mod piles;
mod postcard;
mod prompt;
mod settling;
mod showpiece;
#[cfg(test)]
mod tests;
mod ways;

use askama::Template;

use self::begun::Begun;
use self::control::Control;
use self::fight::FightPanel;
use self::hand::Hand;
use self::map::Map;
use self::people::{People, Purse};
use self::piles::{Deck, Piles};
use self::prompt::Prompt;
use self::settling::Settling;
use self::ways::Way;
use super::MunchkinWonderland;
use super::moves::Move;
use wonderpost_rules::{Person, Scene, Seat, View, Viewer};

pub use self::postcard::picture;
pub use self::showpiece::showpiece;

/// The drawings that boards of this game refer to.
pub fn symbols() -> Vec<&'static str> {
    vec![postcard::emblems(), postcard::ground()]
}

/// The board in its parts, as HTML.
pub fn board(
    view: &View<MunchkinWonderland>,
    before: Option<&View<MunchkinWonderland>>,
    scene: &Scene,
) -> wonderpost_rules::Board {
    let board = Board::new(view, before, scene);
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    wonderpost_rules::Board {
        patterns: String::new(),
        picture: board.as_picture().render().unwrap_or_default(),
        controls: board.as_controls().render().unwrap_or_default(),
        hand: if board.hand.is_some() { board.as_hand().render().unwrap_or_default() } else { String::new() },
        details: board.as_details().render().unwrap_or_default(),
        seats: people::chips(&view.table),
    }
}

/// What the viewer is asked, in a sentence or two.
pub fn question(view: &View<MunchkinWonderland>) -> String {
    let me = view.mine.as_ref().map(|mine| mine.seat);
    let sight = Sight { view, moves: &view.moves, acts: true, me, begun: Begun::Nothing, ended_early: false };
    let Prompt { words, hint, .. } = Prompt::new(&sight);
    if hint.is_empty() { words } else { format!("{words} {hint}") }
}

/// What all parts of the page look at.
struct Sight<'a> {
    view: &'a View<MunchkinWonderland>,
    moves: &'a [Move],
    /// Whether the viewer can make a move here.
    acts: bool,
    /// The seat that the viewer holds.
    me: Option<Seat>,
    begun: Begun,
    ended_early: bool,
}

impl Sight<'_> {
    /// Somebody in a sentence for the viewer.
    fn person(&self, seat: Seat) -> Person {
        self.me.map_or(Viewer::Public, Viewer::Seat).person(seat)
    }
}

#[derive(Template)]
#[template(path = "munchkin-wonderland/board.html", blocks = ["picture", "controls", "hand", "details"])]
struct Board<'a> {
    /// Where moves are posted to, if the viewer can make one.
    post_to: Option<&'a str>,
    step: String,
    csrf: &'a str,
    draft: &'a str,
    prompt: Prompt,
    ways: Vec<Way>,
    map: Map,
    deck: Deck,
    fight: Option<FightPanel>,
    controls: Vec<Control>,
    settling: Option<Settling>,
    hand: Option<Hand>,
    people: People,
    purses: Vec<Purse>,
    piles: Piles,
}

impl<'a> Board<'a> {
    fn new(view: &View<MunchkinWonderland>, before: Option<&View<MunchkinWonderland>>, scene: &'a Scene) -> Board<'a> {
        let post_to = scene.post_to.as_deref().filter(|_| !view.moves.is_empty() && !scene.ended_early);
        let begun = match post_to {
            Some(_) => Begun::read(scene.begun.as_deref(), &view.table, &view.moves),
            None => Begun::Nothing,
        };
        let me = view.mine.as_ref().map(|mine| mine.seat);
        let ended_early = scene.ended_early;
        let moves = if ended_early { &[] } else { &view.moves[..] };
        let sight = Sight { view, moves, acts: post_to.is_some(), me, begun, ended_early };
        let ways = Way::all(&sight);
        Board {
            post_to,
            step: scene.step.clone(),
            csrf: &scene.csrf,
            draft: &scene.draft,
            prompt: Prompt::new(&sight),
            map: Map::new(&sight, before.map(|before| &before.table), &ways),
            deck: Deck::new(&view.table),
            fight: FightPanel::new(&sight),
            controls: fight::controls(&sight),
            settling: Settling::new(&sight),
            hand: Hand::new(&sight),
            people: People::new(&sight),
            purses: Purse::all(&sight),
            piles: Piles::new(&view.table),
            ways,
        }
    }
}
