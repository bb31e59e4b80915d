//! MR-6: a map with its roads: what its nets touch and hold, landmasses and harbours.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bends;
use super::hexagon::{Hexagon, Hexagons};
use super::land::{Layout, PlacedSquare};
use super::nets::{Net, Nets, Netted, nets};
use super::suits::Suits;
use super::tile::TriangleTile;
use wonderpost_rules::Suit;

/// A map with its roads. Copies share it: a map changes only while it is built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Land(Arc<Roads>);

/// What can be paid for at a tile on a net.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The suit of the tile's set.
    pub set: Suit,
    /// The suits that pay there.
    pub takes: Suits,
    pub net: Net,
}

/// A square whose other road can be reached off-road.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    pub set: Suit,
    pub takes: Suits,
    pub nets: [Net; 2],
}

/// A triangle with its merchant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Merchant {
    pub tile: TriangleTile,
    pub net: Net,
    pub horse: Suits,
    /// The suits that the boat takes, if the triangle is seaside.
    pub boat: Option<Suits>,
    pub landmass: Hexagons,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roads {
    pub layout: Layout,
    suits: Suits,
    pub hexagons: Hexagons,
    /// What each net touches.
    pub touched: Vec<Hexagons>,
    /// The nets that lead off the board.
    pub open: Nets,
    /// The nets that hold a cave.
    pub caved: Nets,
    /// The nets that touch each hexagon.
    nets_of: [Nets; Hexagon::COUNT],
    /// The net of each road of each square.
    pub pieces: Vec<Vec<Net>>,
    /// The net of each triangle.
    pub triangles: Vec<Net>,
    pub harbours: Hexagons,
    pub caves: Vec<Stop>,
    pub taverns: Vec<Stop>,
    pub crossings: Vec<Crossing>,
    pub merchants: Vec<Merchant>,
}

#[derive(Serialize, Deserialize)]
struct Written {
    layout: Layout,
    suits: Suits,
}

impl From<Written> for Land {
    fn from(written: Written) -> Land {
        Land::unturned(written.layout, written.suits)
    }
}

impl From<Land> for Written {
    fn from(land: Land) -> Written {
        Written { layout: land.0.layout.clone(), suits: land.0.suits }
    }
}

impl std::ops::Deref for Land {
    type Target = Roads;

    fn deref(&self) -> &Roads {
        &self.0
    }
}

impl Land {
    /// The map as it lies, whether or not it is finished.
    pub fn unturned(layout: Layout, suits: Suits) -> Land {
        Land(Arc::new(Roads::of(layout, suits)))
    }

    /// A finished map, with its bends turned (MR-8).
    pub fn finished(mut layout: Layout, suits: Suits) -> Land {
        bends::turn(&mut layout);
        Land::unturned(layout, suits)
    }
}

impl Roads {
    fn of(layout: Layout, suits: Suits) -> Roads {
        let Netted { pieces, triangles, touched, open } = nets(&layout);
        let hexagons = layout.hexagons();
        let mut nets_of = [Nets::NONE; Hexagon::COUNT];
        for (net, touched) in touched.iter().enumerate() {
            touched.iter().for_each(|hexagon| nets_of[hexagon.index()] = nets_of[hexagon.index()].or(Nets::one(net)));
        }
        let harbours = open.iter().fold(Hexagons::NONE, |harbours, net| harbours.or(touched[net]));
        let stop = |square: &PlacedSquare, takes: Suits, nets: &[Net]| {
            let takes = takes.and(suits);
            (!takes.is_empty()).then_some(Stop { set: square.tile.suit, takes, net: nets[0] })
        };
        let roads = || layout.squares.iter().zip(&pieces);
        let caves: Vec<Stop> =
            roads().filter_map(|(square, nets)| stop(square, square.tile.shows().cave, nets)).collect();
        let taverns = roads().filter_map(|(square, nets)| stop(square, square.tile.shows().tavern, nets)).collect();
        let crossings = roads()
            .filter_map(|(square, nets)| match nets[..] {
                [one, other] if !square.tile.shows().hike.is_empty() => {
                    Some(Crossing { set: square.tile.suit, takes: square.tile.shows().hike, nets: [one, other] })
                }
                _ => None,
            })
            .collect();
        let merchants = layout
            .triangles
            .iter()
            .zip(&triangles)
            .map(|(triangle, net)| {
                let squares: Vec<_> = triangle.at.squares().iter().filter_map(|slot| layout.square_at(*slot)).collect();
                let hexagon = squares.first().and_then(|square| layout.hexagon_at(square.at.a));
                Merchant {
                    tile: triangle.tile,
                    net: *net,
                    horse: triangle.tile.shows().horse,
                    boat: (squares.len() < 3).then(|| triangle.tile.boat(suits)),
                    landmass: hexagon.map_or(Hexagons::NONE, |hexagon| landmass(&layout, hexagon)),
                }
            })
            .collect();
        let caved = caves.iter().fold(Nets::NONE, |nets, cave| nets.or(Nets::one(cave.net)));
        Roads {
            suits,
            hexagons,
            open,
            caved,
            nets_of,
            harbours,
            caves,
            taverns,
            crossings,
            merchants,
            touched,
            pieces,
            triangles,
            layout,
        }
    }

    pub fn nets_of(&self, hexagon: Hexagon) -> Nets {
        self.nets_of[hexagon.index()]
    }

    /// All hexagons that these nets touch.
    pub fn touched_by(&self, nets: Nets) -> Hexagons {
        nets.iter().fold(Hexagons::NONE, |touched, net| touched.or(self.touched[net]))
    }
}

/// The hexagons joined to this one by squares, whatever their roads.
fn landmass(layout: &Layout, hexagon: Hexagon) -> Hexagons {
    let mut mass = Hexagons::one(hexagon);
    loop {
        let before = mass;
        for square in &layout.squares {
            if let (Some(a), Some(b)) = (layout.hexagon_at(square.at.a), layout.hexagon_at(square.at.b))
                && (mass.contains(a) || mass.contains(b))
            {
                mass = mass.or(Hexagons::one(a)).or(Hexagons::one(b));
            }
        }
        if mass == before {
            return mass;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MR-7: the nets of the sample board, as the rulebook lists them.
    #[test]
    fn the_sample_board_has_the_nets_that_follow_from_its_tiles() {
        let land = Land::finished(Layout::sample(Suits::ALL), Suits::ALL);
        let mut nets: Vec<String> = (0..land.touched.len())
            .map(|net| {
                let stops = |stops: &[Stop]| stops.iter().filter(|stop| stop.net == net).count();
                let touched: Vec<String> = land.touched[net].iter().map(|hexagon| hexagon.to_string()).collect();
                let merchants = land.merchants.iter().filter(|merchant| merchant.net == net);
                let mut merchants: Vec<String> = merchants.map(|merchant| merchant.tile.to_string()).collect();
                merchants.sort();
                let leads = if land.open.contains(net) { "off" } else { "nowhere else" };
                let (caves, taverns) = (stops(&land.caves), stops(&land.taverns));
                format!("{} | {caves} {taverns} | {} | {leads}", touched.join(" "), merchants.join(" "))
            })
            .collect();
        nets.sort();
        assert_eq!(
            nets,
            [
                "JH citadel | 0 1 |  | nowhere else",
                "JS KH QC | 1 0 | D5 D6 | off",
                "KH | 0 0 |  | off",
                "KS JD | 0 1 |  | nowhere else",
                "QH QD KC citadel | 1 1 | C4 H4 H6 | off",
                "QS KD JC | 2 0 | C5 C6 D4 S5 S6 | off",
                "QS KS | 0 1 |  | nowhere else",
                "QS QH JD citadel | 0 0 | H5 S4 | off",
            ]
        );
        let inland: Vec<String> =
            land.hexagons.without(land.harbours).iter().map(|hexagon| hexagon.to_string()).collect();
        assert_eq!(inland, ["KS", "JH"]);
    }
}
