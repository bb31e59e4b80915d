//! The decent companion: digs for a killer and keeps it, and strips the coterie with all else.

use rand::seq::IndexedRandom;

use super::super::RedQueen;
use super::super::card_set::CardSet;
use super::super::combat::{Fight, fight, is_killer, killers, worth};
use super::super::coterie::Slot;
use super::super::moves::Move;
use super::strength;
use wonderpost_rules::{Card, View};

/// From this strength on a card is worth an attack on the unknown.
const FIRM: u8 = 8;
/// With so many cards in hand there are some to spare.
const MANY: usize = 4;
/// With no more cards than this in the pile there is no time to lose.
const LATE: usize = 6;

/// What is never spent on a member.
#[derive(Copy, Clone)]
pub enum Saving {
    Nothing,
    AKiller,
}

pub fn choose(view: &View<RedQueen>, moves: &[Move], saving: Saving, rng: &mut dyn rand::Rng) -> Option<Move> {
    let table = &view.table;
    let hand = view.mine?.hand;
    let strike = |mv: &&Move| matches!(mv, Move::AttackQueen { .. });
    if let Some(strike) = moves.iter().find(strike) {
        return Some(strike.clone());
    }
    let members: Vec<(Slot, Option<Card>)> =
        Slot::ALL.into_iter().zip(table.coterie).filter_map(|(slot, shown)| Some((slot, shown?.card))).collect();
    // The last card would lose the round.
    let draw = if table.pile > 1 { Move::Draw } else { Move::End };
    let gap = members.len() < Slot::ALL.len();
    // Nobody follows before the Red Queen refills: without enough actions to strip her alone it is better to dig.
    let last = table.turn.is_some_and(|turn| turn.next(table.seats()) == table.queen);
    let in_vain = last && members.len() > usize::from(table.actions);
    if in_vain && hand.len() <= MANY && table.pile > LATE {
        return Some(draw);
    }
    if members.is_empty() || !(hand.len() >= MANY || gap || table.pile <= 1) {
        return Some(draw);
    }
    Some(attack(&members, spare(hand, saving), rng).unwrap_or(draw))
}

/// All cards, or all but one killer, the one that is worth least in a fight.
fn spare(hand: CardSet, saving: Saving) -> CardSet {
    let kept = match saving {
        Saving::Nothing => None,
        Saving::AKiller => hand.and(killers()).iter().min_by_key(|card| (strength(*card), worth(*card))),
    };
    hand.without(kept.into_iter().collect())
}

fn attack(members: &[(Slot, Option<Card>)], spare: CardSet, mut rng: &mut dyn rand::Rng) -> Option<Move> {
    // A known member: the cheapest card that wins.
    let known = members.iter().filter_map(|(slot, member)| Some((*slot, (*member)?)));
    let sure = known.flat_map(|(slot, member)| {
        let winning = spare.iter().filter(move |card| fight(*card, member) == Fight::Win);
        winning.map(move |card| (slot, card))
    });
    if let Some((slot, card)) = sure.min_by_key(|(_, card)| (is_killer(*card), strength(*card), worth(*card))) {
        return Some(Move::Attack { slot, card });
    }
    // An unknown one: the best card there is.
    let unknown: Vec<Slot> = members.iter().filter(|(_, member)| member.is_none()).map(|(slot, _)| *slot).collect();
    let slot = *unknown.choose(&mut rng)?;
    let card = spare.iter().filter(|card| strength(*card) >= FIRM).max_by_key(|card| strength(*card))?;
    Some(Move::Attack { slot, card })
}
