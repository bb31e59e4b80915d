//! The card and the marks that promise most, by what they make of the sheet.

use super::super::chain::{Chain, Deed};
use super::super::moves::Move;
use super::super::sheet::Sheet;
use super::super::space::{Place, Space, Zone};
use super::super::task::{Mark, Task};
use super::super::view::{PrivateView, PublicView};
use super::super::{ASIDE, cards::CardSet};
use super::value::{WEIGHTS, value};
use super::{BONUSES, aside};
use wonderpost_rules::Card;

/// What a bonus mark not looked at is worth.
const BONUS: f64 = 3.0;

/// The card whose marks promise most, weighed with the chance of each zone.
pub fn choose(table: &PublicView, mine: &PrivateView, left: u8) -> Option<Move> {
    let sheet = &mine.sheet.0;
    let keep = usize::from(ASIDE / table.rounds.max(1));
    let kept = aside::worth(mine.aside, mine.hand, keep);
    let unseen = unseen(table, mine);
    let promise = |card: Card| {
        let chances = chances(table, card, unseen);
        let marks: f64 = Zone::ALL
            .into_iter()
            .zip(chances)
            .filter(|(_, chance)| *chance > 0.0)
            .map(|(zone, chance)| chance * search(&Chain::of_card(*sheet, card, zone), left, BONUSES - 1).0)
            .sum();
        let mut rest = mine.hand;
        rest.remove(card);
        marks - (kept - aside::worth(mine.aside, rest, keep))
    };
    let best = mine.hand.iter().map(|card| (promise(card), card)).max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.map(|(_, card)| Move::Play(card))
}

/// The cards that may be in other hands.
fn unseen(table: &PublicView, mine: &PrivateView) -> CardSet {
    let seen: CardSet = table.discard.iter().copied().chain(table.face_up).collect();
    CardSet::ALL.without(seen).without(mine.hand).without(mine.aside)
}

/// The chances that a card is high, between or low, against random unseen cards.
fn chances(table: &PublicView, card: Card, unseen: CardSet) -> [f64; 3] {
    let strength = table.queen.strength(card);
    let weaker = unseen.iter().filter(|other| table.queen.strength(*other) < strength).count();
    let stronger = unseen.len() - weaker;
    let above = table.face_up.map(|other| table.queen.strength(other) > strength);
    let others = 3 - u32::from(above.is_some());
    let all_of = |number: usize| {
        (0..others as usize)
            .map(move |taken| number.saturating_sub(taken) as f64 / unseen.len().saturating_sub(taken).max(1) as f64)
    };
    let high = if above == Some(true) { 0.0 } else { all_of(weaker).product() };
    let low = if above == Some(false) { 0.0 } else { all_of(stronger).product() };
    [high, 1.0 - high - low, low]
}

/// The marks of a chain, as far as bonus marks are looked at.
pub fn mark(chain: &Chain, left: u8, bonuses: u8) -> Vec<Move> {
    search(chain, left, bonuses).1
}

/// The best that can be made of a chain, and how.
fn search(chain: &Chain, left: u8, depth: u8) -> (f64, Vec<Move>) {
    let mut chain = chain.clone();
    while let Some(deed) = chain.by_itself() {
        chain.apply(deed);
    }
    let Some(task) = chain.task().copied() else { return (value(&chain.sheet, left, &WEIGHTS), vec![]) };
    let marks = task.marks(&chain.sheet);
    let mut best = (f64::NEG_INFINITY, vec![]);
    let mut consider = |mv: Move, deed: Deed| {
        let mut next = chain.clone();
        next.apply(deed);
        let open = next.waiting() + usize::from(!next.is_done());
        let (worth, then) = match (open, depth) {
            (0, _) => (value(&next.sheet, left, &WEIGHTS), vec![]),
            (_, 0) => (value(&next.sheet, left, &WEIGHTS) + BONUS * open as f64, vec![]),
            (_, depth) => search(&next, left, depth - 1),
        };
        if worth > best.0 {
            best = (worth, [vec![mv], then].concat());
        }
    };
    for mark in marks.iter().filter(|mark| worth_a_look(&task, &chain.sheet, mark)) {
        consider(task.say(mark), Deed::Marked(*mark));
    }
    if let Some(mv) = task.way_out(&marks) {
        consider(mv, if mv == Move::Lose { Deed::Lost { declined: true } } else { Deed::Skipped });
    }
    best
}

/// Of the Red Keep's many numbers one a space will do: the first that stands neither in it nor beside it.
fn worth_a_look(task: &Task, sheet: &Sheet, mark: &Mark) -> bool {
    let Task::RedKeep { .. } = task else { return true };
    // Those that cards bring least often first.
    const RARE: [u8; 11] = [1, 11, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    let stands = |space: Space, number: u8| match space.place() {
        Place::Mushroom(index) => sheet.mushroom(index).contains(&number),
        Place::Tree(index) => sheet.beside_equal(index, number),
        Place::Cell(_) => false,
    };
    let good = RARE.into_iter().find(|number| !stands(mark.space, *number));
    good.is_none_or(|number| number == mark.number)
}
