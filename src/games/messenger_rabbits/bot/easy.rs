//! The easy bot: claims what it can, hops along free roads, stays out of trouble.

use rand::seq::IndexedRandom;

use super::super::hexagon::{Hexagon, House, Place};
use super::super::moves::Move;
use super::sight::Sight;

pub fn choose(sight: &Sight, rng: &mut dyn rand::Rng) -> Option<Move> {
    match sight.phase {
        "build" => sight.moves.choose(&mut { rng }).copied(),
        "journey" => Some(journey(sight)),
        "visit" => Some(sight.claim().unwrap_or(Move::Done)),
        // Shows the first match, proves cheaply, and passes, yields, rolls and declines otherwise.
        _ => None,
    }
}

fn journey(sight: &Sight) -> Move {
    if sight.is_complete() {
        return nearer(sight, Hexagon::Citadel);
    }
    let points = |house: &House| sight.points(sight.hand, house.suit);
    // The house whose suit it holds most of, here or along a road.
    let here = sight.place().hexagon();
    let near: Vec<Hexagon> = sight.goes().chain(here).collect();
    let reached = sight.wanted().filter(|house| near.contains(&Hexagon::House(*house)));
    match reached.max_by_key(points) {
        Some(house) if here == Some(Hexagon::House(house)) => Move::Stay,
        Some(house) => Move::Go(Place::On(Hexagon::House(house))),
        None => match sight.wanted().max_by_key(points) {
            Some(house) => nearer(sight, Hexagon::House(house)),
            None => Move::Stay,
        },
    }
}

/// One free step nearer.
fn nearer(sight: &Sight, goal: Hexagon) -> Move {
    let steps = sight.moves.iter().filter_map(|mv| match mv {
        Move::Stay => Some((sight.distances(sight.place()).to(goal), *mv)),
        Move::Go(place @ (Place::On(_) | Place::Underground)) => Some((sight.distances(*place).to(goal), *mv)),
        _ => None,
    });
    steps.min_by_key(|(distance, _)| *distance).map_or(Move::Stay, |(_, mv)| mv)
}
