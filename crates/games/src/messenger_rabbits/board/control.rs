//! The controls of the page: places on the map, buttons beside it, and groups of buttons.

use super::super::cards::Cards;
use super::super::hexagon::Hexagon;
use super::super::moves::Move;
use super::super::site::Site;
use crate::board_action::BoardAction;
use crate::playing_cards;
use wonderpost_rules::Card;

/// A place on the map that can be chosen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    Hexagon(Hexagon),
    Underground,
    Off,
    Site(Site),
}

/// A control on the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub spot: Spot,
    pub way: BoardAction<Move>,
    pub label: String,
    /// A word drawn on the map: what it costs.
    pub tag: String,
    pub free: bool,
}

/// A button beside the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub way: BoardAction<Move>,
    pub words: String,
    /// Cards drawn on it.
    pub cards: Vec<Card>,
    pub look: &'static str,
}

impl Item {
    pub(super) fn say(mv: &Move, words: impl Into<String>) -> Item {
        Item { way: BoardAction::Submit(mv.clone()), words: words.into(), cards: vec![], look: "" }
    }

    pub(super) fn begin(begun: impl Into<String>, words: impl Into<String>) -> Item {
        Item { way: BoardAction::Begin(begun.into()), words: words.into(), cards: vec![], look: "" }
    }

    pub(super) fn with(mut self, cards: Cards) -> Item {
        self.cards = cards.to_vec();
        self
    }

    pub(super) fn looking(mut self, look: &'static str) -> Item {
        self.look = look;
        self
    }

    /// The cards on the button as pictures; the words tell them as well.
    pub fn pictures(&self) -> String {
        self.cards.iter().map(|card| playing_cards::small_silent(*card, "")).collect()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    pub title: String,
    pub items: Vec<Item>,
    /// Those that are folded away: dearer payments.
    pub more: Vec<Item>,
}

/// So many payments are shown before the rest is folded away.
const SHOWN_PAYMENTS: usize = 6;

impl Group {
    pub(super) fn of(title: impl Into<String>, items: Vec<Item>) -> Group {
        Group { title: title.into(), items, more: vec![] }
    }

    pub(super) fn folded(mut self) -> Group {
        if self.items.len() > SHOWN_PAYMENTS + 1 {
            self.more = self.items.split_off(SHOWN_PAYMENTS);
        }
        self
    }
}
