//! What a mark brings besides itself: told in the log afterwards, and beside each legal space beforehand.

use super::guest::GuestSet;
use super::layout::{Icon, ground, layout};
use super::sheet::Sheet;
use super::space::{Place, Space};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brings {
    pub icon: Option<Icon>,
    /// Those who come with it.
    pub guests: GuestSet,
    /// The mushroom that it completes.
    pub mushroom: Option<usize>,
    /// The circles that it closes.
    pub circles: Vec<usize>,
    /// The number in a starred cell.
    pub star: Option<u8>,
    pub red_keep: bool,
    /// OWH-37: the rule was kept, and is broken now.
    pub wakes_jabberwock: bool,
}

impl Brings {
    /// What painting this number here would bring.
    pub fn of(sheet: &Sheet, space: Space, number: u8) -> Brings {
        let mut after = *sheet;
        after.paint(space, number);
        let already = sheet.guests();
        let mut brings = Brings {
            icon: sheet.icon(space),
            guests: after.guests().iter().filter(|guest| !already.contains(*guest)).collect(),
            ..Brings::default()
        };
        match space.place() {
            Place::Mushroom(index) => brings.mushroom = after.full(index).then_some(index),
            Place::Tree(_) => {
                let closed: Vec<usize> = sheet.closed_circles().collect();
                brings.circles = after.closed_circles().filter(|circle| !closed.contains(circle)).collect();
                brings.wakes_jabberwock = sheet.would_wake(space, number);
            }
            Place::Cell(index) => {
                brings.star = (ground().stars >> index & 1 == 1).then_some(number);
                brings.red_keep = index == ground().red_keep;
            }
        }
        brings
    }

    /// The same in a few words each, the best first.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![];
        if self.red_keep {
            words.push("the Red Keep: two bonus marks".to_owned());
        }
        if let Some(mushroom) = self.mushroom.map(|index| &layout().meadow.mushrooms[index]) {
            words.push(format!("completes the {} for {} VP", mushroom.name, mushroom.vp));
        }
        for circle in self.circles.iter().map(|index| &layout().woods.circles[*index]) {
            words.push(format!("closes a circle of {} VP", circle.vp));
        }
        if let Some(number) = self.star {
            words.push(format!("a star: {number} VP"));
        }
        match self.icon {
            Some(Icon::Biscuit) => words.push("a biscuit".to_owned()),
            Some(Icon::Teacup) => words.push("a teacup".to_owned()),
            None => {}
        }
        words.extend(self.guests.iter().map(|guest| format!("{} comes to tea", guest.title())));
        if self.wakes_jabberwock {
            words.push("wakes the Jabberwock".to_owned());
        }
        words
    }
}
