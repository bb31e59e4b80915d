//! The page of the game: the map as one picture with real controls in it, the hand, the choices, the players and the piles.
//!
//! What the page shows is built here as plain values; the templates only write them out.

mod choice;
mod control;
mod drawing;
mod hand;
mod map;
mod players;
mod postcard;
mod route;
#[cfg(test)]
mod tests;
mod ticks;

use askama::Template;

use self::choice::Choices;
use self::hand::{Hand, Prompt};
use self::map::Map;
use self::players::{Court, Player};
use super::MessengerRabbits;
use super::text;
use crate::playing_cards;
use wonderpost_rules::{Scene, View};

pub use self::postcard::picture;

/// The board and all that goes with it, as HTML.
pub fn board(view: &View<MessengerRabbits>, before: Option<&View<MessengerRabbits>>, scene: &Scene) -> String {
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    Board::new(view, before, scene).render().unwrap_or_default()
}

#[derive(Template)]
#[template(path = "messenger-rabbits/board.html")]
struct Board<'a> {
    /// Where moves are posted to, if the viewer can make one.
    post_to: Option<&'a str>,
    step: String,
    csrf: &'a str,
    draft: &'a str,
    symbols: &'static str,
    prompt: Prompt,
    choices: Choices,
    map: Map,
    hand: Option<Hand>,
    players: Vec<Player>,
    court: Court,
    words: String,
}

impl<'a> Board<'a> {
    fn new(view: &View<MessengerRabbits>, before: Option<&View<MessengerRabbits>>, scene: &'a Scene) -> Board<'a> {
        let post_to = scene.post_to.as_deref().filter(|_| !view.moves.is_empty());
        let choices = match post_to {
            Some(_) => Choices::new(view, scene.begun.as_deref()),
            None => Choices::default(),
        };
        Board {
            post_to,
            step: scene.step.clone(),
            csrf: &scene.csrf,
            draft: &scene.draft,
            symbols: playing_cards::symbols(),
            prompt: Prompt::new(view, post_to.is_some()),
            map: Map::new(view, before, &choices),
            hand: Hand::new(view),
            players: Player::all(view, before),
            court: Court::new(&view.table),
            words: text::text(view),
            choices,
        }
    }
}
