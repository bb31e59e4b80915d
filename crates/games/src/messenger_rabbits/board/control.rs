//! The controls of the page: places on the map, buttons beside it, and groups of buttons.

use super::super::cards::Cards;
use super::super::hexagon::{Hexagon, Kind};
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

/// A journey whose way is drawn while its controls are pointed at; the stylesheet knows numbers up to 13.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Track {
    pub number: usize,
    pub mv: Move,
    /// Drawn whether or not anything points at it.
    pub always: bool,
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
    pub track: Option<usize>,
}

/// A button beside the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub way: BoardAction<Move>,
    /// What is written on it.
    pub words: String,
    /// What it does, for those who listen; nothing if the words say it all.
    pub spoken: String,
    /// Cards drawn on it.
    pub cards: Vec<Card>,
    /// What kind of place it leads to.
    pub emblem: Option<&'static str>,
    /// By what it leads there.
    pub icons: Vec<&'static str>,
    /// What stands against a visit.
    pub risk: String,
    pub look: &'static str,
    pub track: Option<usize>,
}

impl Item {
    fn new(way: BoardAction<Move>, words: String) -> Item {
        Item {
            way,
            words,
            spoken: String::new(),
            cards: vec![],
            emblem: None,
            icons: vec![],
            risk: String::new(),
            look: "",
            track: None,
        }
    }

    pub(super) fn say(mv: &Move, words: impl Into<String>) -> Item {
        Item::new(BoardAction::Submit(*mv), words.into())
    }

    pub(super) fn begin(begun: impl Into<String>, words: impl Into<String>) -> Item {
        Item::new(BoardAction::Begin(begun.into()), words.into())
    }

    pub(super) fn with(mut self, cards: Cards) -> Item {
        self.cards = cards.to_vec();
        self
    }

    pub(super) fn looking(mut self, look: &'static str) -> Item {
        self.look = look;
        self
    }

    pub(super) fn spoken(mut self, words: impl Into<String>) -> Item {
        self.spoken = words.into();
        self
    }

    pub(super) fn on_track(mut self, number: usize) -> Item {
        self.track = Some(number);
        self
    }

    /// The cards on the button as pictures; the words tell them as well.
    pub fn pictures(&self) -> String {
        self.cards.iter().map(|card| playing_cards::small_silent(*card, "")).collect()
    }
}

/// The drawing of a hexagon.
pub fn emblem(hexagon: Hexagon) -> &'static str {
    match hexagon {
        Hexagon::Citadel => "home-citadel",
        Hexagon::House(house) => match house.kind {
            Kind::Tower => "home-tower",
            Kind::Palace => "home-palace",
            Kind::Plaza => "home-plaza",
        },
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    pub title: String,
    pub items: Vec<Item>,
    /// Those that are folded away: dearer payments.
    pub more: Vec<Item>,
}

/// How many payments are shown before the rest is folded away.
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
