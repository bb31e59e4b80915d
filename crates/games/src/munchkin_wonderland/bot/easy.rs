//! The easy bot: takes what is near, and spends what is cheap.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::super::moves::Move;
use super::super::place::Kind;
use super::super::treasure;
use super::Eyes;

/// Nothing stands for the default move.
pub fn choose(eyes: &Eyes, rng: &mut dyn Rng) -> Vec<Move> {
    if let Some(play) = eyes.better_friend() {
        return vec![play];
    }
    match eyes.prompt {
        "move" => go(eyes, rng).into_iter().collect(),
        "fight" => fight(eyes),
        "help" => vec![Move::Help],
        // The roll stands, a helper helps with die and Friends, the most Gold is taken and the least lost.
        _ => vec![],
    }
}

/// A Treasure if there is one, else the weakest monster that its Friends match, else anywhere but to a monster, else to the weakest.
fn go(eyes: &Eyes, mut rng: &mut dyn Rng) -> Option<Move> {
    let friends: u8 = eyes.friends().iter().map(|friend| friend.bonus()).sum();
    let places: Vec<((bool, u8), &Move)> = eyes
        .moves
        .iter()
        .filter_map(|mv| match mv {
            Move::Go(place) => Some((
                match place.kind() {
                    Kind::Treasure => (false, 0),
                    Kind::Room(room) | Kind::Monster(room) => (room.facts().power > friends, room.facts().power),
                    Kind::Entrance | Kind::Plain | Kind::Roll => (false, u8::MAX),
                },
                mv,
            )),
            _ => None,
        })
        .collect();
    let best = places.iter().map(|(rank, _)| *rank).min()?;
    let equal: Vec<&Move> = places.into_iter().filter(|(rank, _)| *rank == best).map(|(_, mv)| mv).collect();
    equal.choose(&mut rng).map(|mv| (*mv).clone())
}

/// Boosts from the lowest Gold up if together they suffice, else a call to everybody, else nothing but running.
fn fight(eyes: &Eyes) -> Vec<Move> {
    let Some(fight) = &eyes.table.fight else { return vec![] };
    let mut boosts: Vec<treasure::Treasure> =
        eyes.mine.hand.iter().copied().filter(|card| matches!(card.kind(), treasure::Kind::Boost { .. })).collect();
    boosts.sort_by_key(|card| card.gold());
    let mut used = vec![];
    let mut gained = 0;
    for card in boosts {
        used.push(Move::Use { card, on: None });
        gained += card.bonus_in(fight.room);
        if gained >= fight.gap() {
            return used;
        }
    }
    if fight.can_ask.is_empty() { vec![Move::Run] } else { vec![Move::Ask(fight.can_ask.clone())] }
}
