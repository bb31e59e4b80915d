//! Words for what places, Rooms and cards do, for page and text alike.

use super::place::{Kind, Place};
use super::room::Room;
use super::treasure::{self, Treasure};

/// “10 + 2 cards”.
pub fn strength(room: Room) -> String {
    let facts = room.facts();
    let cards = match facts.cards {
        0 => String::new(),
        1 => " + card".to_owned(),
        number => format!(" + {number} cards"),
    };
    let die = if room.has_die() { " + die" } else { "" };
    format!("{}{cards}{die}", facts.power)
}

/// “3 Treasures”.
pub fn treasures(number: usize) -> String {
    if number == 1 { "1 Treasure".into() } else { format!("{number} Treasures") }
}

/// “a Treasure space”.
pub fn kind(place: Place) -> String {
    match place.kind() {
        Kind::Entrance => "the Entrance".into(),
        Kind::Room(room) => format!("{}'s Room", room.monster()),
        Kind::Plain => "a plain space".into(),
        Kind::Roll => "a Roll Again space".into(),
        Kind::Treasure => "a Treasure space".into(),
        Kind::Monster(room) => format!("a Monster space, {}", room.monster()),
    }
}

/// What happens to somebody whose walk ends there.
pub fn effect(place: Place) -> String {
    let fight = |room: Room| {
        let (strength, prize) = (strength(room), treasures(room.facts().treasures));
        format!("fight {}: Power {strength}, {prize}", room.monster())
    };
    match place.kind() {
        Kind::Entrance => "draw a Treasure, then a die picks the Room where you fight".into(),
        Kind::Room(room) => fight(room),
        Kind::Plain => "nothing happens".into(),
        Kind::Roll => "roll again and walk on".into(),
        Kind::Treasure => "draw a Treasure".into(),
        Kind::Monster(room) => format!("you are dragged off to {}", fight(room)),
    }
}

/// What the badge of a Treasure says: its bonus, or its kind.
pub fn badge(card: Treasure) -> String {
    match card.kind() {
        treasure::Kind::Friend { bonus, .. } | treasure::Kind::Boost { bonus, .. } => format!("+{bonus}"),
        treasure::Kind::Changer { .. } => "die".into(),
        treasure::Kind::Dice { .. } => "+die".into(),
        treasure::Kind::Escape { .. } => "away".into(),
        treasure::Kind::Recover => "back".into(),
    }
}
