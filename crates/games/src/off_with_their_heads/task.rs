//! The marks that a player is asked for, one at a time: the card's mark, a biscuit's repeat, the Red Keep's bonus marks.

use serde::{Deserialize, Serialize};

use super::layout::ground;
use super::moves::{Marking, Move};
use super::names::fully_at;
use super::sheet::Sheet;
use super::space::{Colour, Place, Space, Zone};
use wonderpost_rules::{Card, Rank, Refusal};

/// A mark to be made.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// OWH-11: for the card, in the zone of its rank.
    Card { card: Card, zone: Zone },
    /// OWH-24: the same once more, elsewhere than in the biscuit's zone.
    Repeat { number: u8, colour: Colour, not_in: Zone },
    /// OWH-27: any number and colour in this zone.
    RedKeep { zone: Zone },
}

/// A mark as it is made.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    pub space: Space,
    pub number: u8,
    #[serde(rename = "color")]
    pub colour: Colour,
    /// OWH-13, OWH-14: whether a teacup was spent on the zone, and on the colour.
    #[serde(default, skip_serializing_if = "is_false")]
    pub zone_changed: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub color_changed: bool,
    /// OWH-17: whether it was the only way.
    #[serde(default, skip_serializing_if = "is_false")]
    pub only_way: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl Mark {
    pub const fn teacups(&self) -> u8 {
        self.zone_changed as u8 + self.color_changed as u8
    }
}

/// OWH-10: the numbers that a card's mark may have.
pub fn numbers_of(card: Card) -> &'static [u8] {
    const NUMBERS: [u8; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    match card {
        Card::Plain(_, Rank::Ace) => &[1, 11],
        Card::Plain(_, rank) => {
            let number = (rank as usize + 2).min(10);
            &NUMBERS[number - 1..number]
        }
        Card::BlackJoker | Card::RedJoker => &[],
    }
}

/// All numbers, for the Red Keep.
pub const ALL_NUMBERS: [u8; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

impl Task {
    /// The name of its prompt.
    pub const fn prompt(&self) -> &'static str {
        match self {
            Task::Card { .. } => "mark",
            Task::Repeat { .. } => "biscuit",
            Task::RedKeep { .. } => "red-keep",
        }
    }

    /// The zones it may go to without teacups.
    pub fn zones(&self) -> Vec<Zone> {
        match self {
            Task::Card { zone, .. } | Task::RedKeep { zone } => vec![*zone],
            Task::Repeat { not_in, .. } => Zone::ALL.into_iter().filter(|zone| zone != not_in).collect(),
        }
    }

    pub fn numbers(&self) -> Vec<u8> {
        match self {
            Task::Card { card, .. } => numbers_of(*card).to_vec(),
            Task::Repeat { number, .. } => vec![*number],
            Task::RedKeep { .. } => ALL_NUMBERS.to_vec(),
        }
    }

    /// `None`: any.
    pub fn colour(&self) -> Option<Colour> {
        match self {
            Task::Card { card, .. } => Some(Colour::of(*card)),
            Task::Repeat { colour, .. } => Some(*colour),
            Task::RedKeep { .. } => None,
        }
    }

    /// All marks that may be made, in sheet order, the smaller number first.
    pub fn marks(&self, sheet: &Sheet) -> Vec<Mark> {
        match self {
            Task::Card { card, zone } => card_marks(sheet, *card, *zone),
            Task::Repeat { number, colour, not_in } => {
                let spaces = sheet.spaces(*number, *colour);
                let open = Space::all().filter(|space| spaces >> space.index() & 1 == 1 && space.zone() != *not_in);
                open.map(|space| plain(space, *number, *colour)).collect()
            }
            Task::RedKeep { zone } => {
                let mut marks = Vec::with_capacity(32);
                for space in Space::of(*zone) {
                    // The colour of the bonus mark is that of the space.
                    let colour = ground().colours[space.index()].any();
                    let numbers = ALL_NUMBERS.into_iter().filter(|number| sheet.fits(space, *number, colour));
                    marks.extend(numbers.map(|number| plain(space, number, colour)));
                }
                marks
            }
        }
    }

    /// The move that says this mark.
    pub fn say(&self, mark: &Mark) -> Move {
        let says_number = match self {
            Task::Card { card, .. } => numbers_of(*card).len() > 1,
            Task::Repeat { .. } => false,
            Task::RedKeep { .. } => true,
        };
        Move::Mark(Marking {
            space: mark.space,
            number: says_number.then_some(mark.number),
            zone: mark.zone_changed,
            colour: mark.color_changed,
        })
    }

    /// What may be said besides marks.
    pub fn way_out(&self, marks: &[Mark]) -> Option<Move> {
        match self {
            // OWH-16: only if it cannot be made without teacups.
            Task::Card { .. } => marks.iter().all(|mark| mark.teacups() > 0).then_some(Move::Lose),
            Task::Repeat { .. } | Task::RedKeep { .. } => Some(Move::Skip),
        }
    }

    /// Why a marking is not among the marks.
    pub fn refuse(&self, sheet: &Sheet, marking: &Marking, marks: &[Mark]) -> Refusal {
        let Marking { space, number, .. } = marking;
        let here: Vec<Move> = marks.iter().filter(|mark| mark.space == *space).map(|mark| self.say(mark)).collect();
        if let Some(say) = here.first() {
            let either = here.get(1).map(|other| format!(" or “{other}”")).unwrap_or_default();
            return Refusal::new(format!("Here it has to be said as “{say}”{either}."));
        }
        let full = match space.place() {
            Place::Mushroom(index) => sheet.full(index),
            Place::Tree(index) => sheet.tree(index).is_some(),
            Place::Cell(index) => sheet.cell(index).is_some(),
        };
        if full {
            return Refusal::new(format!("There is no room left {}.", fully_at(*space)));
        }
        match self {
            Task::Card { .. } => {}
            Task::Repeat { not_in, .. } if space.zone() == *not_in => {
                return Refusal::new(format!("A biscuit of the {0} is repeated outside the {0}.", not_in.name()));
            }
            Task::RedKeep { zone } if space.zone() != *zone => {
                return Refusal::new(format!("This bonus mark goes to the {}.", zone.name()));
            }
            Task::Repeat { .. } | Task::RedKeep { .. } => {}
        }
        let numbers = match number {
            Some(number) => vec![*number],
            None => self.numbers(),
        };
        if let Place::Mushroom(index) = space.place()
            && numbers.iter().all(|number| sheet.mushroom(index).contains(number))
        {
            return Refusal::new(format!("That number stands {} already.", fully_at(*space)));
        }
        let colour = self.colour().map_or("", Colour::name);
        let card = match self {
            Task::Card { card, zone } => format!(
                " The {} marks in the {}, and you have {} to spend.",
                super::cards::short(*card),
                zone.name(),
                match sheet.available() {
                    0 => "no teacup".to_owned(),
                    1 => "one teacup".to_owned(),
                    teacups => format!("{teacups} teacups"),
                }
            ),
            Task::Repeat { .. } | Task::RedKeep { .. } => String::new(),
        };
        let place = fully_at(*space);
        match space.place() {
            Place::Cell(_) => Refusal::new(format!(
                "A {colour} mark cannot be made {place} now: each colour comes into the Keep by its own gate, and goes on from cell to cell, not through walls.{card}"
            )),
            Place::Mushroom(_) | Place::Tree(_) => {
                Refusal::new(format!("A {colour} mark cannot be made {place}.{card}"))
            }
        }
    }
}

fn plain(space: Space, number: u8, colour: Colour) -> Mark {
    Mark { space, number, colour, zone_changed: false, color_changed: false, only_way: false }
}

/// OWH-12 to OWH-15: in its own zone and colour, or changed as far as the teacups go.
fn card_marks(sheet: &Sheet, card: Card, zone: Zone) -> Vec<Mark> {
    let own = Colour::of(card);
    let teacups = sheet.available();
    let numbers = numbers_of(card);
    let fitting: Vec<(u8, u64, u64)> = numbers
        .iter()
        .map(|number| {
            let in_own = sheet.spaces(*number, own);
            // OWH-15: the colour is changed only where the card's own does not do.
            let in_other = if teacups > 0 { sheet.spaces(*number, own.other()) & !in_own } else { 0 };
            (*number, in_own, in_other)
        })
        .collect();
    let mut marks = Vec::with_capacity(16);
    for space in Space::all() {
        for (number, in_own, in_other) in &fitting {
            let color_changed = in_other >> space.index() & 1 == 1;
            if !color_changed && in_own >> space.index() & 1 == 0 {
                continue;
            }
            let zone_changed = space.zone() != zone;
            let colour = if color_changed { own.other() } else { own };
            let mark = Mark { zone_changed, color_changed, ..plain(space, *number, colour) };
            if mark.teacups() <= teacups {
                marks.push(mark);
            }
        }
    }
    marks
}
