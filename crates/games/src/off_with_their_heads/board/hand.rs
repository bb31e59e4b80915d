//! The viewer's hand as a strip, highest first, with the open card at its place between the others.

use super::super::OffWithTheirHeads;
use super::super::Phase;
use super::super::cards::short;
use super::super::space::Zone;
use crate::playing_cards;
use wonderpost_rules::{Card, View};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hand {
    pub cards: Vec<HandCard>,
    /// The cards that the viewer has set aside.
    pub aside: Vec<String>,
    /// Whether a card can be played now.
    pub playable: bool,
    /// Whether something else is asked for, so that the hand may stand back.
    pub painting: bool,
}

/// A card of the hand, or the open one among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandCard {
    pub picture: String,
    pub name: String,
    /// The move that plays it, if it can be played now.
    pub say: Option<String>,
    pub chosen: bool,
    /// Where it would paint if no other card came than the open one.
    pub zone: Option<Zone>,
    /// The open card: no card of the hand.
    pub open: bool,
}

impl Hand {
    pub fn new(view: &View<OffWithTheirHeads>, asked: bool) -> Hand {
        let Some(mine) = &view.mine else { return Hand::default() };
        let playable = asked && view.prompt == Some("choose");
        let choosing = matches!(view.phase, Phase::Between | Phase::Choose);
        let queen = view.table.queen;
        let open = view.table.face_up.filter(|_| choosing && !mine.hand.is_empty());
        let zone = |card: Card| {
            let above = queen.strength(card) > queen.strength(open?);
            Some(if above { Zone::Meadow } else { Zone::Keep })
        };
        let held = |card: Card| HandCard {
            picture: playing_cards::silent(card, ""),
            name: playing_cards::name(card),
            say: playable.then(|| format!("play {card}")),
            chosen: mine.chosen == Some(card),
            zone: zone(card),
            open: false,
        };
        let mut cards: Vec<HandCard> = queen.rank(mine.hand).into_iter().map(held).collect();
        if let Some(open) = open {
            let place = cards.iter().position(|card| card.zone == Some(Zone::Keep)).unwrap_or(cards.len());
            cards.insert(place, HandCard::open(open));
        }
        let aside = if view.over { vec![] } else { mine.aside.iter().collect() };
        Hand {
            cards,
            aside: aside.into_iter().map(|card| playing_cards::small(card, "")).collect(),
            playable,
            painting: mine.task.is_some(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.cards.is_empty() && self.aside.is_empty()
    }
}

impl HandCard {
    pub fn is_above(&self) -> bool {
        self.zone == Some(Zone::Meadow)
    }

    pub fn is_below(&self) -> bool {
        self.zone == Some(Zone::Keep)
    }

    fn open(card: Card) -> HandCard {
        HandCard {
            picture: playing_cards::small_silent(card, ""),
            name: short(card),
            say: None,
            chosen: false,
            zone: None,
            open: true,
        }
    }
}
