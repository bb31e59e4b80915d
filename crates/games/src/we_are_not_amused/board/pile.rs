//! The deck as a strip of small cards, and the piles.

use super::super::card::DeckCard;
use super::super::deck::TURN;
use super::super::phase::Phase;
use super::super::view::{Aside, PublicView};

/// The deck: turned cards, then those ahead, as they come in this cycle; and which would be third in the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    pub title: String,
    /// The last one is the revealed card, if there is one.
    pub turned: Vec<StripCard>,
    /// The turns that are still to come in this cycle.
    pub ahead: Vec<Vec<StripCard>>,
    /// Empty where there will be no next cycle with this pile.
    pub next: Vec<NextThird>,
    /// How many of each card are somewhere among the unknown ones.
    pub unseen: Vec<Count>,
    pub over: bool,
}

/// A card of the deck; `None` if nobody knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripCard {
    pub card: Option<DeckCard>,
    pub revealed: bool,
    /// WNA-9, WNA-10: it will be revealed in this cycle.
    pub third: bool,
}

impl StripCard {
    pub fn word(&self) -> &'static str {
        self.card.map_or("back", DeckCard::word)
    }

    pub fn words(&self) -> String {
        let name = self.card.map_or("unknown", DeckCard::name);
        let state = match (self.revealed, self.third) {
            (true, _) => ", turned up now",
            (false, true) => ", will be turned up",
            (false, false) => "",
        };
        format!("{name}{state}")
    }
}

/// WNA-15: a card that would be third in the next cycle, and its place in the pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextThird {
    pub place: usize,
    pub card: Option<DeckCard>,
}

impl NextThird {
    pub fn word(&self) -> &'static str {
        self.card.map_or("back", DeckCard::word)
    }

    pub fn name(&self) -> &'static str {
        self.card.map_or("unknown", DeckCard::name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The word of its face.
    pub word: &'static str,
    pub name: &'static str,
    pub number: u8,
}

/// Whether the card at this place, from 0, of a pile of so many is revealed when three at a time are turned over.
fn is_third(place: usize, pile: usize) -> bool {
    (place + 1).is_multiple_of(TURN) || place + 1 == pile
}

impl Strip {
    pub fn new(table: &PublicView, phase: Phase) -> Strip {
        let over = table.ended.is_some();
        let last = table.turned.len().checked_sub(1).filter(|_| table.revealed.is_some());
        let turned = table.turned.iter().enumerate().map(|(place, card)| StripCard {
            card: Some(*card),
            revealed: Some(place) == last,
            third: false,
        });
        let number = table.ahead.len();
        let ahead: Vec<StripCard> = table
            .ahead
            .iter()
            .enumerate()
            .map(|(place, card)| StripCard { card: *card, revealed: false, third: !over && is_third(place, number) })
            .collect();
        let pile: Vec<Option<DeckCard>> =
            table.turned.iter().copied().map(Some).chain(table.ahead.iter().copied()).collect();
        let next = if over || phase == Phase::Stuck {
            vec![]
        } else {
            let thirds = pile.iter().enumerate().filter(|(place, _)| is_third(*place, pile.len()));
            thirds.map(|(place, card)| NextThird { place: place + 1, card: *card }).collect()
        };
        Strip {
            title: match (over, number) {
                (true, 0) => "The deck at the end".to_owned(),
                (true, 1) => "The deck at the end: 1 card was still ahead".to_owned(),
                (true, _) => format!("The deck at the end: {number} cards were still ahead"),
                (false, 0) => "The deck: none ahead".to_owned(),
                (false, _) => format!("The deck: {number} ahead"),
            },
            turned: turned.collect(),
            ahead: ahead.chunks(TURN).map(<[StripCard]>::to_vec).collect(),
            next,
            unseen: DeckCard::ALL
                .into_iter()
                .map(|card| Count { word: card.word(), name: card.name(), number: table.unseen.count(card) })
                .filter(|count| count.number > 0)
                .collect(),
            over,
        }
    }
}

/// All that lies beside the garden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piles {
    pub top: Option<DeckCard>,
    /// The rest of the discard pile, the uppermost first.
    pub rest: Vec<DeckCard>,
    pub aside: Vec<Count>,
    pub collected: u8,
    pub delivered: u8,
    pub path_open: bool,
    pub over: bool,
    pub shuffles_left: u8,
    pub cycle: u16,
    pub turns: u16,
}

impl Piles {
    pub fn new(table: &PublicView) -> Piles {
        let mut discard = table.discard.iter().rev().copied();
        let Aside { bramble, soldier, gardener, cat } = table.aside;
        Piles {
            top: discard.next(),
            rest: discard.collect(),
            aside: [
                ("soldier", "Soldiers", soldier),
                ("gardener", "Gardeners", gardener),
                ("cat", "Cats", cat),
                ("bramble", "Brambles", bramble),
            ]
            .into_iter()
            .map(|(word, name, number)| Count { word, name, number })
            .collect(),
            collected: table.collected,
            delivered: table.delivered,
            path_open: table.path_open,
            over: table.ended.is_some(),
            shuffles_left: table.shuffles_left,
            cycle: table.cycle,
            turns: table.turns,
        }
    }
}
