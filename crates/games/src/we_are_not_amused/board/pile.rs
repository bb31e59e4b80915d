//! The deck as a strip of small cards, and the piles.

use super::super::card::{DeckCard, GardenCard};
use super::super::deck::TURN;
use super::super::phase::Phase;
use super::super::view::{Aside, PublicView};
use super::way::Way;

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
    /// What it could do as the garden is now; none where nobody knows the card.
    pub could: Option<Could>,
}

/// What a card could do if it were turned up now.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Could {
    Play,
    /// A Bramble must be planted where there is a gap.
    Plant,
    Nothing,
}

impl Could {
    pub fn of(table: &PublicView, card: DeckCard) -> Could {
        let reaches = |kind| !table.garden.of(kind).and(table.exposed).is_empty();
        let plays = match card {
            DeckCard::Soldier => reaches(GardenCard::Soldier) || reaches(GardenCard::Gardener),
            DeckCard::Gardener => reaches(GardenCard::White),
            DeckCard::Alice => reaches(GardenCard::Red),
            DeckCard::Cat => reaches(GardenCard::Cat) || table.discard.last().is_some_and(|top| *top != DeckCard::Cat),
            DeckCard::Bramble if table.garden.gaps().is_empty() => false,
            DeckCard::Bramble => return Could::Plant,
        };
        if plays { Could::Play } else { Could::Nothing }
    }

    /// The class that marks it.
    pub const fn word(self) -> &'static str {
        match self {
            Could::Play => "could-play",
            Could::Plant => "could-plant",
            Could::Nothing => "could-nothing",
        }
    }

    pub const fn words(self) -> &'static str {
        match self {
            Could::Play => "could be played now",
            Could::Plant => "would have to be planted",
            Could::Nothing => "nothing to do for it now",
        }
    }
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
        let could = match self.could.filter(|_| self.third) {
            Some(could) => format!(", {}", could.words()),
            None => String::new(),
        };
        format!("{name}{state}{could}")
    }

    /// The class that says what it could do, where that matters.
    pub fn mark(&self) -> &'static str {
        self.could.filter(|_| self.third).map_or("", Could::word)
    }
}

/// WNA-15: a card that would be third in the next cycle, and its place in the pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextThird {
    pub place: usize,
    pub card: Option<DeckCard>,
    /// As the garden is now.
    pub could: Option<Could>,
}

impl NextThird {
    pub fn word(&self) -> &'static str {
        self.card.map_or("back", DeckCard::word)
    }

    pub fn name(&self) -> &'static str {
        self.card.map_or("unknown", DeckCard::name)
    }

    pub fn mark(&self) -> &'static str {
        self.could.map_or("", Could::word)
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
    /// The cards that are known to be turned up next in this cycle, one a turn.
    pub fn coming(&self) -> impl Iterator<Item = &StripCard> {
        self.ahead.iter().filter_map(|turn| turn.last()).take_while(|card| card.third && card.card.is_some())
    }

    pub fn new(table: &PublicView, phase: Phase) -> Strip {
        let over = table.ended.is_some();
        let last = table.turned.len().checked_sub(1).filter(|_| table.revealed.is_some());
        let turned = table.turned.iter().enumerate().map(|(place, card)| StripCard {
            card: Some(*card),
            revealed: Some(place) == last,
            third: false,
            could: None,
        });
        let number = table.ahead.len();
        let ahead: Vec<StripCard> = table
            .ahead
            .iter()
            .enumerate()
            .map(|(place, card)| StripCard {
                card: *card,
                revealed: false,
                third: !over && is_third(place, number),
                could: card.map(|card| Could::of(table, card)),
            })
            .collect();
        let pile: Vec<Option<DeckCard>> =
            table.turned.iter().copied().map(Some).chain(table.ahead.iter().copied()).collect();
        let next = if over || phase == Phase::Stuck {
            vec![]
        } else {
            let thirds = pile.iter().enumerate().filter(|(place, _)| is_third(*place, pile.len()));
            let third = |(place, card): (usize, &Option<DeckCard>)| NextThird {
                place: place + 1,
                card: *card,
                could: card.map(|card| Could::of(table, card)),
            };
            thirds.map(third).collect()
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
    /// How the way to the Queen stands, in a sentence; empty once it does not matter.
    pub way: String,
    pub over: bool,
    pub shuffles_left: u8,
    pub cycle: u16,
    pub turns: u16,
}

impl Piles {
    pub fn new(table: &PublicView, ended_early: bool) -> Piles {
        let over = table.ended.is_some() || ended_early;
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
            way: if over { String::new() } else { way(table) },
            over,
            shuffles_left: table.shuffles_left,
            cycle: table.cycle,
            turns: table.turns,
        }
    }
}

fn way(table: &PublicView) -> String {
    if table.path_open {
        return "The way to the Queen is open: roses picked now are delivered at once.".to_owned();
    }
    match Way::nearest(table) {
        Some(way) => format!("The way to the Queen is closed: roses wait here until it opens. {}", way.words()),
        None => "Brambles bar every way to the Queen: roses wait here until one withers.".to_owned(),
    }
}
