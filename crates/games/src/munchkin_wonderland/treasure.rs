//! The Treasure cards: Friends, and cards that are used once. Copies of a card are alike.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Deserialize;

use super::named::{goes_by_its_id, within};
use super::room::Room;
use super::tables::tables;

/// A Treasure card. The order is the byte order of the ids.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Treasure(u8);

goes_by_its_id!(Treasure, "Treasure");

/// What the tables say of a Treasure.
#[derive(Debug, Deserialize)]
pub struct TreasureFacts {
    pub id: String,
    pub title: String,
    pub copies: u8,
    pub gold: u8,
    pub text: String,
    #[serde(flatten)]
    pub kind: Kind,
}

/// What a Treasure does.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Kind {
    /// MW-14: stays, and fights along.
    Friend {
        bonus: u8,
        #[serde(default)]
        versus: BTreeMap<String, u8>,
    },
    /// MW-16: adds to the Power in one fight.
    Boost {
        bonus: u8,
        #[serde(default)]
        versus: BTreeMap<String, u8>,
    },
    /// MW-17: changes a die.
    Changer {
        #[serde(flatten)]
        change: Change,
        on: Vec<Die>,
    },
    /// MW-23: throws so many dice and adds the highest.
    Dice { roll: usize },
    /// MW-24: leaves a fight; fighter and helper draw so many Treasures each.
    Escape { to: Landing, draw: usize },
    /// MW-25: takes back a Treasure.
    Recover,
}

/// What a changer makes of a value.
#[derive(Copy, Clone, Debug, Deserialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum Change {
    Add { amount: i8 },
    Flip,
    Reroll,
}

impl Change {
    /// MW-18, MW-19, MW-20: the new value; `None` if the die is rolled again.
    pub fn of(self, value: u8) -> Option<u8> {
        match self {
            // MW-19: not below 1.
            Change::Add { amount } => Some(value.saturating_add_signed(amount).max(1)),
            Change::Flip => Some(7u8.saturating_sub(value).max(1)),
            Change::Reroll => None,
        }
    }
}

/// The dice that changers work on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Die {
    Move,
    Entrance,
    Run,
    /// One's own latest die in a fight.
    Fight,
    /// The die of the monster.
    Monster,
}

/// Where an escape leads.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Landing {
    Stay,
    Entrance,
}

impl Treasure {
    pub const fn numbered(index: u8) -> Treasure {
        Treasure(index)
    }

    /// Each card once, in byte order.
    pub fn all() -> impl ExactSizeIterator<Item = Treasure> {
        (0..tables().treasures.len() as u8).map(Treasure)
    }

    pub fn facts(self) -> &'static TreasureFacts {
        &tables().treasures[self.0 as usize]
    }

    pub fn kind(self) -> &'static Kind {
        &self.facts().kind
    }

    pub fn id(self) -> &'static str {
        &self.facts().id
    }

    pub fn title(self) -> &'static str {
        &self.facts().title
    }

    /// The card within a sentence.
    pub fn name(self) -> String {
        within(self.title())
    }

    pub fn gold(self) -> u8 {
        self.facts().gold
    }

    pub fn is_friend(self) -> bool {
        matches!(self.kind(), Kind::Friend { .. })
    }

    /// MW-25: Thimbles bring back anything but Thimbles.
    pub fn is_thimble(self) -> bool {
        matches!(self.kind(), Kind::Recover)
    }

    /// The printed bonus; 0 if it has none.
    pub fn bonus(self) -> u8 {
        match self.kind() {
            Kind::Friend { bonus, .. } | Kind::Boost { bonus, .. } => *bonus,
            Kind::Changer { .. } | Kind::Dice { .. } | Kind::Escape { .. } | Kind::Recover => 0,
        }
    }

    /// MW-16: what the card adds in this Room; nothing if it is no Friend and no boost.
    pub fn bonus_in(self, room: Room) -> u8 {
        match self.kind() {
            Kind::Friend { bonus, versus } | Kind::Boost { bonus, versus } => {
                if versus.is_empty() {
                    *bonus
                } else {
                    versus.get(room.id()).copied().unwrap_or(*bonus)
                }
            }
            Kind::Changer { .. } | Kind::Dice { .. } | Kind::Escape { .. } | Kind::Recover => 0,
        }
    }

    /// What the card makes of a die, if it works on such a die.
    pub fn change_on(self, die: Die) -> Option<Change> {
        match self.kind() {
            Kind::Changer { change, on } if on.contains(&die) => Some(*change),
            _ => None,
        }
    }
}

/// The most Gold first, then the highest printed bonus, then by byte order.
pub fn best_first(card: Treasure) -> (Reverse<(u8, u8)>, Treasure) {
    (Reverse((card.gold(), card.bonus())), card)
}

/// Of cards in byte order, each once.
pub fn different(cards: &[Treasure]) -> impl Iterator<Item = Treasure> {
    let mut last = None;
    cards.iter().copied().filter(move |card| last.replace(*card) != Some(*card))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(id: &str) -> Treasure {
        id.parse().unwrap()
    }

    #[test]
    fn a_special_bonus_holds_in_its_room_instead() {
        let [jabberwock, duchess] = ["jabberwock", "duchess"].map(|id| id.parse::<Room>().unwrap());
        assert_eq!(card("vorpal-blade").bonus_in(jabberwock), 8);
        assert_eq!(card("vorpal-blade").bonus_in(duchess), 3);
        assert_eq!(card("cake").bonus_in(duchess), 0);
    }

    #[test]
    fn changers_work_on_the_dice_that_they_name() {
        assert!(card("cake").change_on(Die::Entrance).is_none());
        assert_eq!(card("cake").change_on(Die::Move).and_then(|change| change.of(6)), Some(8));
        assert_eq!(card("bottle").change_on(Die::Run).and_then(|change| change.of(2)), Some(1));
        assert_eq!(card("looking-glass").change_on(Die::Move).and_then(|change| change.of(10)), Some(1));
        assert!(card("bottle").change_on(Die::Fight).is_none());
        assert!(card("soup").change_on(Die::Fight).is_none());
    }
}
