//! The tables that the game is played on: board, Rooms and cards, read once from `tables.json`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::monster::{Monster, MonsterFacts};
use super::path::PathFacts;
use super::place::{Board, Place, PlaceFacts};
use super::room::{Room, RoomFacts};
use super::treasure::{Treasure, TreasureFacts};

/// Numbers that the rules name.
#[derive(Debug, Deserialize)]
pub struct Limits {
    /// Treasures dealt to each player.
    pub deal: usize,
    /// Friends in play at once.
    pub friends: usize,
    /// How many links a call for help reaches.
    pub range: u8,
    /// The bell rings after so many rounds.
    pub rounds: u8,
    /// Treasures in the deck of a short game, for each seat.
    pub short_deck_per_seat: usize,
}

pub struct Tables {
    pub limits: Limits,
    /// By number.
    pub rooms: Vec<RoomFacts>,
    pub paths: Vec<PathFacts>,
    pub board: Board,
    /// In starting order: one card each.
    pub monsters: Vec<MonsterFacts>,
    /// In byte order of their ids.
    pub treasures: Vec<TreasureFacts>,
    /// All cards, copies repeated, in starting order.
    pub treasure_deck: Vec<Treasure>,
}

/// All tables. They are part of the program: a test reads them.
pub fn tables() -> &'static Tables {
    static TABLES: LazyLock<Tables> = LazyLock::new(|| {
        let file: File = serde_json::from_str(include_str!("tables.json")).expect("the tables are whole");
        Tables::new(file)
    });
    &TABLES
}

#[derive(Deserialize)]
struct File {
    limits: Limits,
    rooms: Vec<RoomFacts>,
    paths: Vec<PathFacts>,
    board: BoardFile,
    monsters: Vec<MonsterFacts>,
    treasures: Vec<TreasureFacts>,
}

#[derive(Deserialize)]
struct BoardFile {
    places: Vec<PlaceFile>,
    edges: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct PlaceFile {
    id: String,
    kind: KindFile,
    x: i32,
    y: i32,
    path: Option<String>,
    monster: Option<String>,
}

#[derive(Copy, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KindFile {
    Entrance,
    Room,
    Plain,
    Roll,
    Treasure,
    Monster,
}

impl Tables {
    fn new(file: File) -> Tables {
        let copies = |facts: &TreasureFacts| std::iter::repeat_n(facts.id.clone(), facts.copies.into());
        let starting: Vec<String> = file.treasures.iter().flat_map(copies).collect();
        let mut treasures = file.treasures;
        treasures.sort_by(|one, other| one.id.cmp(&other.id));
        let numbers: BTreeMap<&str, u8> = (0..).zip(&treasures).map(|(number, facts)| (&*facts.id, number)).collect();
        let treasure_deck = starting.iter().map(|id| Treasure::numbered(numbers[&**id])).collect();
        let board = board(file.board, &file.rooms, &file.paths);
        Tables {
            limits: file.limits,
            rooms: file.rooms,
            paths: file.paths,
            board,
            monsters: file.monsters,
            treasures,
            treasure_deck,
        }
    }
}

fn board(file: BoardFile, rooms: &[RoomFacts], paths: &[PathFacts]) -> Board {
    let room = |id: &str| (0..).zip(rooms).find(|(_, room)| room.id == id).map(|(number, _)| Room::numbered(number));
    let path = |id: &str| paths.iter().position(|path| path.id == id);
    let mut places: Vec<PlaceFacts> = file
        .places
        .into_iter()
        .map(|place| PlaceFacts {
            kind: match place.kind {
                KindFile::Entrance => super::place::Kind::Entrance,
                KindFile::Room => super::place::Kind::Room(room(&place.id).expect("a Room of the list")),
                KindFile::Plain => super::place::Kind::Plain,
                KindFile::Roll => super::place::Kind::Roll,
                KindFile::Treasure => super::place::Kind::Treasure,
                KindFile::Monster => {
                    let monster = place.monster.as_deref().and_then(room);
                    super::place::Kind::Monster(monster.expect("a Monster space leads to a Room"))
                }
            },
            path: place.path.as_deref().and_then(path),
            x: place.x,
            y: place.y,
            id: place.id,
        })
        .collect();
    places.sort_by(|one, other| one.id.cmp(&other.id));
    let find = |id: &str| {
        let number = (0..).zip(&places).find(|(_, place)| place.id == id).map(|(number, _)| number);
        Place::numbered(number.expect("a place of the board"))
    };
    let links = file.edges.iter().map(|(one, other)| (find(one), find(other))).collect();
    Board::new(places, links)
}

/// All Monster cards in starting order.
pub fn monster_deck() -> Vec<Monster> {
    Monster::all().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_cards_as_the_rules_say() {
        let tables = tables();
        assert_eq!(tables.treasure_deck.len(), 70);
        assert_eq!(monster_deck().len(), 30);
        assert_eq!(tables.rooms.len(), 6);
        assert_eq!(tables.treasure_deck.iter().map(|card| u32::from(card.gold())).sum::<u32>(), 118);
        assert_eq!(tables.treasure_deck.iter().filter(|card| card.is_friend()).count(), 16);
    }

    #[test]
    fn treasures_sort_by_byte_order_and_the_deck_starts_in_the_order_of_the_list() {
        assert!(Treasure::all().map(Treasure::id).is_sorted());
        let first: Vec<&str> = tables().treasure_deck.iter().take(3).map(|card| card.id()).collect();
        assert_eq!(first, ["dormouse", "bill", "lory"]);
    }
}
