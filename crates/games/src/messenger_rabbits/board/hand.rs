//! What is asked of the viewer, and the viewer's hand.

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::claim::CLAIM;
use super::super::hexagon::House;
use super::super::log;
use super::super::phase::Phase;
use super::super::text;
use crate::playing_cards;
use wonderpost_rules::{Card, Seat, View, Viewer};

/// The dice, and what is asked. The title is for letters: a page tells by itself whose turn it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    pub title: String,
    pub asks: String,
    /// Further facts: a contest, a fight, an offer.
    pub notes: Vec<String>,
    pub dice: Vec<Die>,
    pub price: Option<u16>,
    pub over: bool,
}

/// A die and where its pips are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Die {
    pub face: u8,
    pub pips: &'static [(u8, u8)],
}

impl Die {
    fn new(face: u8) -> Die {
        const LOW: u8 = 10;
        const MIDDLE: u8 = 20;
        const HIGH: u8 = 30;
        let pips: &[(u8, u8)] = match face {
            1 => &[(MIDDLE, MIDDLE)],
            2 => &[(LOW, HIGH), (HIGH, LOW)],
            3 => &[(LOW, HIGH), (MIDDLE, MIDDLE), (HIGH, LOW)],
            4 => &[(LOW, LOW), (LOW, HIGH), (HIGH, LOW), (HIGH, HIGH)],
            5 => &[(LOW, LOW), (LOW, HIGH), (MIDDLE, MIDDLE), (HIGH, LOW), (HIGH, HIGH)],
            _ => &[(LOW, LOW), (LOW, MIDDLE), (LOW, HIGH), (HIGH, LOW), (HIGH, MIDDLE), (HIGH, HIGH)],
        };
        Die { face, pips }
    }
}

impl Prompt {
    /// `asked`: the viewer can make a move here.
    pub fn new(view: &View<MessengerRabbits>, asked: bool) -> Prompt {
        let table = &view.table;
        let reader = text::reader(view);
        let title = match (view.winners.first(), table.turn) {
            (Some(winner), _) => format!("{} won", reader.person(*winner).does("has")),
            (None, Some(seat)) if reader == Viewer::Seat(seat) => "Your turn".to_owned(),
            (None, Some(seat)) => format!("{} turn", reader.person(seat).whose()),
            (None, None) => "Building the land".to_owned(),
        };
        let asks = match (view.over, asked && view.prompt.is_some()) {
            (true, _) => {
                let royals = view.winners.first().map(|winner| table.royals[winner.index()]).unwrap_or_default();
                format!("The trio is home: {}.", royals.in_words())
            }
            (false, true) => question(view),
            (false, false) => waiting(view),
        };
        Prompt {
            title,
            asks,
            notes: if view.over { vec![] } else { text::under_way(view) },
            dice: table.dice.iter().flatten().map(|face| Die::new(*face)).collect(),
            price: table.price(),
            over: view.over,
        }
    }

    /// At a table that was ended before the game was: nothing is asked, nobody is waited for.
    pub fn ended_early() -> Prompt {
        Prompt { title: String::new(), asks: String::new(), notes: vec![], dice: vec![], price: None, over: false }
    }
}

/// What the viewer is asked, in a sentence or two.
pub fn question(view: &View<MessengerRabbits>) -> String {
    let price = view.table.price().unwrap_or(0);
    match view.phase {
        Phase::Build => {
            let house = view.table.building.as_ref().and_then(|building| building.house);
            let house = house.map_or_else(|| "the next house".to_owned(), House::in_words);
            format!("Where will {house} stand? Choose a site on the map.")
        }
        Phase::Takeoff => "Fly, showing a club before you know the dice, or roll them?".to_owned(),
        Phase::Lottery => "You hold a number on the dice: show it, and draw a card.".to_owned(),
        Phase::Discard(_) => "Your hand is too large. What do you discard?".to_owned(),
        Phase::Journey => format!("Where to? Tickets cost {price}."),
        Phase::Pay => match &view.table.due {
            Some(due) => format!("Pay {} to {}. There is no way back.", due.price, log::intent(due.what)),
            None => "Pay.".to_owned(),
        },
        Phase::Flight => match &view.table.flight {
            Some(flight) => {
                let short = price.saturating_sub(flight.worth);
                format!("Your flight is {short} short: pay to land, or fall.")
            }
            None => "Pay to land, or fall.".to_owned(),
        },
        Phase::Contest => {
            "Contest it with hearts worth 6? If the visitor shows as many, you lose them and leave the board."
                .to_owned()
        }
        Phase::Prove => "Your visit is contested. Show hearts worth 6; they stay in your hand.".to_owned(),
        Phase::Visit => "What do you do here?".to_owned(),
        Phase::Fight => "Throw spades to outdo the other side, or yield.".to_owned(),
        Phase::Release(_) => "You have four royals and three carrots. Whom do you release?".to_owned(),
        Phase::Trade => "A card that was not asked for makes you a swindler, and you leave the board.".to_owned(),
        Phase::Setting | Phase::Turning | Phase::Sinking | Phase::Increment | Phase::Over => String::new(),
    }
}

/// What others are about. Nothing where the viewer is one of those asked.
fn waiting(view: &View<MessengerRabbits>) -> String {
    let reader = text::reader(view);
    let awaited = view.awaiting.iter();
    let names: Vec<String> = awaited.map(|seat| reader.person(*seat).to_string()).collect();
    let is = match names.len() {
        0 => return String::new(),
        1 => "is",
        _ => "are",
    };
    if view.awaiting.iter().any(|seat| reader == Viewer::Seat(*seat)) {
        return String::new();
    }
    let what = match view.phase {
        Phase::Build => "choosing where to build",
        Phase::Takeoff => "choosing whether to fly",
        Phase::Lottery => "in the lottery",
        Phase::Discard(_) => "discarding",
        Phase::Journey => "choosing where to go",
        Phase::Pay => "paying",
        Phase::Flight => "about to land or fall",
        Phase::Contest => "asked whether to contest the visit",
        Phase::Prove => "to prove a blessed heart",
        Phase::Visit => "on a visit",
        Phase::Fight => "about to throw or yield",
        Phase::Release(_) => "releasing a royal",
        Phase::Trade => "considering an offer",
        Phase::Setting | Phase::Turning | Phase::Sinking | Phase::Increment | Phase::Over => "to move",
    };
    format!("{} {is} {what}.", names.join(" and "))
}

/// A suit of the viewer's hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// The sign of the suit.
    pub sign: String,
    pub cards: Vec<Card>,
    pub total: Option<u16>,
    /// Royals of the suit that this total could win over.
    pub wins: String,
}

impl Stack {
    pub fn pictures(&self) -> String {
        self.cards.iter().map(|card| playing_cards::picture(*card, "")).collect()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    pub count: usize,
    pub limit: usize,
    pub stacks: Vec<Stack>,
}

impl Hand {
    pub fn new(view: &View<MessengerRabbits>) -> Option<Hand> {
        let mine = view.mine.as_ref()?;
        let table = &view.table;
        let worths = table.worths(mine.seat);
        let mut stacks = vec![];
        for suit in table.suits.iter() {
            let held = mine.hand & Cards::of_suit(suit);
            if held.is_empty() {
                continue;
            }
            let total = worths.of_all(held);
            let open = table.court & Cards::of_suit(suit);
            let wins = if total >= CLAIM && !open.is_empty() && !view.over { open.in_words() } else { String::new() };
            stacks.push(Stack { sign: playing_cards::suit(suit), cards: held.to_vec(), total: Some(total), wins });
        }
        let jokers = mine.hand & Cards::JOKERS;
        if !jokers.is_empty() {
            stacks.push(Stack { sign: String::new(), cards: jokers.to_vec(), total: None, wins: String::new() });
        }
        let limit = if table.options.overtaxed_hands { 6 } else { 9 };
        Some(Hand { count: mine.hand.len(), limit, stacks })
    }
}

/// Whether this is the seat whose turn it is.
pub fn is_active(view: &View<MessengerRabbits>, seat: Seat) -> bool {
    view.table.turn == Some(seat) && !view.over
}
