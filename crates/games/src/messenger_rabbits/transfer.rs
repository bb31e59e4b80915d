//! MR-26 to MR-33: the ways to travel that are paid for, and what each asks.

use super::MessengerRabbits;
use super::cards::Cards;
use super::hexagon::{Hexagon, Hexagons, House, Place};
use super::moves::Transfer;
use super::nets::Nets;
use super::options::Options;
use super::payment::Asks;
use super::roads::{Land, Stop};

/// Where a journey begins: the nets that can be used, and what they lead to.
#[derive(Copy, Clone, Debug)]
pub struct Start {
    pub nets: Nets,
    /// The hexagons that a road reaches for free.
    pub near: Hexagons,
    /// MR-26: the hexagons that need a ticket.
    pub beyond: Hexagons,
}

/// What each transfer to each hexagon asks.
pub type Fares = Vec<(Transfer, Hexagon, Asks)>;

impl Start {
    /// MR-26, MR-31, MR-68: the nets at a place, and what they lead to; roads go on through `trail`, houses with one's own carrots.
    pub fn of(land: &Land, place: Place, trail: Hexagons) -> Start {
        let (mut nets, own) = match place {
            Place::On(hexagon) => (land.nets_of(hexagon), Hexagons::one(hexagon)),
            // MR-31: from the Underground to every hexagon on a net that holds a cave.
            Place::Underground => (land.caved, Hexagons::NONE),
            Place::Off => (Nets::NONE, Hexagons::NONE),
        };
        // MR-68: not from the Underground.
        if !own.is_empty() && !trail.is_empty() {
            loop {
                let passed = land.touched_by(nets).and(trail);
                let further = passed.iter().fold(nets, |nets, house| nets.or(land.nets_of(house)));
                if further == nets {
                    break;
                }
                nets = further;
            }
        }
        let touched = land.touched_by(nets);
        Start { nets, near: touched.without(own), beyond: land.hexagons.without(touched).without(own) }
    }
}

/// MR-68: the houses that a seat's roads go on through.
pub fn trail(options: &Options, royals: Cards) -> Hexagons {
    if !options.trailing_carrots {
        return Hexagons::NONE;
    }
    royals.iter().filter_map(House::of_royal).map(Hexagon::House).collect()
}

impl MessengerRabbits {
    /// Where the active rabbit's journey begins.
    pub(super) fn start(&self) -> Start {
        Start::of(&self.land, self.rabbit(self.active), trail(&self.options, self.royals(self.active)))
    }

    /// All fares of the active rabbit's journey, each pair of transfer and hexagon once.
    pub(super) fn fares(&self) -> Fares {
        let start = self.start();
        let mut fares = Fares::new();
        for transfer in Transfer::ALL {
            let mut asks = [Asks::none(self.price()); Hexagon::COUNT];
            let mut reached = Hexagons::NONE;
            self.each_offer(transfer, &start, |to, takes, set| {
                reached = reached.or(to);
                to.iter().for_each(|hexagon| asks[hexagon.index()].add(takes, self.has_capital_in(set)));
            });
            fares.extend(reached.iter().map(|hexagon| (transfer, hexagon, asks[hexagon.index()])));
        }
        fares
    }

    /// What a transfer to a hexagon asks; nothing is asked if there is no such transfer.
    pub(super) fn fare(&self, transfer: Transfer, to: Hexagon) -> Asks {
        let mut asks = Asks::none(self.price());
        self.each_offer(transfer, &self.start(), |reached, takes, set| {
            if reached.contains(to) {
                asks.add(takes, self.has_capital_in(set));
            }
        });
        asks
    }

    /// Goes through the tiles that offer a transfer: where each leads, the suits it takes, the suit of its set.
    fn each_offer(
        &self,
        transfer: Transfer,
        start: &Start,
        mut offer: impl FnMut(Hexagons, super::suits::Suits, wonderpost_rules::Suit),
    ) {
        let land = &self.land;
        let near = |stop: &&Stop| start.nets.contains(stop.net);
        match transfer {
            // MR-27: from one road of a square to its other road.
            Transfer::Hike => {
                for crossing in &land.crossings {
                    let [one, other] = crossing.nets;
                    for (from, to) in [(one, other), (other, one)] {
                        if start.nets.contains(from) {
                            offer(land.touched[to].and(start.beyond), crossing.takes, crossing.set);
                        }
                    }
                }
            }
            // MR-28
            Transfer::Horse => {
                for merchant in land.merchants.iter().filter(|merchant| start.nets.contains(merchant.net)) {
                    offer(merchant.landmass.and(start.beyond), merchant.horse, merchant.tile.suit);
                }
            }
            // MR-29
            Transfer::Boat => {
                for merchant in land.merchants.iter().filter(|merchant| start.nets.contains(merchant.net)) {
                    if let Some(takes) = merchant.boat {
                        offer(land.harbours.and(start.beyond), takes, merchant.tile.suit);
                    }
                }
            }
            // MR-30: what is beyond lies on the net of another cave. Not from the Underground (MR-31).
            Transfer::Hole => {
                if self.rabbit(self.active) != Place::Underground {
                    let reached = land.touched_by(land.caved).and(start.beyond);
                    land.caves.iter().filter(near).for_each(|cave| offer(reached, cave.takes, cave.set));
                }
            }
            // MR-32: along the tavern's net, if there is a joker to be had.
            Transfer::Tavern => {
                if !(self.court & Cards::JOKERS).is_empty() {
                    for tavern in land.taverns.iter().filter(near) {
                        offer(land.touched[tavern.net].and(start.near), tavern.takes, tavern.set);
                    }
                }
            }
        }
    }
}
