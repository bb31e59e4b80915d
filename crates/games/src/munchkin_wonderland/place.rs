//! The places of the board, and how one walks from one to another.

use std::fmt;

use super::named::{goes_by_its_id, within};
use super::room::Room;
use super::tables::tables;

/// A place of the board. The order is the byte order of the ids.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(u8);

goes_by_its_id!(Place, "place");

/// What a place does to somebody whose walk ends there.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Entrance,
    Room(Room),
    Plain,
    Roll,
    Treasure,
    /// With the Room that it leads to.
    Monster(Room),
}

/// What the tables say of a place.
#[derive(Debug)]
pub struct PlaceFacts {
    pub id: String,
    pub kind: Kind,
    /// The path that a space lies on, by its place in the list.
    pub path: Option<usize>,
    pub x: i32,
    pub y: i32,
}

/// The places with their links.
pub struct Board {
    pub places: Vec<PlaceFacts>,
    pub links: Vec<(Place, Place)>,
    neighbours: Vec<PlaceSet>,
    /// Shortest ways along links, whatever is on the way.
    distances: Vec<Vec<u8>>,
    entrance: Place,
    /// By number.
    rooms: Vec<Place>,
}

impl Board {
    pub fn new(places: Vec<PlaceFacts>, links: Vec<(Place, Place)>) -> Board {
        let mut neighbours = vec![PlaceSet::EMPTY; places.len()];
        for (one, other) in &links {
            neighbours[one.index()].insert(*other);
            neighbours[other.index()].insert(*one);
        }
        let all = || (0..places.len() as u8).map(Place);
        let distances = all().map(|from| distances(from, &neighbours)).collect();
        let find = |wanted: &dyn Fn(Kind) -> bool| all().filter(|place| wanted(places[place.index()].kind)).collect();
        let entrances: Vec<Place> = find(&|kind| kind == Kind::Entrance);
        let mut rooms: Vec<Place> = find(&|kind| matches!(kind, Kind::Room(_)));
        rooms.sort_by_key(|place| match places[place.index()].kind {
            Kind::Room(room) => room.index(),
            _ => usize::MAX,
        });
        Board { entrance: entrances[0], rooms, neighbours, distances, places, links }
    }

    pub fn place_of(&self, room: Room) -> Place {
        self.rooms[room.index()]
    }
}

fn distances(from: Place, neighbours: &[PlaceSet]) -> Vec<u8> {
    let mut distances = vec![u8::MAX; neighbours.len()];
    distances[from.index()] = 0;
    let mut reached = vec![from];
    let mut next = 0;
    while let Some(place) = reached.get(next).copied() {
        next += 1;
        for neighbour in neighbours[place.index()].iter() {
            if distances[neighbour.index()] == u8::MAX {
                distances[neighbour.index()] = distances[place.index()] + 1;
                reached.push(neighbour);
            }
        }
    }
    distances
}

impl Place {
    pub const fn numbered(index: u8) -> Place {
        Place(index)
    }

    pub fn all() -> impl ExactSizeIterator<Item = Place> {
        (0..tables().board.places.len() as u8).map(Place)
    }

    pub fn entrance() -> Place {
        tables().board.entrance
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub fn facts(self) -> &'static PlaceFacts {
        &tables().board.places[self.index()]
    }

    pub fn id(self) -> &'static str {
        &self.facts().id
    }

    pub fn kind(self) -> Kind {
        self.facts().kind
    }

    /// The place by name: “Sandy Shore 4”, “the Duchess's Room”, “the Entrance”.
    pub fn name(self) -> String {
        let facts = self.facts();
        match (facts.kind, facts.path) {
            (Kind::Entrance, _) => "the Entrance".to_owned(),
            (Kind::Room(room), _) => format!("{}'s Room", within(room.title())),
            (_, Some(path)) => {
                let number = facts.id.rsplit('-').next().unwrap_or_default();
                format!("{} {number}", tables().paths[path].title)
            }
            (_, None) => facts.id.clone(),
        }
    }

    pub fn neighbours(self) -> PlaceSet {
        tables().board.neighbours[self.index()]
    }

    /// MW-38: the links of the shortest way between two places.
    pub fn distance(self, other: Place) -> u8 {
        tables().board.distances[self.index()][other.index()]
    }

    /// Whether every walk that comes here ends here.
    fn stops(self) -> bool {
        match self.kind() {
            Kind::Entrance | Kind::Room(_) => true,
            Kind::Plain | Kind::Roll | Kind::Treasure | Kind::Monster(_) => false,
        }
    }

    /// MW-5: all the places where a walk of so many steps can end.
    pub fn walk(self, steps: u8) -> PlaceSet {
        let mut ends = PlaceSet::EMPTY;
        if steps > 0 {
            self.neighbours().iter().for_each(|next| next.walk_on(self, steps - 1, &mut ends));
        }
        ends
    }

    fn walk_on(self, from: Place, steps: u8, ends: &mut PlaceSet) {
        if steps == 0 || self.stops() {
            ends.insert(self);
            return;
        }
        // Never back along the link just taken.
        self.neighbours().iter().filter(|next| *next != from).for_each(|next| next.walk_on(self, steps - 1, ends));
    }

    /// One way for each place where a walk of so many steps can end: the places one comes through, the end last.
    pub fn ways(self, steps: u8) -> Vec<Vec<Place>> {
        let mut ways = Vec::new();
        let mut begun: Vec<Vec<Place>> = self.neighbours().iter().map(|next| vec![next]).collect();
        while let Some(way) = begun.pop() {
            let [.., last] = way[..] else { continue };
            let before = if way.len() > 1 { way[way.len() - 2] } else { self };
            if way.len() >= usize::from(steps) || last.stops() {
                ways.push(way);
                continue;
            }
            let on = last.neighbours().iter().filter(|next| *next != before);
            begun.extend(on.map(|next| way.iter().copied().chain([next]).collect()));
        }
        ways.sort_by_key(|way: &Vec<Place>| (way.last().copied(), way.len()));
        ways.dedup_by_key(|way| way.last().copied());
        ways
    }
}

/// A set of places; iterates in byte order of their ids.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
pub struct PlaceSet(u64);

impl PlaceSet {
    pub const EMPTY: PlaceSet = PlaceSet(0);

    pub const fn contains(self, place: Place) -> bool {
        self.0 & (1 << place.0) != 0
    }

    pub const fn insert(&mut self, place: Place) {
        self.0 |= 1 << place.0;
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn iter(self) -> impl Iterator<Item = Place> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (place < u64::BITS).then_some(Place(place as u8))
        })
    }
}

impl fmt::Debug for PlaceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(id: &str) -> Place {
        id.parse().unwrap()
    }

    fn ends(from: &str, steps: u8) -> Vec<&'static str> {
        place(from).walk(steps).iter().map(Place::id).collect()
    }

    #[test]
    fn there_are_43_places_and_45_links() {
        assert_eq!(Place::all().len(), 43);
        assert_eq!(tables().board.links.len(), 45);
        assert!(Place::all().map(Place::id).is_sorted());
    }

    #[test]
    fn every_room_is_six_steps_from_the_entrance_and_from_its_neighbours() {
        for room in Room::all() {
            assert_eq!(Place::entrance().distance(room.place()), 6);
            let near = Room::all().filter(|other| room.place().distance(other.place()) == 6);
            assert_eq!(near.count(), 2);
        }
    }

    #[test]
    fn a_walk_stops_in_a_room_and_forks_where_a_spoke_meets_the_ring() {
        assert_eq!(ends("wood-2", 3), ["white-queen", "wood-5"]);
        assert_eq!(ends("entrance", 4).len(), 6);
        assert_eq!(ends("entrance", 14).len(), 6);
    }

    #[test]
    fn there_is_a_way_to_each_end_of_a_walk() {
        for from in Place::all() {
            for steps in 1..9 {
                let ways = from.ways(steps);
                let ends: Vec<Place> = ways.iter().filter_map(|way| way.last().copied()).collect();
                assert_eq!(ends, from.walk(steps).iter().collect::<Vec<_>>());
                assert!(ends.len() >= 2 && !ends.contains(&from));
                assert!(ways.iter().all(|way| way.len() <= usize::from(steps)));
            }
        }
    }
}
