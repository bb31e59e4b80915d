//! The page of the game: the Queen behind her coterie, the pile and the discards, the seats, and the viewer's hand.
//!
//! What the page shows is built here as plain values; the templates only write them out.

mod change;
mod choice;
mod court;
mod discards;
mod hand;
mod postcard;
mod prompt;
mod rounds;
mod seats;
#[cfg(test)]
mod tests;

use askama::Template;

use self::choice::Choice;
use self::court::Court;
use self::discards::Discards;
use self::hand::Hand;
use self::prompt::Prompt;
use self::rounds::{Blow, Combat, Rounds};
use self::seats::SeatLine;
use super::RedQueen;
use super::text::text;
use crate::playing_cards;
use wonderpost_rules::{Scene, View};

pub use self::postcard::picture;

/// The board and all that goes with it, as HTML.
pub fn board(view: &View<RedQueen>, before: Option<&View<RedQueen>>, scene: &Scene) -> String {
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    Board::new(view, before, scene).render().unwrap_or_default()
}

#[derive(Template)]
#[template(path = "red-queen/board.html")]
struct Board<'a> {
    symbols: &'static str,
    /// Where moves are posted to, if the viewer can make one.
    post_to: Option<&'a str>,
    step: String,
    csrf: &'a str,
    draft: &'a str,
    choice: Choice,
    prompt: Prompt,
    court: Court,
    /// The last fight, or how the last round ended.
    blow: Option<Blow>,
    hand: Option<Hand>,
    seats: Vec<SeatLine>,
    discards: Discards,
    rounds: Rounds,
    combat: Combat,
    /// What is new since the step before, in words.
    changes: Vec<String>,
    text: String,
}

impl<'a> Board<'a> {
    fn new(view: &View<RedQueen>, before: Option<&View<RedQueen>>, scene: &'a Scene) -> Board<'a> {
        let post_to = scene.post_to.as_deref().filter(|_| !view.moves.is_empty());
        let choice = match post_to {
            Some(_) => Choice::new(view, scene.begun.as_deref()),
            None => Choice::default(),
        };
        let changes = before.map(|before| change::changes(view, before)).unwrap_or_default();
        Board {
            symbols: playing_cards::symbols(),
            post_to,
            step: scene.step.clone(),
            csrf: &scene.csrf,
            draft: &scene.draft,
            prompt: Prompt::new(view, post_to.is_some(), &choice),
            court: Court::new(view, before, &choice),
            blow: Blow::new(view, before),
            hand: Hand::new(view, before, &choice),
            seats: SeatLine::all(view),
            discards: Discards::new(&view.table),
            rounds: Rounds::new(view),
            combat: Combat::new(),
            changes,
            text: text(view),
            choice,
        }
    }
}
