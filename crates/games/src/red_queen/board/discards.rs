//! The discards as an open fan.

use super::super::card_set::CardSet;
use super::super::combat::{Kind, worth};
use super::super::view::PublicView;
use crate::playing_cards::small;
use wonderpost_rules::Card;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discards {
    pub count: usize,
    pub fans: Vec<Fan>,
}

/// The discards of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fan {
    pub name: &'static str,
    pub cards: Vec<String>,
}

impl Discards {
    pub fn new(table: &PublicView) -> Discards {
        let gone: CardSet = table.discard.iter().copied().collect();
        Discards {
            count: table.discard.len(),
            fans: Kind::ALL.into_iter().filter_map(|kind| Fan::new(kind, gone)).collect(),
        }
    }
}

impl Fan {
    fn new(kind: Kind, gone: CardSet) -> Option<Fan> {
        let mut cards: Vec<Card> = gone.iter().filter(|card| Kind::of(*card) == kind).collect();
        cards.sort_by_key(|card| worth(*card));
        let name = match kind {
            Kind::Number => "Numbers",
            Kind::Jack => "Jacks",
            Kind::Lady => "Ladies",
            Kind::King => "Kings",
            Kind::Ace => "Aces",
            Kind::Joker => "Jokers",
        };
        let cards: Vec<String> = cards.into_iter().map(|card| small(card, "")).collect();
        (!cards.is_empty()).then_some(Fan { name, cards })
    }
}
