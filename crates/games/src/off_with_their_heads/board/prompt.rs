//! What the viewer is asked, in a line.

use super::super::OffWithTheirHeads;
use super::super::Phase;
use super::super::cards::{and, short};
use super::super::space::Zone;
use super::super::task::Task;
use super::super::view::PrivateView;
use super::choice::Choices;
use crate::playing_cards;
use wonderpost_rules::View;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    pub words: String,
    pub hint: &'static str,
    /// The card that is painted.
    pub card: Option<String>,
}

impl Prompt {
    pub fn new(view: &View<OffWithTheirHeads>, choices: &Choices, ended_early: bool) -> Prompt {
        let plain = |words: String| Prompt { words, ..Prompt::default() };
        if view.over {
            return plain(ended(view));
        }
        if ended_early {
            return plain(format!("The game stopped in round {}, bout {}.", view.table.round, view.table.bout));
        }
        let choosing = matches!(view.phase, Phase::Between | Phase::Choose);
        match (&view.mine, choosing) {
            (None, true) => plain("Everybody chooses a card in secret.".to_owned()),
            (None, false) => plain("Everybody paints. The sheets are shown when all are done.".to_owned()),
            (Some(mine), true) => Prompt::choosing(mine),
            (Some(mine), false) => Prompt::painting(mine, choices),
        }
    }

    fn choosing(mine: &PrivateView) -> Prompt {
        match mine.chosen {
            None => Prompt {
                words: "Choose a card.".to_owned(),
                hint: "The highest paints in the Meadow, the lowest in the Keep, the others in the Woods.",
                card: None,
            },
            Some(card) => Prompt {
                words: format!("You chose {}.", short(card)),
                hint: "All cards are shown when everybody has chosen.",
                card: None,
            },
        }
    }

    fn painting(mine: &PrivateView, choices: &Choices) -> Prompt {
        let Some(seen) = &mine.task else {
            return Prompt {
                words: "Your marks are made.".to_owned(),
                hint: "The sheets are shown when everybody has painted.",
                card: None,
            };
        };
        Prompt {
            words: task(&seen.task),
            hint: if choices.some_cost() { "A dashed rim costs a teacup." } else { "" },
            card: match seen.task {
                Task::Card { card, .. } => Some(playing_cards::small_silent(card, "")),
                Task::Repeat { .. } | Task::RedKeep { .. } => None,
            },
        }
    }
}

/// “Paint a red 9 in the Woods.”
fn task(task: &Task) -> String {
    let numbers = and(task.numbers().iter().map(u8::to_string).collect()).replace(" and ", " or ");
    let colour = task.colour().map_or("", |colour| colour.name());
    match task {
        Task::Card { zone, .. } => format!("Paint a {colour} {numbers} in the {}.", zone.name()),
        Task::Repeat { not_in, .. } => {
            let zones = Zone::ALL.iter().filter(|zone| *zone != not_in).map(|zone| format!("the {}", zone.name()));
            let zones = zones.collect::<Vec<_>>().join(" or ");
            format!("A biscuit! Paint the {colour} {numbers} again, in {zones}.")
        }
        Task::RedKeep { zone } => format!("The Red Keep! Paint any number in the {}.", zone.name()),
    }
}

fn ended(view: &View<OffWithTheirHeads>) -> String {
    let winner = view.winners.first().copied();
    let total = winner.and_then(|seat| view.scores.get(seat.index()).copied().flatten()).unwrap_or_default();
    let won = winner.is_some() && view.mine.as_ref().map(|mine| mine.seat) == winner;
    let wins = match winner {
        _ if won => "You win".to_owned(),
        Some(winner) => format!("{} wins", winner.mark()),
        None => "The game is over".to_owned(),
    };
    format!("{wins} with {total} VP. Off with the others' heads!")
}
