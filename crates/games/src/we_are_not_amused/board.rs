//! The page of the game: the garden as a picture with real controls laid over it, the card turned up, the deck and the piles.
//!
//! What the page shows is built here as plain values; the templates only write them out.

mod choice;
mod garden;
mod pile;
mod postcard;
mod prompt;
mod showpiece;
#[cfg(test)]
mod tests;
mod way;

use askama::Template;

use self::choice::Choices;
use self::garden::Picture;
use self::pile::{Piles, Strip};
use self::prompt::Prompt;
use super::WeAreNotAmused;
use super::card::DeckCard;
use crate::drawing;
use wonderpost_rules::{Scene, View};

pub use self::postcard::picture;
pub use self::showpiece::showpiece;

/// What the viewer is asked, in a sentence or two.
pub fn question(view: &View<WeAreNotAmused>) -> String {
    let choices = Choices::new(&view.table, &view.moves, None);
    let Prompt { title, line, warning, .. } = Prompt::new(view, true, false, &choices);
    let parts = [title, line, warning.unwrap_or_default().to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The drawings that boards of this game refer to.
pub fn symbols() -> Vec<&'static str> {
    vec![drawing::emblems()]
}

/// The board and all that goes with it, as HTML.
pub fn board(
    view: &View<WeAreNotAmused>,
    before: Option<&View<WeAreNotAmused>>,
    scene: &Scene,
) -> wonderpost_rules::Board {
    let page = Page::new(view, before, scene);
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    wonderpost_rules::Board {
        patterns: String::new(),
        picture: page.as_garden().render().unwrap_or_default(),
        controls: page.as_controls().render().unwrap_or_default(),
        // The deck is everybody's to see.
        hand: String::new(),
        details: page.as_details().render().unwrap_or_default(),
        seats: vec![],
    }
}

#[derive(Template)]
#[template(path = "we-are-not-amused/board.html", blocks = ["garden", "controls", "details"])]
struct Page<'a> {
    /// Where moves are posted to, if the viewer can make one.
    post_to: Option<&'a str>,
    step: String,
    csrf: &'a str,
    draft: &'a str,
    prompt: Prompt,
    choices: Choices,
    picture: Picture,
    strip: Strip,
    piles: Piles,
    /// What each card of the deck does.
    rules: [(DeckCard, &'static str); 5],
}

impl<'a> Page<'a> {
    fn new(view: &View<WeAreNotAmused>, before: Option<&View<WeAreNotAmused>>, scene: &'a Scene) -> Page<'a> {
        let post_to = scene.post_to.as_deref().filter(|_| !view.moves.is_empty());
        let choices = match post_to {
            Some(_) => Choices::new(&view.table, &view.moves, scene.begun.as_deref()),
            None => Choices::default(),
        };
        let picture = Picture::new(&view.table, before.map(|before| &before.table.garden), &choices);
        let over = view.over || scene.ended_early;
        Page {
            post_to,
            step: scene.step.clone(),
            csrf: &scene.csrf,
            draft: &scene.draft,
            prompt: Prompt::new(view, post_to.is_some(), scene.ended_early, &choices),
            picture: if over { picture.without_way() } else { picture },
            strip: Strip::new(&view.table, view.phase),
            piles: Piles::new(&view.table, scene.ended_early),
            rules: DeckCard::ALL.map(|card| (card, prompt::rule(card))),
            choices,
        }
    }
}
