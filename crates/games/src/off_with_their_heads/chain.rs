//! OWH-30: what one player does in a bout, from the card's mark through all bonus marks to the end.
//!
//! A chain needs nothing but the player's own sheet, so each player works through theirs without the others.

use serde::{Deserialize, Serialize};

use super::layout::{Icon, ground};
use super::moves::Move;
use super::sheet::Sheet;
use super::space::{Place, Zone};
use super::task::{Mark, Task};
use wonderpost_rules::{Card, Refusal};

/// One step of a chain.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    Marked(Mark),
    /// OWH-11, OWH-16: the card's mark is lost, by itself or by choice.
    Lost {
        declined: bool,
    },
    /// A bonus mark was left.
    Skipped,
    /// A bonus mark fitted nowhere.
    Lapsed,
}

/// A sheet and what is still to be done on it in this bout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    pub sheet: Sheet,
    /// OWH-28: the newest last; that one is asked for.
    tasks: Vec<Task>,
    /// What was done in this bout, each with the task it answered.
    deeds: Vec<(Task, Deed)>,
}

impl Chain {
    /// A sheet at rest.
    pub fn rest(sheet: Sheet) -> Chain {
        Chain { sheet, tasks: vec![], deeds: vec![] }
    }

    /// A sheet with a card's mark to be made.
    pub fn of_card(sheet: Sheet, card: Card, zone: Zone) -> Chain {
        Chain { sheet, tasks: vec![Task::Card { card, zone }], deeds: vec![] }
    }

    /// A sheet with these tasks open, the newest last: as a player sees it who looks ahead.
    pub fn with_tasks(sheet: Sheet, tasks: Vec<Task>) -> Chain {
        Chain { sheet, tasks, deeds: vec![] }
    }

    /// The mark asked for.
    pub fn task(&self) -> Option<&Task> {
        self.tasks.last()
    }

    /// How many older bonus marks wait.
    pub fn waiting(&self) -> usize {
        self.tasks.len().saturating_sub(1)
    }

    pub fn is_done(&self) -> bool {
        self.tasks.is_empty()
    }

    pub fn deeds(&self) -> &[(Task, Deed)] {
        &self.deeds
    }

    /// The marks made in this bout.
    pub fn made(&self) -> impl Iterator<Item = &Mark> {
        self.deeds.iter().filter_map(|(_, deed)| match deed {
            Deed::Marked(mark) => Some(mark),
            Deed::Lost { .. } | Deed::Skipped | Deed::Lapsed => None,
        })
    }

    /// How many steps of this bout the player decided; the others happened by themselves.
    pub fn decisions(&self) -> usize {
        let decided = |deed: &Deed| match deed {
            Deed::Marked(mark) => !mark.only_way,
            Deed::Lost { declined } => *declined,
            Deed::Skipped => true,
            Deed::Lapsed => false,
        };
        self.deeds.iter().filter(|(_, deed)| decided(deed)).count()
    }

    pub fn legal_moves(&self) -> Vec<Move> {
        let Some(task) = self.task() else { return vec![] };
        let marks = task.marks(&self.sheet);
        marks.iter().map(|mark| task.say(mark)).chain(task.way_out(&marks)).collect()
    }

    /// What happens next without asking.
    pub fn by_itself(&self) -> Option<Deed> {
        let task = self.task()?;
        let marks = task.marks(&self.sheet);
        match (task, &marks[..]) {
            // OWH-11
            (Task::Card { .. }, []) => Some(Deed::Lost { declined: false }),
            // OWH-17: with a teacup to be spent on it there would be two ways.
            (Task::Card { .. }, [mark]) if mark.teacups() == 0 => Some(Deed::Marked(Mark { only_way: true, ..*mark })),
            // OWH-24, OWH-27
            (Task::Repeat { .. } | Task::RedKeep { .. }, []) => Some(Deed::Lapsed),
            (Task::Card { .. } | Task::Repeat { .. } | Task::RedKeep { .. }, _) => None,
        }
    }

    pub fn decide(&self, mv: Move) -> Result<Deed, Refusal> {
        let Some(task) = self.task() else { return Err(Refusal::new("Your marks of this bout are made.")) };
        let marks = task.marks(&self.sheet);
        match mv {
            Move::Play(_) => Err(Refusal::new("The cards of this bout are on the table. Now paint your mark.")),
            Move::Mark(marking) => {
                let found = marks.iter().find(|mark| task.say(mark) == mv);
                found.map(|mark| Deed::Marked(*mark)).ok_or_else(|| task.refuse(&self.sheet, &marking, &marks))
            }
            Move::Lose | Move::Skip if task.way_out(&marks) == Some(mv) => Ok(match mv {
                Move::Lose => Deed::Lost { declined: true },
                _ => Deed::Skipped,
            }),
            Move::Lose => Err(Refusal::new(match task {
                Task::Card { .. } => "Your mark can be made without a teacup, so it has to be made.",
                Task::Repeat { .. } | Task::RedKeep { .. } => "A bonus mark is left with “skip”.",
            })),
            Move::Skip => Err(Refusal::new("Only bonus marks can be skipped; this is your card's mark.")),
        }
    }

    /// Folds a step.
    pub fn apply(&mut self, deed: Deed) {
        let Some(task) = self.tasks.pop() else { return };
        self.deeds.push((task, deed));
        if let Deed::Marked(mark) = deed {
            // OWH-15: what the mark brings cannot be spent on it.
            self.sheet.spend(mark.teacups());
            let icon = self.sheet.icon(mark.space);
            self.sheet.paint(mark.space, mark.number);
            // OWH-24, OWH-25, OWH-26: the mark as made, in any zone but the biscuit's.
            if icon == Some(Icon::Biscuit) {
                self.tasks.push(Task::Repeat { number: mark.number, colour: mark.colour, not_in: mark.space.zone() });
            }
            // OWH-27, OWH-28: the Meadow first, then the Woods.
            if mark.space.place() == Place::Cell(ground().red_keep) {
                self.tasks.extend([Task::RedKeep { zone: Zone::Woods }, Task::RedKeep { zone: Zone::Meadow }]);
            }
        }
    }

    /// OWH-41: the move made when time runs out.
    pub fn default_move(&self) -> Option<Move> {
        let task = self.task()?;
        let marks = task.marks(&self.sheet);
        let mut free: Vec<&Mark> = marks.iter().filter(|mark| mark.teacups() == 0).collect();
        // Sheet order; for one space the greatest number first.
        free.sort_by_key(|mark| (mark.space, std::cmp::Reverse(mark.number)));
        let harmless = free.iter().find(|mark| !self.sheet.would_wake(mark.space, mark.number));
        match (harmless, task.way_out(&marks)) {
            (Some(mark), _) => Some(task.say(mark)),
            (None, Some(way_out)) => Some(way_out),
            (None, None) => free.first().map(|mark| task.say(mark)),
        }
    }
}
