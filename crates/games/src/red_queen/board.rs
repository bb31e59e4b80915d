//! The page of the game: the Queen behind her coterie, the pile and the discards, and the viewer's hand.
//!
//! What the page shows is built here as plain values; the templates only write them out.

mod change;
mod choice;
mod court;
mod discards;
mod goals;
mod hand;
mod postcard;
mod prompt;
mod rounds;
mod seats;
mod showpiece;
#[cfg(test)]
mod tests;

use askama::Template;

use self::choice::Choice;
use self::court::Court;
use self::discards::Discards;
use self::goals::{Goal, goals};
use self::hand::Hand;
use self::prompt::Prompt;
use self::rounds::{Blow, Combat, Rounds};
use self::seats::{SeatLine, chips};
use super::RedQueen;
use super::text::table_in_words;
use super::words;
use crate::playing_cards;
use wonderpost_rules::{Scene, View};

pub use self::postcard::picture;
pub use self::showpiece::showpiece;

/// The drawings that boards of this game refer to.
pub fn symbols() -> Vec<&'static str> {
    vec![playing_cards::symbols()]
}

/// The board and all that goes with it, as HTML.
pub fn board(view: &View<RedQueen>, before: Option<&View<RedQueen>>, scene: &Scene) -> wonderpost_rules::Board {
    let page = Page::new(view, before, scene);
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    wonderpost_rules::Board {
        patterns: String::new(),
        picture: page.as_picture().render().unwrap_or_default(),
        controls: page.as_controls().render().unwrap_or_default(),
        hand: page.hand.as_ref().and_then(|_| page.as_hand().render().ok()).unwrap_or_default(),
        details: page.as_details().render().unwrap_or_default(),
        seats: chips(view),
    }
}

#[derive(Template)]
#[template(path = "red-queen/board.html", blocks = ["picture", "controls", "hand", "details"])]
struct Page<'a> {
    /// Where moves are posted to, if the viewer can make one.
    post_to: Option<&'a str>,
    step: String,
    csrf: &'a str,
    draft: &'a str,
    choice: Choice,
    prompt: Prompt,
    court: Court,
    goals: [Goal; 2],
    /// “Round 2” and “of 4” or “to 30 points”.
    round: (String, String),
    /// The last fight, or how the last round ended.
    blow: Option<Blow>,
    hand: Option<Hand>,
    seats: Vec<SeatLine>,
    discards: Discards,
    rounds: Rounds,
    combat: Combat,
    /// RQ-22, RQ-23: what else would end the round.
    killers: String,
    idle: (u16, u16),
    /// What is new since the step before, in words.
    changes: Vec<String>,
    text: String,
}

impl<'a> Page<'a> {
    fn new(view: &View<RedQueen>, before: Option<&View<RedQueen>>, scene: &'a Scene) -> Page<'a> {
        let table = &view.table;
        let post_to = scene.post_to.as_deref().filter(|_| !view.moves.is_empty());
        let choice = match post_to {
            Some(_) => Choice::new(view, scene.begun.as_deref()),
            None => Choice::default(),
        };
        let changes = before.map(|before| change::changes(view, before)).unwrap_or_default();
        Page {
            post_to,
            step: scene.step.clone(),
            csrf: &scene.csrf,
            draft: &scene.draft,
            prompt: Prompt::new(view, scene, &choice),
            court: Court::new(view, before, &choice),
            goals: goals(view),
            round: words::round_in_parts(table),
            blow: Blow::new(view, before),
            hand: Hand::new(view, before, &choice),
            seats: SeatLine::all(view, scene.ended_early),
            discards: Discards::new(table),
            rounds: Rounds::new(view),
            combat: Combat::new(),
            killers: words::killers_in_words(table),
            idle: (table.idle, 2 * u16::from(table.seats())),
            changes,
            text: table_in_words(view, scene.ended_early).join("\n"),
            choice,
        }
    }
}
