//! The players: where they are, who is with them, and at the end what is in their purses.

use super::super::tables::tables;
use super::super::treasure::Treasure;
use super::super::view::PublicView;
use super::Sight;
use wonderpost_rules::Seat;

pub struct People {
    pub all: Vec<Person>,
}

pub struct Person {
    pub seat: Seat,
    pub me: bool,
    pub turn: bool,
    pub place: String,
    pub friends: Vec<Friend>,
    pub chairs: usize,
    pub cards: usize,
}

pub struct Friend {
    pub title: &'static str,
    pub text: &'static str,
    pub badge: String,
}

/// MW-49: what somebody has at the end.
pub struct Purse {
    pub seat: Seat,
    pub me: bool,
    pub cards: Vec<Coin>,
    pub gold: i64,
    pub winner: bool,
}

pub struct Coin {
    pub title: &'static str,
    pub gold: u8,
}

/// For the row of seats: “4 cards · Friends +3 · Tulgey Wood 2”.
pub fn chips(table: &PublicView) -> Vec<String> {
    let seats = Seat::all(table.places.len() as u8);
    let chip = |seat: Seat| {
        let cards = match table.hand_counts[seat.index()] {
            1 => "1 card".to_owned(),
            number => format!("{number} cards"),
        };
        let friends = match table.friends[seat.index()].iter().map(|friend| friend.bonus()).sum::<u8>() {
            0 => String::new(),
            bonus => format!(" · Friends +{bonus}"),
        };
        format!("{cards}{friends} · {}", table.places[seat.index()].name().replace('\'', "&#39;"))
    };
    seats.map(chip).collect()
}

impl People {
    pub fn new(sight: &Sight) -> People {
        let table = &sight.view.table;
        let person = |seat: Seat| {
            let friends = &table.friends[seat.index()];
            Person {
                seat,
                me: sight.me == Some(seat),
                turn: table.turn == seat && !sight.view.over && !sight.ended_early,
                place: table.places[seat.index()].name(),
                friends: friends.iter().map(|friend| Friend::new(*friend)).collect(),
                chairs: tables().limits.friends.saturating_sub(friends.len()),
                cards: table.hand_counts[seat.index()],
            }
        };
        People { all: Seat::all(table.places.len() as u8).map(person).collect() }
    }
}

impl Friend {
    fn new(friend: Treasure) -> Friend {
        Friend { title: friend.title(), text: &friend.facts().text, badge: format!("+{}", friend.bonus()) }
    }
}

impl Purse {
    /// All purses, the fullest first.
    pub fn all(sight: &Sight) -> Vec<Purse> {
        let view = sight.view;
        let hands = view.table.hands.as_deref().unwrap_or_default();
        let mut purses: Vec<Purse> = Seat::all(hands.len() as u8)
            .zip(hands)
            .map(|(seat, hand)| {
                let mut cards: Vec<Coin> =
                    hand.iter().map(|card| Coin { title: card.title(), gold: card.gold() }).collect();
                cards.sort_by_key(|coin| std::cmp::Reverse(coin.gold));
                Purse {
                    seat,
                    me: sight.me == Some(seat),
                    cards,
                    gold: view.scores[seat.index()].unwrap_or(0),
                    winner: view.winners.contains(&seat),
                }
            })
            .collect();
        purses.sort_by_key(|purse| std::cmp::Reverse(purse.gold));
        purses
    }
}
