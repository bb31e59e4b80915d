//! What is to be decided: the revealed card, what it does, and the question to the player; or how the game ended.

use super::super::WeAreNotAmused;
use super::super::card::{DeckCard, GardenCard};
use super::super::phase::{Ended, Verdict};
use super::super::view::PublicView;
use super::choice::Choices;
use super::garden::queen_face;
use wonderpost_rules::View;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The word of the card drawn beside it.
    pub card: Option<&'static str>,
    /// What is turned up, or the verdict.
    pub title: String,
    /// What the viewer is asked for, or how it ended; empty for one who only looks.
    pub line: String,
    /// What the card does.
    pub rule: Option<&'static str>,
    pub warning: Option<&'static str>,
    pub over: bool,
}

impl Prompt {
    /// `asked`: the viewer can make a move here. `ended_early`: nobody ever will.
    pub fn new(view: &View<WeAreNotAmused>, asked: bool, ended_early: bool, choices: &Choices) -> Prompt {
        let table = &view.table;
        let warning = match (table.last_chance, table.shuffles_left) {
            (false, _) => None,
            (true, 0) => {
                Some("Nothing was played last time round. If nothing is played this time either, the game is over.")
            }
            (true, _) => {
                Some("Nothing was played last time round. If nothing is played this time either, you are stuck.")
            }
        };
        if let Some(why) = table.ended {
            return Prompt::ended(table, why);
        }
        if ended_early {
            return Prompt::stopped(table);
        }
        let Some(card) = table.revealed else {
            return Prompt {
                card: None,
                title: if asked { "You are stuck." } else { "Stuck." }.to_owned(),
                line: if asked {
                    "The deck has come round with nothing to play. Shuffle the discard pile into the deck, or stop here."
                } else {
                    "The deck has come round with nothing to play."
                }
                .to_owned(),
                rule: None,
                warning: None,
                over: false,
            };
        };
        Prompt {
            card: Some(card.word()),
            title: turned_up(card).to_owned(),
            line: if asked { ask(table, card, choices) } else { String::new() },
            rule: Some(rule(card)),
            warning,
            over: false,
        }
    }

    /// The table was left before the game was over.
    fn stopped(table: &PublicView) -> Prompt {
        Prompt {
            card: Some(queen_face(table)),
            title: "The garden was left here".to_owned(),
            line: roses(table),
            rule: None,
            warning: None,
            over: true,
        }
    }

    fn ended(table: &PublicView, why: Ended) -> Prompt {
        let verdict = table.verdict.unwrap_or(Verdict::Lost);
        let roses = roses(table);
        let line = match why {
            Ended::Quit => format!("{roses} You stopped here."),
            Ended::Stuck => format!("{roses} The deck came round with nothing to play."),
            Ended::Surrounded if table.delivered > 0 => {
                format!("{roses} But the brambles close around her, and all is lost.")
            }
            Ended::Surrounded => "The brambles close around the Queen. No roses for her.".to_owned(),
            Ended::Delivered => "All twelve roses laid before the Queen.".to_owned(),
        };
        Prompt {
            card: Some(queen_face(table)),
            title: verdict.title().to_owned(),
            line,
            rule: None,
            warning: None,
            over: true,
        }
    }
}

fn roses(table: &PublicView) -> String {
    format!("{} of 12 roses laid before the Queen.", table.delivered)
}

fn turned_up(card: DeckCard) -> &'static str {
    match card {
        DeckCard::Alice => "Alice is turned up.",
        DeckCard::Bramble => "A Bramble is turned up.",
        DeckCard::Soldier => "A Soldier is turned up.",
        DeckCard::Gardener => "A Gardener is turned up.",
        DeckCard::Cat => "A Cheshire Cat is turned up.",
    }
}

/// What a card of the deck does.
pub const fn rule(card: DeckCard) -> &'static str {
    match card {
        DeckCard::Alice => "Alice picks a red rose with an open short edge.",
        DeckCard::Bramble => {
            "A Bramble must be planted. It stays until it has lost all its neighbours, and it blocks the way."
        }
        DeckCard::Soldier => {
            "Drives off a Queen's Soldier or Gardener with an open short edge; a Cheshire Cat beside it goes in its stead."
        }
        DeckCard::Gardener => {
            "Paints a white rose with an open short edge; a Queen's Gardener beside it is sent away instead, and the rose stays white."
        }
        DeckCard::Cat => "Makes a Queen's Cat with an open short edge vanish, or takes the place of the top discard.",
    }
}

fn ask(table: &PublicView, card: DeckCard, choices: &Choices) -> String {
    if let Some(cell) = choices.chosen {
        let guards = choices.targets.len();
        return match table.garden.card(cell) {
            Some(GardenCard::White) => {
                format!("{guards} of the Queen's Gardeners guard the rose at {cell}. Choose which one is sent away.")
            }
            Some(card) => {
                format!(
                    "The {} at {cell} has {guards} Cheshire Cats at its side. Choose which one vanishes.",
                    card.name()
                )
            }
            None => String::new(),
        };
    }
    let aim = !choices.targets.is_empty();
    let words = match card {
        DeckCard::Alice => "Choose a red rose to pick, or leave it.",
        DeckCard::Bramble => "Choose a gap to plant it in.",
        DeckCard::Soldier => "Choose whom to attack, or leave it.",
        DeckCard::Gardener => "Choose a rose to paint, or leave it.",
        DeckCard::Cat => {
            let top = table.discard.last().filter(|top| **top != DeckCard::Cat);
            return match (aim, top) {
                (true, Some(top)) => {
                    format!("Choose a Cat to make vanish, swap it for the {}, or leave it.", top.name())
                }
                (false, Some(top)) => format!("Swap it for the {}, or leave it.", top.name()),
                (_, None) => "Choose a Cat to make vanish, or leave it.".to_owned(),
            };
        }
    };
    words.to_owned()
}
