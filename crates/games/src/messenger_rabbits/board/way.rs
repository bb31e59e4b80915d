//! The way that a journey on offer would take, as a line on the map.

use super::super::cards::Cards;
use super::super::hexagon::{Hexagon, Hexagons, Place};
use super::super::moves::{Move, Transfer};
use super::super::phase::Action;
use super::super::roads::Land;
use super::super::suits::Suits;
use super::drawing::{Chart, Point, path};
use super::route::{self, Node};

/// From where, and over which ground.
pub struct Ways<'a> {
    pub land: &'a Land,
    pub chart: &'a Chart,
    pub from: Place,
    pub trail: Hexagons,
    /// The middle of the Underground.
    pub burrow: Point,
    /// The suits in play.
    pub suits: Suits,
}

impl Ways<'_> {
    /// The way of a journey or flight; nothing for other moves, and for roads off the board.
    pub fn line(&self, mv: &Move) -> Option<String> {
        match *mv {
            Move::Go(Place::On(to)) => Some(self.set_out(&self.walk(|node| node == Node::Hexagon(to))?)),
            Move::Go(Place::Underground) => self.to_the_burrow(),
            Move::Joker(to) | Move::Fly { to, .. } => Some(route::by_air(self.start()?, self.home(to)?)),
            Move::Act(Action::Travel(by, to), paid) => self.transfer(by, to, paid.unwrap_or_default()),
            _ => None,
        }
    }

    fn transfer(&self, by: Transfer, to: Hexagon, paid: Cards) -> Option<String> {
        let layout = &self.land.layout;
        let pays = |takes: Suits| takes.and(self.suits).cards().holds(paid);
        let merchant = |node: Node, fits: fn(&super::super::roads::Merchant, Hexagon) -> Option<Suits>| match node {
            Node::Triangle(place) => {
                self.land.merchants.get(place).is_some_and(|merchant| fits(merchant, to).is_some_and(pays))
            }
            Node::Hexagon(_) | Node::Piece { .. } => false,
        };
        match by {
            Transfer::Horse => {
                let horse =
                    |node| merchant(node, |merchant, to| merchant.landmass.contains(to).then_some(merchant.horse));
                self.then_through_the_air(horse, to)
            }
            Transfer::Boat => self.then_through_the_air(|node| merchant(node, |merchant, _| merchant.boat), to),
            Transfer::Tavern => {
                let tavern = self.walk(|node| match node {
                    Node::Piece { square, road: 0 } => {
                        let takes = layout.squares[square].tile.shows().tavern;
                        !takes.and(self.suits).is_empty() && pays(takes)
                    }
                    _ => false,
                })?;
                Some(self.set_out(&tavern) + &self.drawn(&self.on_road(*tavern.last()?, to)?))
            }
            Transfer::Hole => {
                let into = self.walk(|node| self.is_cave(node, &pays))?;
                let out =
                    route::walk(self.land, &[Node::Hexagon(to)], Hexagons::NONE, |node| self.is_cave(node, &|_| true))?;
                let between = route::by_air(self.middle(*into.last()?)?, self.middle(*out.last()?)?);
                Some(self.set_out(&into) + &between + &self.drawn(&out))
            }
            Transfer::Hike => self.hike(to, &pays),
        }
    }

    /// MR-27: over a square from one of its roads to the other.
    fn hike(&self, to: Hexagon, pays: &dyn Fn(Suits) -> bool) -> Option<String> {
        let squares = self.land.layout.squares.iter().enumerate();
        let mut ways: Vec<(usize, String)> = vec![];
        for (square, placed) in squares {
            let takes = placed.tile.shows().hike;
            if takes.and(self.suits).is_empty() || !pays(takes) {
                continue;
            }
            for (one, other) in [(0, 1), (1, 0)] {
                let near = self.walk(|node| node == Node::Piece { square, road: one });
                let far = Node::Piece { square, road: other };
                if let (Some(near), Some(on)) = (near, self.on_road(far, to)) {
                    ways.push((near.len() + on.len(), self.set_out(&near) + &self.drawn(&on)));
                }
            }
        }
        ways.into_iter().min_by_key(|(length, _)| *length).map(|(_, line)| line)
    }

    fn to_the_burrow(&self) -> Option<String> {
        let way = self.walk(|node| self.is_cave(node, &|_| true))?;
        Some(self.set_out(&way) + &route::by_air(self.middle(*way.last()?)?, self.burrow))
    }

    fn then_through_the_air(&self, is_goal: impl Fn(Node) -> bool, to: Hexagon) -> Option<String> {
        let way = self.walk(is_goal)?;
        Some(self.set_out(&way) + &route::by_air(self.middle(*way.last()?)?, self.home(to)?))
    }

    fn is_cave(&self, node: Node, pays: &dyn Fn(Suits) -> bool) -> bool {
        let Node::Piece { square, road: 0 } = node else { return false };
        let takes = self.land.layout.squares[square].tile.shows().cave;
        !takes.and(self.suits).is_empty() && pays(takes)
    }

    /// Where the roads begin: the rabbit's hexagon, or every cave.
    fn starts(&self) -> Vec<Node> {
        match self.from {
            Place::On(hexagon) => vec![Node::Hexagon(hexagon)],
            Place::Underground => {
                let pieces = (0..self.land.layout.squares.len()).map(|square| Node::Piece { square, road: 0 });
                pieces.filter(|piece| self.is_cave(*piece, &|_| true)).collect()
            }
            Place::Off => vec![],
        }
    }

    fn walk(&self, is_goal: impl Fn(Node) -> bool) -> Option<Vec<Node>> {
        route::walk(self.land, &self.starts(), self.trail, is_goal)
    }

    /// On from a tile.
    fn on_road(&self, from: Node, to: Hexagon) -> Option<Vec<Node>> {
        route::walk(self.land, &[from], self.trail, |node| node == Node::Hexagon(to))
    }

    /// The line along these nodes, out of the Underground if the rabbit is there.
    fn set_out(&self, nodes: &[Node]) -> String {
        let first = nodes.first().filter(|_| self.from == Place::Underground).and_then(|node| self.middle(*node));
        first.map(|cave| route::by_air(self.burrow, cave)).unwrap_or_default() + &self.drawn(nodes)
    }

    /// The line along these nodes.
    fn drawn(&self, nodes: &[Node]) -> String {
        path(&route::points(self.land, self.chart, nodes))
    }

    fn middle(&self, node: Node) -> Option<Point> {
        route::centre(self.land, self.chart, node)
    }

    fn home(&self, hexagon: Hexagon) -> Option<Point> {
        self.middle(Node::Hexagon(hexagon))
    }

    fn start(&self) -> Option<Point> {
        match self.from {
            Place::On(hexagon) => self.home(hexagon),
            Place::Underground => Some(self.burrow),
            Place::Off => None,
        }
    }
}
