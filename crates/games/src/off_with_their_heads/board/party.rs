//! The teacup stack and the tea party.

use super::super::guest::Guest;
use super::super::layout::{ground, layout};
use super::super::sheet::Sheet;

/// A tag of the teacup stack.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    pub state: TagState,
    /// The Mad Hatter's.
    pub hat: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TagState {
    Empty,
    Available,
    Spent,
}

impl Tag {
    pub fn word(&self) -> &'static str {
        match self.state {
            TagState::Empty => "empty",
            TagState::Available => "available",
            TagState::Spent => "spent",
        }
    }
}

/// The stack: those spent first, then those to spend, then those not gained.
pub fn teacups(sheet: &Sheet) -> Vec<Tag> {
    let teacups = &layout().teacups;
    let tag = |place: u8| Tag {
        state: match place {
            _ if place < sheet.spent() => TagState::Spent,
            _ if place < sheet.gained() => TagState::Available,
            _ => TagState::Empty,
        },
        hat: place + 1 == teacups.hatter,
    };
    (0..teacups.stack).map(tag).collect()
}

/// A guest, here or on the way.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    pub guest: Guest,
    pub here: bool,
    /// How far the condition holds, of how much.
    pub progress: (u32, u32),
}

impl Invited {
    pub fn emblem(&self) -> &'static str {
        emblem(self.guest)
    }
}

/// The drawing of a guest.
pub fn emblem(guest: Guest) -> &'static str {
    match guest {
        Guest::Caterpillar => "caterpillar",
        Guest::HumptyDumpty => "humpty-dumpty",
        Guest::CheshireCat => "cheshire-cat",
        Guest::WhiteRabbit => "white-rabbit",
        Guest::Dormouse => "dormouse",
        Guest::MadHatter => "mad-hatter",
        Guest::MarchHare => "march-hare",
    }
}

pub fn tea_party(sheet: &Sheet) -> Vec<Invited> {
    let (ground, trees, cells) = (ground(), sheet.trees(), sheet.cells());
    let guests = sheet.guests();
    let of_trees = |wanted: u32| ((trees & wanted).count_ones(), wanted.count_ones());
    let of_cell = |cell: usize| ((cells >> cell & 1) as u32, 1);
    let mushrooms = 0..ground.sizes.len();
    let fewest_left =
        mushrooms.clone().min_by_key(|index| ground.sizes[*index] - sheet.mushroom(*index).len()).unwrap_or(0);
    let invited = |guest: Guest| Invited {
        guest,
        here: guests.contains(guest),
        progress: match guest {
            Guest::Caterpillar => (sheet.mushroom(fewest_left).len() as u32, ground.sizes[fewest_left] as u32),
            Guest::HumptyDumpty => of_cell(ground.humpty),
            Guest::CheshireCat => {
                (mushrooms.clone().filter(|index| !sheet.mushroom(*index).is_empty()).count().min(3) as u32, 3)
            }
            Guest::WhiteRabbit => of_cell(ground.rabbit),
            Guest::Dormouse => of_trees(ground.two_coloured),
            Guest::MadHatter => {
                (u32::from(sheet.gained().min(layout().teacups.hatter)), u32::from(layout().teacups.hatter))
            }
            Guest::MarchHare => of_trees(ground.hare),
        },
    };
    Guest::ALL.map(invited).to_vec()
}
