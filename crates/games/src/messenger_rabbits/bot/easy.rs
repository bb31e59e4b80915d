//! The easy bot: claims what it can, hops along free roads, stays out of trouble.

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::super::cards::Cards;
use super::super::claim::CLAIM;
use super::super::hexagon::{Hexagon, House, Place};
use super::super::moves::Move;
use super::super::payment::cheapness;
use super::super::phase::Action;
use super::super::phase::Phase;
use super::super::suits::suit_of;
use super::atlas::{Atlas, FAR};
use super::sight::Sight;
use wonderpost_rules::Card;

/// How often it goes elsewhere instead of waiting for cards.
const RESTLESS: f64 = 0.1;
/// How often it gives up the royal that it needs most.
const ANEW: f64 = 0.3;

pub fn choose(sight: &Sight, mut rng: &mut dyn rand::Rng) -> Option<Move> {
    match sight.phase {
        Phase::Build => sight.moves.choose(&mut rng).copied(),
        Phase::Discard(_) => discard(sight),
        Phase::Journey => journey(sight, rng),
        Phase::Visit => {
            let any = || sight.any_claim().filter(|_| is_stuck(sight));
            Some(sight.claim().or_else(any).unwrap_or(Move::Done))
        }
        // Now and then it starts all over: with the rest of a trio in other hands it would never get anywhere.
        Phase::Release(_) if !sight.is_complete() && rng.random_bool(ANEW) => sight.moves.choose(&mut rng).copied(),
        // Shows the first match, proves cheaply, and passes, yields, rolls and declines otherwise.
        _ => None,
    }
}

/// Whether nothing in the court would bring the trio nearer.
fn is_stuck(sight: &Sight) -> bool {
    !sight.is_complete() && sight.wanted().next().is_none()
}

fn journey(sight: &Sight, rng: &mut dyn rand::Rng) -> Option<Move> {
    if is_stuck(sight) {
        return sight.wander(rng);
    }
    let atlas = Atlas::new(&sight.table.board, sight.trail);
    if sight.is_complete() {
        return nearer(sight, &atlas, &[Hexagon::Citadel]).or_else(|| sight.roam(rng));
    }
    // The house whose suit it holds most of, here or along a road.
    let points = |house: &House| sight.points(sight.hand, house.suit);
    let here = sight.place().hexagon();
    let near: Vec<Hexagon> = sight.goes().chain(here).collect();
    let reached = sight.wanted().filter(|house| near.contains(&Hexagon::House(*house)));
    match reached.max_by_key(points) {
        // Others may hold all that it waits for: it does not wait for ever.
        Some(house) if points(&house) < CLAIM && rng.random_bool(RESTLESS) => sight.roam(rng),
        Some(house) if here == Some(Hexagon::House(house)) => Some(Move::Stay),
        Some(house) => Some(Move::Go(Place::On(Hexagon::House(house)))),
        None => {
            let mut wanted: Vec<House> = sight.wanted().collect();
            wanted.sort_by_key(|house| std::cmp::Reverse(points(house)));
            let wanted: Vec<Hexagon> = wanted.into_iter().map(Hexagon::House).collect();
            nearer(sight, &atlas, &wanted).or_else(|| sight.roam(rng))
        }
    }
}

/// The least card, of a suit that is not needed if there is one.
fn discard(sight: &Sight) -> Option<Move> {
    let needed = |card: Card| sight.wanted().any(|house| suit_of(card) == Some(house.suit));
    let singles = sight.moves.iter().filter_map(|mv| match mv {
        Move::Discard(cards) => (*cards & Cards::COMMON).first().map(|card| (card, *mv)),
        _ => None,
    });
    singles.min_by_key(|(card, _)| (needed(*card), sight.worths.of(*card))).map(|(_, mv)| mv)
}

/// One free step nearer to the first goal that roads lead to; without one, the cheapest ticket.
fn nearer(sight: &Sight, atlas: &Atlas, goals: &[Hexagon]) -> Option<Move> {
    let step = |goal: &Hexagon| {
        let steps = sight.moves.iter().filter_map(|mv| match mv {
            Move::Stay => Some((atlas.distance(sight.place(), *goal), *mv)),
            Move::Go(place @ (Place::On(_) | Place::Underground)) => Some((atlas.distance(*place, *goal), *mv)),
            _ => None,
        });
        steps.min_by_key(|(distance, _)| *distance).filter(|(distance, _)| *distance < FAR).map(|(_, mv)| mv)
    };
    let tickets = sight.moves.iter().filter_map(|mv| match mv {
        Move::Act(Action::Travel(_, to), Some(paid)) if goals.contains(to) => Some((*paid, *mv)),
        _ => None,
    });
    let plain = tickets.filter(|(paid, _)| (*paid & Cards::ROYALS).is_empty());
    let ticket = || plain.min_by_key(|(paid, _)| cheapness(*paid, &sight.worths)).map(|(_, mv)| mv);
    goals.iter().find_map(step).or_else(ticket)
}
