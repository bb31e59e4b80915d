//! The board as a picture.

use super::super::log::names;
use super::super::place::{Kind, Place};
use super::super::room::Room;
use super::super::tables::tables;
use super::super::view::PublicView;
use super::super::words;
use super::Sight;
use super::ways::Way;
use wonderpost_rules::Seat;

pub struct Map {
    pub label: String,
    pub paths: Vec<PathName>,
    pub rooms: Vec<Medallion>,
    pub pieces: Vec<Piece>,
    /// Where somebody has just come from.
    pub left: Vec<Place>,
    pub changes: Vec<String>,
}

pub struct Link {
    pub x1: i32,
    pub y1: i32,
    pub x2: i32,
    pub y2: i32,
}

/// The name of a path along a line.
pub struct PathName {
    pub id: &'static str,
    pub title: &'static str,
    pub line: String,
}

/// A space.
pub struct Spot {
    pub x: i32,
    pub y: i32,
    pub look: &'static str,
    pub title: String,
    /// The symbol in it, if it does something.
    pub symbol: Option<String>,
    /// The Room whose colour it wears.
    pub room: Option<Room>,
}

/// A Room.
pub struct Medallion {
    pub room: Room,
    pub x: i32,
    pub y: i32,
    pub number: u8,
    pub strength: String,
    treasures: usize,
    /// Where Power and Treasures are written: towards the middle, where nothing else is.
    pub label_x: i32,
    pub label_y: i32,
    pub title: String,
    pub fought: bool,
}

pub struct Door {
    pub room: Room,
    pub number: u8,
    pub x: i32,
    pub y: i32,
}

/// Somebody's standie.
pub struct Piece {
    pub seat: Seat,
    pub x: i32,
    pub y: i32,
    pub mine: bool,
    pub turn: bool,
    pub moved: bool,
    pub title: String,
}

/// The size of a place as it is drawn.
pub fn radius(place: Place) -> i32 {
    match place.kind() {
        Kind::Entrance => 80,
        Kind::Room(_) => 52,
        Kind::Plain | Kind::Roll | Kind::Treasure | Kind::Monster(_) => 25,
    }
}

impl Map {
    pub fn new(sight: &Sight, before: Option<&PublicView>, ways: &[Way]) -> Map {
        let table = &sight.view.table;
        let moved: Vec<bool> = match before {
            Some(before) => table.places.iter().zip(&before.places).map(|(now, then)| now != then).collect(),
            None => vec![false; table.places.len()],
        };
        let came_from = |before: &PublicView| {
            before.places.iter().zip(&moved).filter(|(_, moved)| **moved).map(|(place, _)| *place).collect()
        };
        Map {
            label: label(sight, ways),
            paths: tables().paths.iter().map(|path| PathName::new(&path.id, &path.title)).collect(),
            rooms: Room::all().map(|room| Medallion::new(room, table)).collect(),
            pieces: pieces(sight, &moved),
            left: before.map(came_from).unwrap_or_default(),
            changes: before.map(|before| changes(sight, before)).unwrap_or_default(),
        }
    }
}

fn label(sight: &Sight, ways: &[Way]) -> String {
    let table = &sight.view.table;
    let seats = Seat::all(table.places.len() as u8);
    let mut parts: Vec<String> = seats
        .zip(&table.places)
        .map(|(seat, at)| format!("{} at {}", sight.person(seat).does("is"), at.name()))
        .collect();
    parts.extend(ways.iter().map(|way| format!("{}, {}", way.words, way.name)));
    format!("The board. {}.", parts.join(". "))
}

/// The spaces of the paths.
pub fn spots() -> Vec<Spot> {
    Place::all().filter_map(Spot::new).collect()
}

/// What the Entrance roll leads to.
pub fn doors() -> Vec<Door> {
    Room::all().map(Door::new).collect()
}

/// The lines between the spaces.
pub fn links() -> Vec<Link> {
    let ends = tables().board.links.iter().map(|(one, other)| (one.facts(), other.facts()));
    ends.map(|(one, other)| Link { x1: one.x, y1: one.y, x2: other.x, y2: other.y }).collect()
}

/// A point at so many degrees clockwise from the top, so far from the middle.
fn polar(degrees: f64, far: f64) -> (i32, i32) {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    ((500.0 + far * sine).round() as i32, (500.0 - far * cosine).round() as i32)
}

impl PathName {
    fn new(id: &'static str, title: &'static str) -> PathName {
        let spaces: Vec<_> = tables()
            .board
            .places
            .iter()
            .filter(|place| place.path.is_some_and(|path| tables().paths[path].id == id))
            .collect();
        let degrees = |x: i32, y: i32| (f64::from(x - 500)).atan2(f64::from(500 - y)).to_degrees().rem_euclid(360.0);
        let middle = spaces.get(spaces.len() / 2).map_or(0.0, |space| degrees(space.x, space.y));
        let line = if spaces.len() > 2 {
            // Outside the ring, left to right: against the clock where that would be upside down.
            let upright = !(90.0..270.0).contains(&middle);
            let (far, from, to, sweep) = if upright { (440.0, -21.0, 21.0, 1) } else { (459.0, 21.0, -21.0, 0) };
            let ((x1, y1), (x2, y2)) = (polar(middle + from, far), polar(middle + to, far));
            format!("M{x1} {y1}A{far} {far} 0 0 {sweep} {x2} {y2}")
        } else {
            // Beside the spoke, left to right.
            let ((x1, y1), (x2, y2)) = (polar(middle, 92.0), polar(middle, 368.0));
            let ((x1, y1), (x2, y2)) = if x1 <= x2 { ((x1, y1), (x2, y2)) } else { ((x2, y2), (x1, y1)) };
            let (x, y) = (f64::from(x2 - x1), f64::from(y2 - y1));
            let length = x.hypot(y).max(1.0);
            let (up_x, up_y) = ((y / length * 34.0) as i32, (-x / length * 34.0) as i32);
            format!("M{} {}L{} {}", x1 + up_x, y1 + up_y, x2 + up_x, y2 + up_y)
        };
        PathName { id, title, line }
    }
}

impl Spot {
    fn new(place: Place) -> Option<Spot> {
        let facts = place.facts();
        let (look, symbol, room) = match facts.kind {
            Kind::Entrance | Kind::Room(_) => return None,
            Kind::Plain => ("plain", None, None),
            Kind::Roll => ("roll", Some("mw-again".to_owned()), None),
            Kind::Treasure => ("treasure", Some("mw-chest".to_owned()), None),
            Kind::Monster(room) => ("monster", Some(format!("mw-{room}")), Some(room)),
        };
        let title = format!("{}: {}", place.name(), words::kind(place));
        Some(Spot { x: facts.x, y: facts.y, look, title, symbol, room })
    }
}

impl Medallion {
    fn new(room: Room, table: &PublicView) -> Medallion {
        let (place, facts) = (room.place().facts(), room.facts());
        let strength = words::strength(room);
        let title = format!(
            "{}. {}, number {}: Power {strength}, {}",
            facts.title,
            facts.text,
            facts.number,
            words::treasures(facts.treasures)
        );
        let fought = table.fight.as_ref().is_some_and(|fight| fight.room == room);
        let far = if place.x == 500 { 335 } else { 300 };
        let towards = |value: i32| 500 + (value - 500) * far / 435;
        Medallion {
            room,
            x: place.x,
            y: place.y,
            number: facts.number,
            strength,
            treasures: facts.treasures,
            label_x: towards(place.x),
            label_y: towards(place.y),
            title,
            fought,
        }
    }
}

impl Medallion {
    /// The width of the plate that the Power is written on.
    pub fn plate(&self) -> i32 {
        24 + 10 * self.strength.len() as i32
    }

    /// Where each of its chests stands.
    pub fn chests(&self) -> impl Iterator<Item = i32> {
        let (number, middle) = (self.treasures as i32, self.label_x);
        (0..number).map(move |chest| middle - 13 * number + 26 * chest + 1)
    }
}

impl Door {
    fn new(room: Room) -> Door {
        let (column, line) = ((room.index() % 3) as i32, (room.index() / 3) as i32);
        Door { room, number: room.facts().number, x: 458 + 42 * column, y: 470 + 39 * line }
    }
}

/// Standies side by side on each place.
fn pieces(sight: &Sight, moved: &[bool]) -> Vec<Piece> {
    let table = &sight.view.table;
    let mut pieces = vec![];
    for place in Place::all() {
        let here: Vec<Seat> =
            Seat::all(table.places.len() as u8).filter(|seat| table.places[seat.index()] == place).collect();
        let facts = place.facts();
        let (x, y) = match facts.kind {
            Kind::Entrance => (facts.x, facts.y + 76),
            Kind::Room(_) => (facts.x, facts.y + 48),
            Kind::Plain | Kind::Roll | Kind::Treasure | Kind::Monster(_) => (facts.x, facts.y + 8),
        };
        let gap = if here.len() <= 3 { 32 } else { 25 };
        for (number, seat) in (0..).zip(&here) {
            let mine = sight.me == Some(*seat);
            let friends = &table.friends[seat.index()];
            let with = if friends.is_empty() { String::new() } else { format!(", with {}", names(friends)) };
            pieces.push(Piece {
                seat: *seat,
                x: x + gap * (2 * number - (here.len() as i32 - 1)) / 2,
                y,
                mine,
                turn: table.turn == *seat && !sight.view.over && !sight.ended_early,
                moved: moved.get(seat.index()).copied().unwrap_or(false),
                title: format!("{} at {}{with}", sight.person(*seat).capitalised(), place.name()),
            });
        }
    }
    pieces
}

/// What changed, in words.
fn changes(sight: &Sight, before: &PublicView) -> Vec<String> {
    let now = &sight.view.table;
    let mut changes = vec![];
    for seat in Seat::all(now.places.len() as u8) {
        let (index, who) = (seat.index(), sight.person(seat));
        if before.places[index] != now.places[index] {
            let (from, to) = (before.places[index].name(), now.places[index].name());
            changes.push(format!("{} went from {from} to {to}", who.capitalised()));
        }
        if before.friends[index] != now.friends[index] {
            let friends = &now.friends[index];
            let friends = if friends.is_empty() { "nobody".to_owned() } else { names(friends) };
            changes.push(format!("{} {friends} as Friends now", who.does("has")));
        }
        let (then, cards) = (before.hand_counts[index], now.hand_counts[index]);
        if then != cards {
            changes.push(format!("{} {cards} cards in hand, before it was {then}", who.does("has")));
        }
    }
    if before.treasure_deck != now.treasure_deck {
        changes.push(format!("{} left, before it was {}", words::treasures(now.treasure_deck), before.treasure_deck));
    }
    changes
}
