//! Bots. They see what a player sees.

mod aside;
mod best;
mod value;

use rand::Rng;
use rand::seq::IndexedRandom;

use super::cards::CardSet;
use super::chain::Chain;
use super::moves::Move;
use super::space::Zone;
use super::task::Task;
use super::wonderland::Queen;
use super::{BOUTS, OffWithTheirHeads};
use wonderpost_rules::{Card, Level, View};

/// How many bonus marks ahead are looked at one by one.
const BONUSES: u8 = 2;
/// How many bouts ahead the middle bot looks.
const SHORT_SIGHT: u8 = 2;

/// What a bot does at this view.
pub fn bot(level: Level, view: &View<OffWithTheirHeads>, rng: &mut dyn Rng) -> Vec<Move> {
    let Some(mine) = &view.mine else { return vec![] };
    // All value a sheet alike. The easy bot takes bonus marks as they come, the middle one hurries: it makes nothing of what would be
    // finished later.
    let (bouts, bonuses) = match level {
        Level::Easy => (bouts_left(view), 0),
        Level::Middle => (bouts_left(view).min(SHORT_SIGHT), BONUSES),
        Level::Decent => (bouts_left(view), BONUSES),
    };
    match (&mine.task, level) {
        (Some(seen), _) => {
            // Of older bonus marks only the Red Keep's in the Woods can wait.
            let mut tasks = vec![Task::RedKeep { zone: Zone::Woods }; seen.then];
            tasks.push(seen.task);
            best::mark(&Chain::with_tasks(mine.sheet.0, tasks), bouts, bonuses)
        }
        (None, _) if mine.chosen.is_some() || view.over => vec![],
        (None, Level::Easy) => any_card(view.table.queen, mine.hand, rng).into_iter().collect(),
        (None, Level::Middle | Level::Decent) => best::choose(&view.table, mine, bouts).into_iter().collect(),
    }
}

/// A random card of the middle half of the hand.
fn any_card(queen: Queen, hand: CardSet, rng: &mut dyn Rng) -> Option<Move> {
    let ranked: Vec<Card> = queen.rank(hand);
    let quarter = ranked.len() / 4;
    ranked[quarter..ranked.len() - quarter].choose(rng).map(|card| Move::Play(*card))
}

/// The bouts after this one.
fn bouts_left(view: &View<OffWithTheirHeads>) -> u8 {
    let table = &view.table;
    (table.rounds.saturating_sub(table.round)) * BOUTS + BOUTS.saturating_sub(table.bout)
}
