//! The six Rooms and the monsters that live in them.

use serde::Deserialize;

use super::named::{goes_by_its_id, within};
use super::place::{Kind, Place};
use super::tables::tables;

/// A Room, in the order of their numbers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Room(u8);

goes_by_its_id!(Room, "Room");

/// What the tables say of a Room.
#[derive(Debug, Deserialize)]
pub struct RoomFacts {
    pub id: String,
    /// What the Entrance roll must show.
    pub number: u8,
    pub title: String,
    pub power: u8,
    /// Monster cards drawn for the monster.
    pub cards: usize,
    /// Dice rolled for the monster: none or one.
    pub dice: u8,
    pub treasures: usize,
    pub text: String,
}

impl Room {
    pub const fn numbered(index: u8) -> Room {
        Room(index)
    }

    pub fn all() -> impl DoubleEndedIterator<Item = Room> + ExactSizeIterator {
        (0..tables().rooms.len() as u8).map(Room)
    }

    pub fn facts(self) -> &'static RoomFacts {
        &tables().rooms[self.0 as usize]
    }

    pub fn id(self) -> &'static str {
        &self.facts().id
    }

    /// The Room's place in an array with one entry a Room.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The title of its monster.
    pub fn title(self) -> &'static str {
        &self.facts().title
    }

    /// The monster within a sentence.
    pub fn monster(self) -> String {
        within(self.title())
    }

    /// Where the Room is on the board.
    pub fn place(self) -> Place {
        tables().board.place_of(self)
    }

    /// MW-11: the Room that an Entrance roll leads to.
    pub fn of_roll(value: u8) -> Option<Room> {
        Room::all().find(|room| room.facts().number == value)
    }

    /// MW-22: whether its monster has a die.
    pub fn has_die(self) -> bool {
        self.facts().dice > 0
    }
}

impl Place {
    /// The Room that this place is.
    pub fn room(self) -> Option<Room> {
        match self.kind() {
            Kind::Room(room) => Some(room),
            Kind::Entrance | Kind::Plain | Kind::Roll | Kind::Treasure | Kind::Monster(_) => None,
        }
    }
}
