//! The page of the game: the map as one picture with real controls in it, the hand, the choices, the players and the piles.
//!
//! What the page shows is built here as plain values; the templates only write them out.

mod choice;
mod control;
mod describe;
mod drawing;
mod hand;
mod map;
mod players;
mod postcard;
mod risk;
mod route;
mod showpiece;
#[cfg(test)]
mod tests;
mod ticks;
mod way;

use askama::Template;

use self::choice::Choices;
use self::hand::{Hand, Prompt};
use self::map::Map;
use self::players::{Court, Player, chips};
use super::MessengerRabbits;
use super::text;
use crate::playing_cards;
use wonderpost_rules::{Scene, View};

pub use self::describe::{asks_first, contest_risk, describe};
pub use self::hand::question;
pub use self::postcard::picture;
pub use self::showpiece::showpiece;

/// The drawings that boards of this game refer to.
pub fn symbols() -> Vec<&'static str> {
    vec![playing_cards::symbols(), postcard::symbols()]
}

/// The board and all that goes with it, as HTML.
pub fn board(
    view: &View<MessengerRabbits>,
    before: Option<&View<MessengerRabbits>>,
    scene: &Scene,
) -> wonderpost_rules::Board {
    let page = Page::new(view, before, scene);
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    wonderpost_rules::Board {
        patterns: postcard::lands().to_owned(),
        picture: page.as_picture().render().unwrap_or_default(),
        controls: page.as_controls().render().unwrap_or_default(),
        hand: page.hand.as_ref().map(|_| page.as_hand().render().unwrap_or_default()).unwrap_or_default(),
        details: page.as_details().render().unwrap_or_default(),
        seats: chips(view),
    }
}

/// Without what is said in brackets: there is little room beside the hand.
fn in_short(words: &str) -> &str {
    words.split_once(" (").map_or(words, |(plan, _)| plan)
}

#[derive(Template)]
#[template(path = "messenger-rabbits/board.html", blocks = ["picture", "controls", "hand", "details"])]
struct Page<'a> {
    /// Where moves are posted to, if the viewer can make one.
    post_to: Option<&'a str>,
    step: &'a str,
    csrf: &'a str,
    draft: &'a str,
    prompt: Prompt,
    choices: Choices,
    map: Map,
    round: u16,
    objective: &'static str,
    hand: Option<Hand>,
    /// What the viewer has left for contests.
    contest_plan: Option<&'a str>,
    players: Vec<Player>,
    court: Court,
    words: String,
}

impl<'a> Page<'a> {
    fn new(view: &View<MessengerRabbits>, before: Option<&View<MessengerRabbits>>, scene: &'a Scene) -> Page<'a> {
        let post_to = scene.post_to.as_deref().filter(|_| !view.moves.is_empty() && !scene.ended_early);
        let choices = match post_to {
            Some(_) => Choices::new(view, scene.begun.as_deref()),
            None => Choices::default(),
        };
        let plan = scene.planned.iter().find(|(prompt, _)| *prompt == "contest");
        Page {
            post_to,
            step: &scene.step,
            csrf: &scene.csrf,
            draft: &scene.draft,
            prompt: if scene.ended_early { Prompt::ended_early() } else { Prompt::new(view, post_to.is_some()) },
            map: Map::new(view, before, &choices),
            round: view.table.round,
            objective: view.table.options.objective.in_words(),
            hand: Hand::new(view),
            contest_plan: plan.filter(|_| !view.over && !scene.ended_early).map(|(_, words)| in_short(words)),
            players: Player::all(view, before, scene.ended_early),
            court: Court::new(&view.table),
            words: if scene.ended_early { text::stopped(view) } else { text::text(view) },
            choices,
        }
    }
}
