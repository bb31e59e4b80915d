//! The decent Red Queen: guards first, then better guards, then draws, which bring the end of the pile nearer.

use super::super::RedQueen;
use super::super::combat::is_killer;
use super::super::coterie::Slot;
use super::super::moves::Move;
use super::{COURT, strength};
use wonderpost_rules::{Card, View};

/// A member that is weaker than this is weak.
const WEAK: u8 = 9;
/// The cards that may be held at the end of a turn.
const LIMIT: usize = 6;

/// A member with what is known of it.
struct Guard {
    slot: Slot,
    card: Card,
    up: bool,
    known: bool,
}

pub fn choose(view: &View<RedQueen>, moves: &[Move]) -> Option<Move> {
    let mine = view.mine?;
    let own = mine.coterie?;
    let guards: Vec<Guard> = Slot::ALL
        .into_iter()
        .zip(own.into_iter().zip(view.table.coterie))
        .filter_map(|(slot, (card, shown))| {
            let shown = shown?;
            Some(Guard { slot, card: card?, up: shown.up, known: shown.card.is_some() })
        })
        .collect();
    // A single killer stays in hand for the second; two would have won already.
    let best = mine.hand.iter().filter(|card| !is_killer(*card)).max_by_key(|card| strength(*card));
    if guards.len() < Slot::ALL.len() {
        let card = best.or(mine.hand.iter().next());
        return Some(card.map_or(Move::Draw, |card| Move::Place { card }));
    }
    better_guard(&guards, best)
        .or_else(|| unseen_guard(&guards, mine.hand.iter()))
        .or_else(|| hide(&guards, mine.hand.len(), moves))
        .or(Some(Move::Draw))
}

/// A court card or an Ace for the weakest member.
fn better_guard(guards: &[Guard], best: Option<Card>) -> Option<Move> {
    let card = best.filter(|card| strength(*card) >= COURT)?;
    let weakest = guards.iter().min_by_key(|guard| strength(guard.card))?;
    (strength(weakest.card) < WEAK).then_some(Move::Swap { slot: weakest.slot, card })
}

/// A card that nobody has seen for a known weak member that is no stronger: the attackers must guess again.
fn unseen_guard(guards: &[Guard], hand: impl Iterator<Item = Card>) -> Option<Move> {
    let known = guards.iter().filter(|guard| guard.known && strength(guard.card) < WEAK);
    let weakest = known.min_by_key(|guard| strength(guard.card))?;
    let equal = hand.filter(|card| !is_killer(*card) && strength(*card) >= strength(weakest.card));
    equal.min_by_key(|card| strength(*card)).map(|card| Move::Swap { slot: weakest.slot, card })
}

/// A strong member that has become known beside unknown ones is hidden among them, if drawing would only overfill the hand.
fn hide(guards: &[Guard], held: usize, moves: &[Move]) -> Option<Move> {
    let down = || guards.iter().filter(|guard| !guard.up);
    let strong_known = down().any(|guard| guard.known && strength(guard.card) >= COURT);
    let unknown = down().any(|guard| !guard.known);
    if held < LIMIT || !strong_known || !unknown {
        return None;
    }
    // The strongest goes where nobody would look for it first: anywhere but where it was seen.
    let now: Vec<Card> = down().map(|guard| guard.card).collect();
    let orders = moves.iter().filter(|mv| matches!(mv, Move::Shuffle { cards } if *cards != now));
    orders
        .max_by_key(|mv| match mv {
            Move::Shuffle { cards } => cards.iter().zip(&now).filter(|(card, before)| card != before).count(),
            _ => 0,
        })
        .cloned()
}
