//! Words for what places, Rooms and cards do, for page and text alike.

use super::MunchkinWonderland;
use super::moves::Move;
use super::odds::{prospects, winning};
use super::phase::{RollKind, Step};
use super::place::{Kind, Place};
use super::room::Room;
use super::treasure::{self, Treasure};
use wonderpost_rules::View;

/// A move as an offer.
pub fn describe_move(view: &View<MunchkinWonderland>, mv: &Move) -> String {
    match mv {
        Move::Go(place) if view.phase == Step::Roll(RollKind::Run) => format!("Hide at {}", place.name()),
        Move::Go(place) => format!("Go to {}", place.name()),
        Move::Play { friend, instead: None } => format!("Bring {}", friend.name()),
        Move::Play { friend, instead: Some(old) } => format!("Bring {} and send {} away", friend.name(), old.name()),
        Move::Use { card, on: None } => format!("Use {}", card.name()),
        Move::Use { card, on: Some(room) } => format!("Use {} on {}'s die", card.name(), room.monster()),
        Move::Recover { thimble, card } => format!("Use {} to take back {}", thimble.name(), card.name()),
        Move::Ask(seats) => {
            let names: Vec<String> = seats.iter().map(|seat| seat.mark().to_string()).collect();
            format!("Call {} for help", names.join(", then "))
        }
        Move::Help => "Help".to_owned(),
        Move::Refuse => "Refuse to help".to_owned(),
        Move::Done => "Add nothing more".to_owned(),
        Move::Take(card) => format!("Take {}", card.name()),
        Move::Run => "Run".to_owned(),
        Move::Discard(card) => format!("Lose {}", card.name()),
    }
}

/// Running away costs a card; few would do it with a card in hand that wins for certain.
pub fn asks_first(view: &View<MunchkinWonderland>, mv: &Move) -> bool {
    let (Move::Run, Some(fight)) = (mv, &view.table.fight) else { return false };
    view.moves.iter().any(|other| {
        let prospects = prospects(fight, &fight.fighter, other);
        !prospects.is_empty() && winning(&prospects) == prospects.len()
    })
}

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
