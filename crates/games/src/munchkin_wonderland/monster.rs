//! The Monster cards that stand by the monsters of the Rooms.

use serde::Deserialize;

use super::named::goes_by_its_id;
use super::tables::tables;

/// A Monster card; there is one of each.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Monster(u8);

goes_by_its_id!(Monster, "Monster card");

/// What the tables say of a Monster card.
#[derive(Debug, Deserialize)]
pub struct MonsterFacts {
    pub id: String,
    pub title: String,
    pub bonus: u8,
    /// MW-27: how many more Monster cards it brings.
    pub draw: usize,
    pub text: String,
}

impl Monster {
    pub fn all() -> impl ExactSizeIterator<Item = Monster> {
        (0..tables().monsters.len() as u8).map(Monster)
    }

    pub fn facts(self) -> &'static MonsterFacts {
        &tables().monsters[self.0 as usize]
    }

    pub fn id(self) -> &'static str {
        &self.facts().id
    }

    pub fn title(self) -> &'static str {
        &self.facts().title
    }

    pub fn bonus(self) -> u8 {
        self.facts().bonus
    }

    /// What its badge says.
    pub fn badge(self) -> String {
        match self.facts().draw {
            0 => format!("+{}", self.bonus()),
            more => format!("draw {more}"),
        }
    }
}
