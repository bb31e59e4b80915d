//! Bots. They see what a player sees.

mod aside;
mod decent;
mod easy;
mod value;

use super::chain::Chain;
use super::moves::Move;
use super::space::Zone;
use super::task::Task;
use super::{BOUTS, OffWithTheirHeads};
use wonderpost_rules::{Level, View};

/// What a bot does at this view.
pub fn bot(level: Level, view: &View<OffWithTheirHeads>, rng: &mut dyn rand::Rng) -> Vec<Move> {
    let Some(mine) = &view.mine else { return vec![] };
    match (&mine.task, level) {
        (Some(seen), Level::Easy) => easy::mark(&seen.task, &mine.sheet.0, rng).into_iter().collect(),
        (Some(seen), Level::Decent) => {
            // Of older bonus marks only the Red Keep's in the Woods can wait.
            let mut tasks = vec![Task::RedKeep { zone: Zone::Woods }; seen.then];
            tasks.push(seen.task);
            decent::mark(&Chain::with_tasks(mine.sheet.0, tasks), bouts_left(view))
        }
        (None, _) if mine.chosen.is_some() || view.over => vec![],
        (None, Level::Easy) => easy::choose(view.table.queen, mine.hand, rng).into_iter().collect(),
        (None, Level::Decent) => decent::choose(&view.table, mine, bouts_left(view)).into_iter().collect(),
    }
}

/// The bouts after this one.
fn bouts_left(view: &View<OffWithTheirHeads>) -> u8 {
    let table = &view.table;
    (table.rounds.saturating_sub(table.round)) * BOUTS + BOUTS.saturating_sub(table.bout)
}
