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
#[cfg(test)]
mod tests;
mod ways;

use askama::Template;

use self::begun::Begun;
use self::fight::FightPanel;
use self::hand::Hand;
use self::map::Map;
use self::people::{People, Purse};
use self::piles::Piles;
use self::prompt::Prompt;
use self::settling::Settling;
use self::ways::Way;
use super::MunchkinWonderland;
use super::moves::Move;
use super::phase::Step;
use wonderpost_rules::{Scene, Seat, View};

pub use self::postcard::picture;

/// The board and all that goes with it, as HTML.
pub fn board(view: &View<MunchkinWonderland>, before: Option<&View<MunchkinWonderland>>, scene: &Scene) -> String {
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    Board::new(view, before, scene).render().unwrap_or_default()
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
}

#[derive(Template)]
#[template(path = "munchkin-wonderland/board.html")]
struct Board<'a> {
    /// Where moves are posted to, if the viewer can make one.
    post_to: Option<&'a str>,
    step: String,
    csrf: &'a str,
    draft: &'a str,
    /// Whether there is more to tell than the board shows: then it comes first.
    telling: bool,
    prompt: Prompt,
    ways: Vec<Way>,
    map: Map,
    fight: Option<FightPanel>,
    settling: Option<Settling>,
    hand: Option<Hand>,
    people: People,
    purses: Vec<Purse>,
    piles: Piles,
}

impl<'a> Board<'a> {
    fn new(view: &View<MunchkinWonderland>, before: Option<&View<MunchkinWonderland>>, scene: &'a Scene) -> Board<'a> {
        let post_to = scene.post_to.as_deref().filter(|_| !view.moves.is_empty());
        let begun = match post_to {
            Some(_) => Begun::read(scene.begun.as_deref(), &view.table, &view.moves),
            None => Begun::Nothing,
        };
        let me = view.mine.as_ref().map(|mine| mine.seat);
        let sight = Sight { view, moves: &view.moves, acts: post_to.is_some(), me, begun };
        let ways = Way::all(&sight);
        Board {
            post_to,
            step: scene.step.clone(),
            csrf: &scene.csrf,
            draft: &scene.draft,
            telling: view.table.fight.is_some()
                || view.table.share.is_some()
                || view.phase == Step::Discard
                || view.over,
            prompt: Prompt::new(&sight),
            map: Map::new(&sight, before.map(|before| &before.table), &ways),
            fight: FightPanel::new(&sight),
            settling: Settling::new(&sight),
            hand: Hand::new(&sight),
            people: People::new(&sight),
            purses: Purse::all(&sight),
            piles: Piles::new(&view.table),
            ways,
        }
    }
}
