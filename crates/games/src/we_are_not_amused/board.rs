//! The page of the game: the garden as a picture with real controls laid over it, the card in hand, the deck and the piles.
//!
//! What the page shows is built here as plain values; the templates only write them out.

mod choice;
mod garden;
mod hand;
mod pile;
mod postcard;
#[cfg(test)]
mod tests;

use askama::Template;

use self::choice::Choices;
use self::garden::Picture;
use self::hand::Hand;
use self::pile::{Piles, Strip};
use super::WeAreNotAmused;
use wonderpost_rules::{Scene, View};

pub use self::postcard::picture;

/// The board and all that goes with it, as HTML.
pub fn board(view: &View<WeAreNotAmused>, before: Option<&View<WeAreNotAmused>>, scene: &Scene) -> String {
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    Board::new(view, before, scene).render().unwrap_or_default()
}

#[derive(Template)]
#[template(path = "we-are-not-amused/board.html")]
struct Board<'a> {
    /// Where moves are posted to, if the viewer can make one.
    post_to: Option<&'a str>,
    step: String,
    csrf: &'a str,
    draft: &'a str,
    hand: Hand,
    choices: Choices,
    picture: Picture,
    strip: Strip,
    piles: Piles,
}

impl<'a> Board<'a> {
    fn new(view: &View<WeAreNotAmused>, before: Option<&View<WeAreNotAmused>>, scene: &'a Scene) -> Board<'a> {
        let post_to = scene.post_to.as_deref().filter(|_| !view.moves.is_empty());
        let choices = match post_to {
            Some(_) => Choices::new(&view.table, &view.moves, scene.begun.as_deref()),
            None => Choices::default(),
        };
        Board {
            post_to,
            step: scene.step.clone(),
            csrf: &scene.csrf,
            draft: &scene.draft,
            hand: Hand::new(view, post_to.is_some(), &choices),
            picture: Picture::new(&view.table, before.map(|before| &before.table.garden), &choices),
            strip: Strip::new(&view.table, view.phase),
            piles: Piles::new(&view.table),
            choices,
        }
    }
}
