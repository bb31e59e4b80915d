//! Bots. They see what anybody in their seat sees, and nothing else.

mod decent;
mod easy;
mod plan;
#[cfg(test)]
mod tests;
mod worth;

use rand::Rng;

use super::MunchkinWonderland;
use super::moves::Move;
use super::treasure::Treasure;
use super::view::{PrivateView, PublicView};
use wonderpost_rules::{Level, View};

/// What a bot does at this view: moves to make one after the other as long as nothing new comes up.
pub fn bot(level: Level, view: &View<MunchkinWonderland>, rng: &mut dyn Rng) -> Vec<Move> {
    let (Some(mine), Some(prompt)) = (&view.mine, view.prompt) else { return vec![] };
    let eyes = Eyes { table: &view.table, mine, prompt, moves: &view.moves };
    let chosen = match level {
        Level::Easy => easy::choose(&eyes, rng),
        // The middle bot walks well, and fights as it comes.
        Level::Middle if matches!(prompt, "move" | "entrance") => decent::choose(&eyes, rng),
        Level::Middle => easy::choose(&eyes, rng),
        Level::Decent => decent::choose(&eyes, rng),
    };
    if chosen.is_empty() { eyes.default(view) } else { chosen }
}

/// What a bot sees.
struct Eyes<'a> {
    table: &'a PublicView,
    mine: &'a PrivateView,
    prompt: &'static str,
    moves: &'a [Move],
}

impl Eyes<'_> {
    /// What is made for somebody who says nothing.
    fn default(&self, view: &View<MunchkinWonderland>) -> Vec<Move> {
        view.default.iter().cloned().collect()
    }

    fn friends(&self) -> &[Treasure] {
        &self.table.friends[self.mine.seat.index()]
    }

    /// A Friend of the hand that is better company than what one has.
    fn better_friend(&self) -> Option<Move> {
        let plays = self.moves.iter().filter_map(|mv| match mv {
            Move::Play { friend, instead } => Some((friend.bonus(), instead.map_or(0, |old| old.bonus()), mv)),
            _ => None,
        });
        let gains = plays.filter(|(bonus, lost, _)| bonus > lost);
        gains.max_by_key(|(bonus, lost, _)| bonus - lost).map(|(_, _, mv)| mv.clone())
    }

    fn seats(&self) -> usize {
        self.table.places.len()
    }
}
