//! How many journeys lie between places, by free roads and the Underground.

use super::super::hexagon::{Hexagon, Hexagons, Place};
use super::super::nets::Nets;
use super::super::roads::Land;
use super::super::transfer::Start;

/// Farther than any place is.
pub const FAR: u8 = 6;

/// The number of journeys from each place to each hexagon.
pub struct Atlas {
    from: [[u8; Hexagon::COUNT]; Hexagon::COUNT + 1],
}

/// The row of the Underground.
const UNDERGROUND: usize = Hexagon::COUNT;

impl Atlas {
    /// Roads go on through the houses of the trail.
    pub fn new(land: &Land, trail: Hexagons) -> Atlas {
        let mut from = [[FAR; Hexagon::COUNT]; Hexagon::COUNT + 1];
        for hexagon in land.hexagons.iter() {
            from[hexagon.index()] = journeys(land, Place::On(hexagon), trail);
        }
        from[UNDERGROUND] = journeys(land, Place::Underground, trail);
        Atlas { from }
    }

    pub fn distance(&self, from: Place, to: Hexagon) -> u8 {
        match from {
            Place::On(hexagon) => self.from[hexagon.index()][to.index()],
            Place::Underground => self.from[UNDERGROUND][to.index()],
            // The next turn only leads underground.
            Place::Off => self.from[UNDERGROUND][to.index()] + 1,
        }
    }
}

/// Goes out journey by journey.
fn journeys(land: &Land, start: Place, trail: Hexagons) -> [u8; Hexagon::COUNT] {
    let mut distances = [FAR; Hexagon::COUNT];
    let mut known: Hexagons = start.hexagon().into_iter().collect();
    known.iter().for_each(|hexagon| distances[hexagon.index()] = 0);
    let mut front = known;
    let (mut below, mut was_below) = (start == Place::Underground, start == Place::Underground);
    for journey in 1..FAR {
        let mut nets = Nets::NONE;
        for hexagon in front.iter() {
            nets = nets.or(Start::of(land, Place::On(hexagon), trail).nets);
        }
        let holes = !nets.and(land.caved).is_empty();
        if below {
            nets = nets.or(land.caved);
        }
        front = land.touched_by(nets).without(known);
        front.iter().for_each(|hexagon| distances[hexagon.index()] = journey);
        known = known.or(front);
        below = holes && !was_below;
        was_below |= below;
        if front.is_empty() && !below {
            break;
        }
    }
    distances
}
