//! The players in rows, and what lies on the table for all: court, spent cards, pile.

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::hexagon::House;
use super::super::text;
use super::super::view::PublicView;
use super::hand::is_active;
use crate::playing_cards::{self, suit_name};
use wonderpost_rules::{Seat, View};

/// A player's row.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    pub seat: Seat,
    pub name: String,
    pub active: bool,
    pub awaited: bool,
    pub won: bool,
    pub place: String,
    pub hand: String,
    /// Royals, jokers and the ace laid down, as pictures.
    pub pictures: String,
    pub capital: String,
    pub nearness: String,
    /// Cards shown to all that are still in this hand, as pictures.
    pub known: String,
    /// How many carrots are still in the bag.
    pub carrots: usize,
    /// When the game is over.
    pub final_hand: Option<String>,
    /// What changed with the last move.
    pub moved: bool,
}

impl Player {
    /// `ended_early`: nobody is to move, whatever the view says.
    pub fn all(
        view: &View<MessengerRabbits>,
        before: Option<&View<MessengerRabbits>>,
        ended_early: bool,
    ) -> Vec<Player> {
        let table = &view.table;
        let row = |seat: Seat| {
            let place = seat.index();
            let royals = table.royals[place];
            let pictures = (royals | table.jokers[place]).iter().map(|card| playing_cards::small(card, "")).collect();
            let final_hand = table.final_hands.as_ref().map(|hands| {
                let hidden = hands[place].iter().filter(|card| Cards::COMMON.contains(**card));
                hidden.map(|card| playing_cards::small(*card, "")).collect()
            });
            let known = if final_hand.is_some() { Cards::EMPTY } else { table.known[place] };
            Player {
                seat,
                name: text::reader(view).person(seat).capitalised(),
                known: known.iter().map(|card| playing_cards::small(card, "")).collect(),
                active: !ended_early && is_active(view, seat),
                awaited: !ended_early && view.awaiting.contains(&seat),
                won: view.winners.contains(&seat),
                place: text::whereabouts(table.rabbits[place]),
                hand: text::cards(table.hands[place]),
                pictures,
                capital: table.capital[place].map(|ace| playing_cards::small(ace, "dim")).unwrap_or_default(),
                nearness: text::nearness(view, seat),
                carrots: 3usize.saturating_sub(royals.len()),
                final_hand,
                moved: before.is_some_and(|before| before.table.rabbits[place] != table.rabbits[place]),
            }
        };
        table.seats().map(row).collect()
    }
}

/// For each seat's chip: royals, how far the rabbit is from winning, the size of its hand.
pub fn chips(view: &View<MessengerRabbits>) -> Vec<String> {
    let table = &view.table;
    let chip = |seat: Seat| {
        let royals = table.royals[seat.index()];
        let names: Vec<String> = royals.iter().map(|royal| royal.with_sign()).collect();
        let mut words = vec![];
        words.extend((!names.is_empty()).then(|| names.join(" ")));
        match table.options.objective.lacks(royals) {
            _ if view.over => {}
            0 => words.push("trio complete".to_owned()),
            lacks => words.push(format!("{lacks} to go")),
        }
        words.push(text::cards(table.hands[seat.index()]));
        words.join(" · ")
    };
    table.seats().map(chip).collect()
}

/// The royals of a suit, and the spent cards of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub name: &'static str,
    pub sign: String,
    /// Royals in the court as they are, others dimmed.
    pub royals: String,
    pub spent: String,
    pub count: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Court {
    pub lines: Vec<Line>,
    pub jokers: String,
    pub pile: String,
    pub spent: usize,
}

impl Court {
    pub fn new(table: &PublicView) -> Court {
        let lines = table.suits.iter().map(|suit| {
            let royals = House::of_suits(super::super::suits::Suits::one(suit)).map(|house| {
                let royal = house.royal();
                match table.holder(royal) {
                    Some(_) => playing_cards::small_silent(royal, "dim"),
                    None => playing_cards::small(royal, ""),
                }
            });
            let spent = table.spent & Cards::of_suit(suit);
            Line {
                name: suit_name(suit),
                sign: playing_cards::suit(suit),
                royals: royals.collect(),
                spent: spent.iter().map(|card| playing_cards::small(card, "")).collect(),
                count: spent.len(),
            }
        });
        Court {
            lines: lines.collect(),
            jokers: (table.court & Cards::JOKERS).iter().map(|joker| playing_cards::small(joker, "")).collect(),
            pile: text::cards(table.pile),
            spent: table.spent.len(),
        }
    }
}
