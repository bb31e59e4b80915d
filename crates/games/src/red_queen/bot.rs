//! Bots. They know what their view tells and nothing else.

mod companion;
mod queen;
#[cfg(test)]
mod tests;

use rand::RngExt;
use rand::seq::IndexedRandom;

use self::companion::Saving;
use super::combat::{Kind, is_killer};
use super::moves::Move;
use super::role::Role;
use super::{Phase, RedQueen};
use wonderpost_rules::{Card, Level, Rank, View};

/// What a bot does at this view.
pub fn bot(level: Level, view: &View<RedQueen>, rng: &mut dyn rand::Rng) -> Vec<Move> {
    let moves = &view.moves;
    // The discard order is the default's.
    if view.phase == Phase::Discard {
        return view.default.iter().cloned().collect();
    }
    let reigns = view.mine.is_some_and(|mine| mine.role == Role::RedQueen);
    let chosen = match (level, reigns) {
        (Level::Easy | Level::Middle, true) => easy_queen(moves, rng),
        (Level::Easy, false) => easy_companion(moves, rng),
        (Level::Decent, true) => queen::choose(view, moves),
        // The middle bot knows how to strip a coterie, but not what to save for the last blow.
        (Level::Middle, false) => companion::choose(view, moves, Saving::Nothing, rng),
        (Level::Decent, false) => companion::choose(view, moves, Saving::AKiller, rng),
    };
    // Whatever a bot has in mind, it makes a legal move or none.
    chosen.filter(|mv| moves.contains(mv)).or(moves.contains(&Move::End).then_some(Move::End)).into_iter().collect()
}

/// Places any card while a slot is empty, else draws.
fn easy_queen(moves: &[Move], mut rng: &mut dyn rand::Rng) -> Option<Move> {
    let places: Vec<&Move> = moves.iter().filter(|mv| matches!(mv, Move::Place { .. })).collect();
    places.choose(&mut rng).copied().cloned().or(Some(Move::Draw))
}

/// Slays if it can; otherwise draws, or attacks anybody with anything but a killer.
fn easy_companion(moves: &[Move], mut rng: &mut dyn rand::Rng) -> Option<Move> {
    if let Some(strike) = moves.iter().find(|mv| matches!(mv, Move::AttackQueen { .. })) {
        return Some(strike.clone());
    }
    let spare = |mv: &&Move| matches!(mv, Move::Attack { card, .. } if !is_killer(*card));
    let attacks: Vec<&Move> = moves.iter().filter(spare).collect();
    match attacks.choose(&mut rng) {
        Some(attack) if rng.random_bool(0.5) => Some((*attack).clone()),
        _ => Some(Move::Draw),
    }
}

/// How good a card is in a fight: numbers by rank, then court cards, Aces, jokers.
fn strength(card: Card) -> u8 {
    match (Kind::of(card), card) {
        (Kind::Number, Card::Plain(_, rank)) => rank as u8 + 2,
        (Kind::Number | Kind::Jack | Kind::Lady | Kind::King, _) => COURT,
        (Kind::Ace, _) => COURT + 1,
        (Kind::Joker, _) => COURT + 2,
    }
}

/// The strength of jacks, ladies and kings.
const COURT: u8 = Rank::Ten as u8 + 3;
