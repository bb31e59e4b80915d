//! The cheapest cards that close a gap.

use super::super::moves::Move;
use super::super::odds::{Totals, prospects};
use super::super::room::Room;
use super::super::treasure::{Die, Kind, Treasure};
use super::super::view::{FightView, SideView};

/// How many cards are looked at together; a hand seldom holds more that are of use.
const MOST: usize = 11;

/// Something that closes so much of a gap for sure.
#[derive(Clone, Debug)]
struct Item {
    gain: u8,
    cost: f64,
    mv: Move,
}

/// What it takes to win, and what it costs in Gold.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub cost: f64,
    pub moves: Vec<Move>,
}

/// The worth of a card that is given away: its Gold, and a little for what else it might do.
pub fn price(card: Treasure) -> f64 {
    f64::from(card.gold()) + 0.15 * f64::from(card.bonus())
}

/// The cheapest set of cards that wins for sure.
pub fn cheapest(fight: &FightView, side: &SideView, hand: &[Treasure], gap: u8) -> Option<Plan> {
    best_set(items(fight, side, hand), gap)
}

fn items(fight: &FightView, side: &SideView, hand: &[Treasure]) -> Vec<Item> {
    let now = Totals::now(fight);
    let mut items: Vec<Item> = vec![];
    for card in hand {
        let forms = [None, fight.die.map(|_| fight.room)];
        let forms = if matches!(card.kind(), Kind::Changer { .. }) { &forms[..] } else { &forms[..1] };
        // The form that brings most; a die is turned over once only.
        let best = forms.iter().filter_map(|on| {
            let mv = Move::Use { card: *card, on: *on };
            match prospects(fight, side, &mv)[..] {
                [then] => Some((now.short().saturating_sub(then.short()).max(gain(now, then)), mv)),
                _ => None,
            }
        });
        let Some((gain, mv)) = best.max_by_key(|(gain, _)| *gain).filter(|(gain, _)| *gain > 0) else { continue };
        if turns_over(*card) && items.iter().any(|item| item.mv == mv) {
            continue;
        }
        items.push(Item { gain, cost: price(*card), mv });
    }
    // What turns a die over comes before what adds to it.
    items.sort_by_key(|item| !matches!(&item.mv, Move::Use { card, .. } if turns_over(*card)));
    items
}

/// How much closer the players come.
fn gain(now: Totals, then: Totals) -> u8 {
    let ours = then.ours.saturating_sub(now.ours);
    ours.saturating_add(now.theirs.saturating_sub(then.theirs))
}

/// Whether a second card of the kind would undo the first, or find nothing left to take.
fn turns_over(card: Treasure) -> bool {
    card.change_on(Die::Monster).is_some()
}

fn best_set(mut items: Vec<Item>, gap: u8) -> Option<Plan> {
    if items.len() > MOST {
        items.sort_by(|one, other| (one.cost / f64::from(one.gain)).total_cmp(&(other.cost / f64::from(other.gain))));
        items.truncate(MOST);
        items.sort_by_key(|item| !matches!(&item.mv, Move::Use { card, .. } if turns_over(*card)));
    }
    let mut best: Option<(f64, u32)> = None;
    for set in 0u32..1 << items.len() {
        let chosen = || items.iter().enumerate().filter(move |(place, _)| set & (1 << place) != 0);
        let gained: u32 = chosen().map(|(_, item)| u32::from(item.gain)).sum();
        let cost: f64 = chosen().map(|(_, item)| item.cost).sum();
        if gained >= u32::from(gap) && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, set));
        }
    }
    let (cost, set) = best?;
    let chosen = items.into_iter().enumerate().filter(|(place, _)| set & (1 << place) != 0);
    Some(Plan { cost, moves: chosen.map(|(_, item)| item.mv).collect() })
}

/// For each gap, what it would cost to close it in a Room with this hand; beyond hope where it cannot be done.
pub fn costs(room: Room, hand: &[Treasure]) -> [f64; 24] {
    let mut costs = [f64::INFINITY; 24];
    costs[0] = 0.0;
    for card in hand {
        let (gain, cost) = match card.kind() {
            Kind::Boost { .. } => (usize::from(card.bonus_in(room)), price(*card)),
            // A guess at what the die shows.
            Kind::Dice { .. } => (3, price(*card) + 0.5),
            Kind::Changer { .. } if card.change_on(Die::Fight).is_some() => (2, price(*card) + 0.3),
            Kind::Changer { .. } | Kind::Friend { .. } | Kind::Escape { .. } | Kind::Recover => continue,
        };
        for gap in (1..costs.len()).rev() {
            costs[gap] = costs[gap].min(costs[gap.saturating_sub(gain)] + cost);
        }
    }
    costs
}
