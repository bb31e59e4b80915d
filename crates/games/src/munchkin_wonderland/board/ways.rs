//! The places that a roll leads to, in words.

use super::super::moves::Move;
use super::super::phase::RollKind;
use super::super::place::{Kind, Place};
use super::super::words;
use super::Sight;

/// A place that can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The same letter marks it on the board.
    pub letter: char,
    pub place: Place,
    /// “left, 3 spaces: a Treasure space”.
    pub words: String,
    pub name: String,
    pub effect: String,
    pub say: String,
    /// Where one comes through, from where one is.
    pub through: Vec<Place>,
    /// One runs there, and nothing happens.
    pub hiding: bool,
}

impl Way {
    pub fn all(sight: &Sight) -> Vec<Way> {
        let table = &sight.view.table;
        let Some(roll) = table.roll else { return vec![] };
        let from = table.places[table.turn.index()];
        let walks = match roll.kind {
            RollKind::Move | RollKind::Run => from.ways(roll.value),
            RollKind::Entrance => vec![],
        };
        let places = sight.moves.iter().filter_map(|mv| match mv {
            Move::Go(place) => Some((mv, *place)),
            _ => None,
        });
        ('A'..)
            .zip(places)
            .map(|(letter, (mv, place))| {
                let walk = walks.iter().find(|walk| walk.last() == Some(&place));
                let words = match walk {
                    Some(walk) => format!("{}: {}", steps(from, walk), words::kind(place)),
                    None => format!("the {} leads to {}", roll.value, words::kind(place)),
                };
                let effect = match roll.kind {
                    RollKind::Run => "nothing happens there".to_owned(),
                    RollKind::Move | RollKind::Entrance => words::effect(place),
                };
                let through = std::iter::once(from).chain(walk.into_iter().flatten().copied()).collect();
                let hiding = roll.kind == RollKind::Run;
                Way { letter, place, words, name: place.name(), effect, say: mv.to_string(), through, hiding }
            })
            .collect()
    }

    /// What one writes for the place: “shore-3”.
    pub fn word(&self) -> &str {
        self.say.strip_prefix("go ").unwrap_or(&self.say)
    }

    /// How wide the plate is on which that is drawn.
    pub fn plate(&self) -> i32 {
        12 * i32::try_from(self.word().len()).unwrap_or_default() + 16
    }

    /// What one goes there for: “Draw a Treasure”.
    pub fn title(&self) -> String {
        match self.place.kind() {
            _ if self.hiding => self.name.clone(),
            Kind::Entrance => "The Entrance".to_owned(),
            Kind::Room(room) | Kind::Monster(room) => format!("Fight {}", room.monster()),
            Kind::Plain => "Nothing".to_owned(),
            Kind::Roll => "Roll again".to_owned(),
            Kind::Treasure => "Draw a Treasure".to_owned(),
        }
    }

    /// Where it is, or what to expect of it.
    pub fn below(&self) -> String {
        match self.place.kind() {
            _ if self.hiding => "nothing happens".to_owned(),
            Kind::Entrance => "a Treasure, then a fight by the die".to_owned(),
            Kind::Room(room) | Kind::Monster(room) => {
                format!("{}: {}", words::strength(room), words::treasures(room.facts().treasures))
            }
            Kind::Plain | Kind::Roll | Kind::Treasure => self.name.clone(),
        }
    }

    /// The way as points of a line.
    pub fn points(&self) -> String {
        let points = self.through.iter().map(|place| format!("{},{}", place.facts().x, place.facts().y));
        points.collect::<Vec<_>>().join(" ")
    }

    /// Where its letter stands, beside the place and away from the middle.
    pub fn mark(&self) -> (i32, i32) {
        let facts = self.place.facts();
        let (x, y) = (f64::from(facts.x - 500), f64::from(facts.y - 500));
        let from_middle = x.hypot(y).max(1.0);
        let out = if self.place.room().is_some() { -78.0 } else { -48.0 };
        let along = |value: f64| (value / from_middle * out) as i32;
        if from_middle < 2.0 { (500, 392) } else { (facts.x + along(x), facts.y + along(y)) }
    }

    pub fn radius(&self) -> i32 {
        super::map::radius(self.place) + 9
    }
}

/// “left, 3 spaces”.
fn steps(from: Place, walk: &[Place]) -> String {
    let direction = walk.first().map_or("", |first| direction(from, *first));
    match walk.len() {
        1 => format!("{direction}, 1 space"),
        number => format!("{direction}, {number} spaces"),
    }
}

/// Which way a step goes on the drawn board.
pub fn direction(from: Place, to: Place) -> &'static str {
    let (from, to) = (from.facts(), to.facts());
    let (x, y) = (to.x - from.x, to.y - from.y);
    match (x.abs() >= y.abs(), x < 0, y < 0) {
        (true, true, _) => "left",
        (true, false, _) => "right",
        (false, _, true) => "up",
        (false, _, false) => "down",
    }
}
