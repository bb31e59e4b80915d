//! The page of the game: the Queen's order and the cards, the sheets as pictures with real controls laid over them, and the hand.
//!
//! What the page shows is built here as plain values; the templates only write them out.

mod art;
mod bout;
mod choice;
mod hand;
mod party;
mod picture;
mod plan;
mod postcard;
mod prompt;
mod score;
mod sheets;
mod showpiece;
#[cfg(test)]
mod tests;

use askama::Template;

use self::bout::{Cards, Wonderland};
use self::choice::{Choices, Group};
use self::hand::Hand;
use self::plan::Plan;
use self::prompt::Prompt;
use self::score::{Scores, Shown};
use self::sheets::{Other, Own};
use super::OffWithTheirHeads;
use super::Phase;
use super::space::Zone;
use super::view::Made;
use crate::{drawing, playing_cards};
use wonderpost_rules::{Scene, Seat, View};

pub use self::postcard::picture;
pub use self::showpiece::showpiece;

/// The drawings that boards of this game refer to.
pub fn symbols() -> Vec<&'static str> {
    vec![playing_cards::symbols(), drawing::emblems(), art::art()]
}

/// The board in its parts, as HTML.
pub fn board(
    view: &View<OffWithTheirHeads>,
    before: Option<&View<OffWithTheirHeads>>,
    scene: &Scene,
) -> wonderpost_rules::Board {
    let board = Board::new(view, before, scene);
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    wonderpost_rules::Board {
        patterns: String::new(),
        picture: board.as_picture().render().unwrap_or_default(),
        controls: board.as_controls().render().unwrap_or_default(),
        hand: if board.hand.is_empty() { String::new() } else { board.as_hand().render().unwrap_or_default() },
        details: board.as_details().render().unwrap_or_default(),
        seats: view.table.players.iter().map(|player| sheets::chip(&player.sheet.0)).collect(),
    }
}

#[derive(Template)]
#[template(path = "off-with-their-heads/board.html", blocks = ["picture", "controls", "hand", "details"])]
struct Board<'a> {
    /// Where moves are posted to, if the viewer can make one.
    post_to: Option<&'a str>,
    step: String,
    csrf: &'a str,
    draft: &'a str,
    wonderland: Wonderland,
    cards: Cards,
    prompt: Prompt,
    hand: Hand,
    /// The card whose marks are being planned.
    plan: Option<Plan>,
    /// The cards of this round that everybody has seen, oldest first.
    discard: Vec<String>,
    undealt: usize,
    choices: Choices,
    groups: Vec<Group>,
    /// The viewer's own sheet.
    own: Option<Own>,
    others: Vec<Other>,
    scores: Scores,
    showdown: Vec<Shown>,
    /// What is new since the step before, in words.
    changes: Vec<String>,
    text: String,
}

impl<'a> Board<'a> {
    fn new(view: &View<OffWithTheirHeads>, before: Option<&View<OffWithTheirHeads>>, scene: &'a Scene) -> Board<'a> {
        let post_to = scene.post_to.as_deref().filter(|_| !view.moves.is_empty() && !scene.ended_early);
        let choices = match (post_to, &view.mine) {
            (Some(_), Some(mine)) => Choices::new(mine, &view.moves, scene.begun.as_deref()),
            _ => Choices::default(),
        };
        let own = view.mine.as_ref().map(|mine| {
            let made = if view.phase == Phase::Mark { &mine.made } else { &last_marks(view, mine.seat) };
            Own::new(&mine.sheet.0, made, &choices, first_zone(view))
        });
        Board {
            post_to,
            step: scene.step.clone(),
            csrf: &scene.csrf,
            draft: &scene.draft,
            wonderland: Wonderland::new(&view.table),
            cards: Cards::new(view),
            prompt: Prompt::new(view, &choices, scene.ended_early),
            hand: Hand::new(view, post_to.is_some()),
            plan: view
                .mine
                .as_ref()
                .filter(|_| post_to.is_some())
                .and_then(|mine| Plan::new(mine, &view.moves, scene.begun.as_deref())),
            discard: view.table.discard.iter().map(|card| playing_cards::small(*card, "")).collect(),
            undealt: view.table.deck,
            groups: choices.groups(),
            own,
            others: Other::all(view),
            scores: Scores::new(view),
            showdown: Shown::all(view),
            changes: before.map(|before| changes(before, view)).unwrap_or_default(),
            text: super::text::text(view),
            choices,
        }
    }
}

/// The zone that the viewer is asked about.
fn first_zone(view: &View<OffWithTheirHeads>) -> Option<Zone> {
    view.mine.as_ref()?.task.as_ref()?.zones.first().copied()
}

/// What a seat marked in the bout before.
fn last_marks(view: &View<OffWithTheirHeads>, seat: Seat) -> Vec<Made> {
    let last = view.table.last.as_ref();
    last.and_then(|last| last.marks.get(seat.index())).cloned().unwrap_or_default()
}

fn changes(before: &View<OffWithTheirHeads>, now: &View<OffWithTheirHeads>) -> Vec<String> {
    let mut changes = vec![];
    let own = now.mine.as_ref().map(|mine| mine.seat);
    if let (Some(before), Some(now)) = (&before.mine, &now.mine) {
        let own = picture::changes(&before.sheet.0, &now.sheet.0);
        changes.extend(own.into_iter().map(|change| format!("Your sheet: {change}")));
    }
    for (before, now) in before.table.players.iter().zip(&now.table.players).filter(|(_, now)| Some(now.seat) != own) {
        let others = picture::changes(&before.sheet.0, &now.sheet.0);
        changes.extend(others.into_iter().map(|change| format!("{}: {change}", now.seat.mark())));
    }
    if before.table.queen != now.table.queen {
        changes.push(format!("The Queen moved on to {}", super::cards::suit_name(now.table.queen.suit())));
    }
    changes
}
