//! How many journeys lie between places, by free roads and the Underground.

use super::super::hexagon::{Hexagon, Hexagons, Place};
use super::super::roads::Land;

/// Farther than any place is.
pub const FAR: usize = 6;

/// The number of journeys from one place to each hexagon.
#[derive(Copy, Clone, Debug)]
pub struct Distances([usize; Hexagon::COUNT]);

impl Distances {
    pub fn to(&self, hexagon: Hexagon) -> usize {
        self.0[hexagon.index()]
    }

    /// The hexagon itself is no journey away; roads go on through the houses of the trail.
    pub fn from(land: &Land, place: Place, trail: Hexagons) -> Distances {
        let mut distances = [FAR; Hexagon::COUNT];
        let mut front = Hexagons::NONE;
        let mut below = place != Place::On(Hexagon::Citadel) && place.hexagon().is_none();
        // Off the board, the next turn only leads underground.
        let mut journeys = match place {
            Place::On(hexagon) => {
                front.insert(hexagon);
                distances[hexagon.index()] = 0;
                0
            }
            Place::Underground => 0,
            Place::Off => 1,
        };
        let mut known = front;
        let mut was_below = below;
        while journeys < FAR && (!front.is_empty() || below) {
            journeys += 1;
            let mut nets = front
                .iter()
                .fold(Default::default(), |nets: super::super::roads::Nets, hexagon| nets.or(land.nets_of(hexagon)));
            loop {
                let passed = land.touched_by(nets).and(trail);
                let further = passed.iter().fold(nets, |nets, house| nets.or(land.nets_of(house)));
                if further == nets {
                    break;
                }
                nets = further;
            }
            let holes = !nets.and(land.caved).is_empty();
            if below {
                nets = nets.or(land.caved);
            }
            front = land.touched_by(nets).without(known);
            front.iter().for_each(|hexagon| distances[hexagon.index()] = journeys);
            known = known.or(front);
            below = holes && !was_below;
            was_below |= below;
        }
        Distances(distances)
    }
}
