//! Bots. They know what their view shows and nothing else.

mod atlas;
mod decent;
mod easy;
mod plan;
mod sight;

use self::decent::Tickets;
use self::sight::Sight;
use super::MessengerRabbits;
use super::moves::Move;
use super::phase::Phase;
use wonderpost_rules::{Level, View};

pub fn bot(level: Level, view: &View<MessengerRabbits>, rng: &mut dyn rand::Rng) -> Vec<Move> {
    let chosen = Sight::new(view).and_then(|sight| match level {
        Level::Easy => easy::choose(&sight, rng),
        // The middle bot plans its journeys, but holds on to its cards: it buys no tickets, and fights, flies and contests as little as
        // the easy one.
        Level::Middle if sight.phase == Phase::Journey => decent::journey(&sight, Tickets::Never, rng),
        Level::Middle => easy::choose(&sight, rng),
        Level::Decent => decent::choose(&sight, rng),
    });
    chosen.or(view.default).into_iter().collect()
}
