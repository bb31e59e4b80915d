//! What is asked of the viewer, and the viewer's hand.

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::claim::CLAIM;
use super::super::hexagon::House;
use super::super::phase::Phase;
use super::super::text;
use crate::playing_cards::{self, suit_name};
use wonderpost_rules::{Card, Seat, View};

/// The head of the page: the dice, the objective, and what is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    pub title: String,
    pub asks: String,
    /// Further facts: a contest, a fight, an offer.
    pub notes: Vec<String>,
    pub dice: Vec<Die>,
    pub price: Option<u16>,
    pub round: u16,
    pub objective: &'static str,
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
        let title = match (view.winners.first(), table.turn) {
            (Some(winner), _) => format!("{} has won", winner.mark()),
            (None, Some(seat)) => format!("The turn of {}", seat.mark()),
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
            notes: notes(view),
            dice: table.dice.iter().flatten().map(|face| Die::new(*face)).collect(),
            price: table.price(),
            round: table.round,
            objective: table.options.objective.in_words(),
            over: view.over,
        }
    }
}

fn question(view: &View<MessengerRabbits>) -> String {
    let price = view.table.price().unwrap_or(0);
    match view.phase {
        Phase::Build => {
            let house = view.table.building.as_ref().and_then(|building| building.house);
            let house = house.map_or_else(|| "the next house".to_owned(), House::in_words);
            format!("Place {house}: choose a site on the map.")
        }
        Phase::Takeoff => "You start on a tower with a club in hand: fly, or roll the dice?".to_owned(),
        Phase::Lottery => "You hold a number that the dice show. Show it, and you draw a card.".to_owned(),
        Phase::Discard(_) => "Your hand is above the limit: what do you discard?".to_owned(),
        Phase::Journey => format!("Where to? Roads are free; a ticket costs {price}."),
        Phase::Pay => match &view.table.due {
            Some(due) => format!("Pay {} for “{}”. There is no way back.", due.price, due.action),
            None => "Pay.".to_owned(),
        },
        Phase::Flight => match &view.table.flight {
            Some(flight) => {
                let short = price.saturating_sub(flight.worth);
                format!("Your flight falls short by {short}: pay to land, or fall.")
            }
            None => "Pay to land, or fall.".to_owned(),
        },
        Phase::Contest => "Do you contest this visit? Six hearts are asked for. If the visitor can show as much, yours are lost, and you leave the board.".to_owned(),
        Phase::Prove => "Your visit is contested: show hearts worth 6 or more. They stay in your hand.".to_owned(),
        Phase::Visit => "You are on a visit: what do you do here?".to_owned(),
        Phase::Fight => "Throw spades that outdo the other side, or yield.".to_owned(),
        Phase::Release(_) => "You have four royals and three carrots: which royal do you release?".to_owned(),
        Phase::Trade => "You have been made an offer. A card that is not what was asked for makes you a swindler.".to_owned(),
        _ => "It is your turn.".to_owned(),
    }
}

fn waiting(view: &View<MessengerRabbits>) -> String {
    let names: Vec<String> = view.awaiting.iter().map(|seat| seat.mark().to_string()).collect();
    let what = match view.phase {
        Phase::Build => "to place a house",
        Phase::Takeoff => "to fly or to roll",
        Phase::Lottery => "in the lottery",
        Phase::Discard(_) => "to discard",
        Phase::Journey => "to travel",
        Phase::Pay => "to pay",
        Phase::Flight => "to land or to fall",
        Phase::Contest => "to contest the visit or let it pass",
        Phase::Prove => "to prove a blessed heart",
        Phase::Visit => "on a visit",
        Phase::Fight => "to throw or to yield",
        Phase::Release(_) => "to release a royal",
        Phase::Trade => "to answer an offer",
        _ => "to move",
    };
    if names.is_empty() { String::new() } else { format!("Waiting for {} {what}.", names.join(" and ")) }
}

fn notes(view: &View<MessengerRabbits>) -> Vec<String> {
    let mut notes = text::under_way(&view.table);
    if let Some(card) = view.mine.as_ref().and_then(|mine| mine.offered) {
        notes.push(format!("The card on offer is the {}.", playing_cards::name(card)));
    }
    notes
}

/// A suit of the viewer's hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    pub name: &'static str,
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
            let wins = if total >= CLAIM && !open.is_empty() { open.to_string() } else { String::new() };
            stacks.push(Stack { name: suit_name(suit), cards: held.to_vec(), total: Some(total), wins });
        }
        let jokers = mine.hand & Cards::JOKERS;
        if !jokers.is_empty() {
            stacks.push(Stack { name: "jokers", cards: jokers.to_vec(), total: None, wins: String::new() });
        }
        let limit = if table.options.overtaxed_hands { 6 } else { 9 };
        Some(Hand { count: mine.hand.len(), limit, stacks })
    }
}

/// Whether this is the seat whose turn it is.
pub fn is_active(view: &View<MessengerRabbits>, seat: Seat) -> bool {
    view.table.turn == Some(seat) && !view.over
}
