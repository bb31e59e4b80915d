//! The decks and the discard piles, which anybody may look through, and the Rooms in words.

use super::super::place::Kind;
use super::super::place::Place;
use super::super::room::Room;
use super::super::tables::tables;
use super::super::view::PublicView;
use super::super::words;

/// The Treasure deck as a bar that shrinks: the game ends with its last card.
pub struct Deck {
    pub round: u8,
    pub left: usize,
    /// How many there were after the deal.
    pub all: usize,
}

impl Deck {
    pub fn new(table: &PublicView) -> Deck {
        let dealt = tables().limits.deal * table.places.len();
        let all = tables().treasure_deck.len();
        Deck { round: table.round, left: table.treasure_deck, all: all.saturating_sub(dealt + table.aside) }
    }
}

pub struct Piles {
    pub aside: usize,
    pub monsters: usize,
    /// The newest first.
    pub treasure_discard: Vec<Discard>,
    pub monster_discard: Vec<Discard>,
    pub rooms: Vec<RoomLine>,
    pub places: Vec<PlaceLine>,
}

pub struct Discard {
    pub title: &'static str,
    pub text: &'static str,
    pub badge: String,
    pub gold: Option<u8>,
}

pub struct RoomLine {
    pub number: u8,
    pub title: &'static str,
    pub strength: String,
    pub treasures: usize,
}

/// A place in words.
pub struct PlaceLine {
    pub id: &'static str,
    pub name: String,
    pub does: String,
    pub leads: String,
}

impl Piles {
    pub fn new(table: &PublicView) -> Piles {
        Piles {
            aside: table.aside,
            monsters: table.monster_deck,
            treasure_discard: table
                .treasure_discard
                .iter()
                .rev()
                .map(|card| Discard {
                    title: card.title(),
                    text: &card.facts().text,
                    badge: words::badge(*card),
                    gold: (!card.is_friend()).then(|| card.gold()),
                })
                .collect(),
            monster_discard: table
                .monster_discard
                .iter()
                .rev()
                .map(|card| Discard { title: card.title(), text: &card.facts().text, badge: card.badge(), gold: None })
                .collect(),
            rooms: Room::all()
                .map(|room| RoomLine {
                    number: room.facts().number,
                    title: room.title(),
                    strength: words::strength(room),
                    treasures: room.facts().treasures,
                })
                .collect(),
            places: Place::all().map(PlaceLine::new).collect(),
        }
    }
}

impl PlaceLine {
    fn new(place: Place) -> PlaceLine {
        let does = match place.kind() {
            Kind::Room(_) | Kind::Entrance => words::effect(place),
            Kind::Plain | Kind::Roll | Kind::Treasure | Kind::Monster(_) => words::kind(place),
        };
        let leads: Vec<String> = place.neighbours().iter().map(|next| next.name()).collect();
        PlaceLine { id: place.id(), name: place.name(), does, leads: leads.join(", ") }
    }
}
