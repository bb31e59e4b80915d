//! How close the Red Queen is to winning, as far as the viewer can know.

use super::super::RedQueen;
use super::super::card_set::CardSet;
use super::super::combat::{aces, killers};
use super::super::words;
use crate::playing_cards::{name, small_silent};
use wonderpost_rules::{Card, View, Viewer};

/// Cards of which she needs so many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub name: &'static str,
    /// How many she has, or needs.
    pub words: String,
    /// One more, and the round is hers.
    pub is_near: bool,
    pub badges: Vec<Badge>,
}

/// One of those cards, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Badge {
    pub picture: String,
    pub place: &'static str,
    pub label: String,
}

/// RQ-20: three Aces or two killers in hand and coterie together.
pub fn goals(view: &View<RedQueen>) -> [Goal; 2] {
    [goal(view, "Aces", aces(), 3), goal(view, "Killers", killers(), 2)]
}

fn goal(view: &View<RedQueen>, name: &'static str, of: CardSet, needed: usize) -> Goal {
    let gone: CardSet = view.table.discard.iter().copied().collect();
    let hers = hers(view).and(of);
    let reigns = words::viewer(view) == Viewer::Seat(view.table.queen);
    let words = match (reigns || view.over, hers.len()) {
        (true, number) => format!("{number} of {needed}"),
        (false, 0) => format!("{needed} win"),
        (false, known) => format!("{known} of {needed} known"),
    };
    let badges = of.iter().map(|card| Badge::new(card, gone.contains(card), hers.contains(card))).collect();
    Goal { name, words, is_near: !view.over && hers.len() + 1 == needed, badges }
}

impl Badge {
    fn new(card: Card, gone: bool, hers: bool) -> Badge {
        let (place, words) = match (gone, hers) {
            (true, _) => ("gone", ", discarded"),
            (false, true) => ("hers", ", the Red Queen’s"),
            (false, false) => ("", ""),
        };
        Badge { picture: small_silent(card, ""), place, label: format!("{}{words}", name(card)) }
    }
}

/// What the Red Queen has: all of it for herself and at the end, else what everybody has seen.
fn hers(view: &View<RedQueen>) -> CardSet {
    let table = &view.table;
    let queen = table.queen.index();
    if let (Some(mine), Some(coterie)) = (view.mine, view.mine.and_then(|mine| mine.coterie)) {
        return mine.hand.iter().chain(coterie.into_iter().flatten()).collect();
    }
    if let Some(revealed) = &table.revealed {
        let hand = revealed.hands.get(queen).copied().unwrap_or_default();
        return hand.iter().chain(revealed.coterie.into_iter().flatten()).collect();
    }
    let seen = table.seen.get(queen).copied().unwrap_or_default();
    let members = table.coterie.iter().flatten().filter_map(|shown| shown.card);
    seen.iter().chain(members).collect()
}
