//! The page of the game: the Wonderland board, the cards, and the sheets as pictures with real controls laid over them.
//!
//! What the page shows is built here as plain values; the templates only write them out.

mod art;
mod bout;
mod choice;
mod picture;
mod plan;
mod postcard;
mod score;
#[cfg(test)]
mod tests;

use askama::Template;

use self::bout::{Ask, Cards, HandCard, Wonderland};
use self::choice::{Choices, Group};
use self::picture::{Invited, Picture, Tag};
use self::plan::Plan;
use self::score::{Scores, Shown};
use super::OffWithTheirHeads;
use super::Phase;
use super::layout::layout;
use super::sheet::Sheet;
use super::space::Zone;
use super::view::Made;
use crate::playing_cards;
use wonderpost_rules::{Scene, Seat, View};

pub use self::postcard::picture;

/// The board and all that goes with it, as HTML.
pub fn board(view: &View<OffWithTheirHeads>, before: Option<&View<OffWithTheirHeads>>, scene: &Scene) -> String {
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    Board::new(view, before, scene).render().unwrap_or_default()
}

#[derive(Template)]
#[template(path = "off-with-their-heads/board.html")]
struct Board<'a> {
    /// Where moves are posted to, if the viewer can make one.
    post_to: Option<&'a str>,
    step: String,
    csrf: &'a str,
    draft: &'a str,
    playing_cards: &'static str,
    art: &'static str,
    wonderland: Wonderland,
    cards: Cards,
    ask: Ask,
    hand: Vec<HandCard>,
    /// The card whose marks are being planned.
    plan: Option<Plan>,
    /// The cards that the viewer has set aside.
    aside: Vec<String>,
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

/// A player's own sheet and what stands beside it.
struct Own {
    /// The zone in question first.
    pictures: Vec<Picture>,
    teacups: Vec<Tag>,
    available: u8,
    guests: Vec<Invited>,
    ladder: Vec<Rung>,
}

/// Points of the tea party for so many guests.
struct Rung {
    guests: usize,
    vp: u8,
    here: bool,
}

/// Somebody else's sheet.
struct Other {
    seat: Seat,
    vp: i64,
    hand: usize,
    aside: usize,
    guests: Vec<Invited>,
    guest_count: usize,
    available: u8,
    pictures: [Picture; 3],
}

impl<'a> Board<'a> {
    fn new(view: &View<OffWithTheirHeads>, before: Option<&View<OffWithTheirHeads>>, scene: &'a Scene) -> Board<'a> {
        let post_to = scene.post_to.as_deref().filter(|_| !view.moves.is_empty());
        let choices = match (post_to, &view.mine) {
            (Some(_), Some(mine)) => Choices::new(mine, &view.moves, scene.begun.as_deref()),
            _ => Choices::default(),
        };
        let seat = view.mine.as_ref().map(|mine| mine.seat);
        let own = view.mine.as_ref().map(|mine| {
            let made = if view.phase == Phase::Mark { &mine.made } else { &last_marks(view, mine.seat) };
            Own::new(&mine.sheet.0, made, &choices, first_zone(view))
        });
        let others = view.table.players.iter().filter(|player| Some(player.seat) != seat);
        Board {
            post_to,
            step: scene.step.clone(),
            csrf: &scene.csrf,
            draft: &scene.draft,
            playing_cards: playing_cards::symbols(),
            art: art::art(),
            wonderland: Wonderland::new(&view.table),
            cards: Cards::new(view),
            ask: Ask::new(view, post_to.is_some(), &choices),
            hand: HandCard::all(view, post_to.is_some()),
            plan: view
                .mine
                .as_ref()
                .filter(|_| post_to.is_some())
                .and_then(|mine| Plan::new(mine, &view.moves, scene.begun.as_deref())),
            aside: match &view.mine {
                Some(mine) if !view.over => mine.aside.iter().map(|card| playing_cards::small(card, "")).collect(),
                _ => vec![],
            },
            discard: view.table.discard.iter().map(|card| playing_cards::small(*card, "")).collect(),
            undealt: view.table.deck,
            groups: choices.groups(),
            own,
            others: others
                .map(|player| {
                    let sheet = &player.sheet.0;
                    Other {
                        seat: player.seat,
                        vp: view.scores.get(player.seat.index()).copied().flatten().unwrap_or_default(),
                        hand: player.hand,
                        aside: player.aside,
                        guests: picture::tea_party(sheet).into_iter().filter(|invited| invited.here).collect(),
                        guest_count: sheet.guests().len(),
                        available: sheet.available(),
                        pictures: picture::pictures(sheet, &last_marks(view, player.seat), None),
                    }
                })
                .collect(),
            scores: Scores::new(view),
            showdown: Shown::all(view),
            changes: before.map(|before| changes(before, view)).unwrap_or_default(),
            text: super::text::text(view),
            choices,
        }
    }
}

impl Own {
    fn new(sheet: &Sheet, made: &[Made], choices: &Choices, first: Option<Zone>) -> Own {
        let mut pictures = picture::pictures(sheet, made, Some(choices)).to_vec();
        pictures.sort_by_key(|picture| Some(picture.zone) != first);
        let guests = sheet.guests().len();
        Own {
            pictures,
            teacups: picture::teacups(sheet),
            available: sheet.available(),
            guests: picture::tea_party(sheet),
            ladder: layout()
                .tea_party_vp
                .iter()
                .enumerate()
                .map(|(number, vp)| Rung { guests: number, vp: *vp, here: number == guests })
                .collect(),
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
