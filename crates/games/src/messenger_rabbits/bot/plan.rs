//! How many turns it would still take: which royals to win in which order, and the way home.
//!
//! The cards to come are imagined a few times; each time the shortest way is sought, and the mean is what counts.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::super::cards::Cards;
use super::super::claim::CLAIM;
use super::super::fold::CARROTS;
use super::super::hexagon::{Hexagon, House, Place};
use super::super::options::Objective;
use super::super::suits::suit_of;
use super::atlas::Atlas;
use super::sight::Sight;
use wonderpost_rules::{Card, Suit};

/// How many courses are imagined, and how many turns each is long.
const FUTURES: usize = 16;
const TURNS: usize = 10;
/// How likely the lottery of a turn brings a card.
const LOTTERY: f64 = 0.5;
/// Points that a turn beyond the imagined ones adds to a suit, about.
const PER_TURN: u16 = 2;
/// What a claim costs, with what is overpaid.
const SPENT: u16 = CLAIM + 1;
/// A ticket makes any way this short, in turns: the journey, and what was paid for it.
const WITH_TICKET: u8 = 2;
/// A plan that cannot be made takes so long.
const NEVER: u16 = 30;

/// The points of a hand by suit, without royals.
type Points = [u16; 4];

/// What the cards drawn by each of the next turns are worth.
type Future = [Points; TURNS];

pub struct Planner<'a> {
    sight: &'a Sight<'a>,
    pub atlas: Atlas,
    /// Houses whose royals are to be had, with how many turns their rivals may cost.
    houses: Vec<(House, u16)>,
    courses: Vec<Future>,
}

/// Where a plan stands on its way.
#[derive(Copy, Clone)]
struct Step {
    place: Place,
    spent: Points,
    royals: Cards,
    jokers: usize,
    begun: u16,
}

impl<'a> Planner<'a> {
    pub fn new(sight: &'a Sight<'a>, rng: &mut dyn rand::Rng) -> Planner<'a> {
        let open = House::of_suits(sight.table.suits).filter(|house| sight.table.court.contains(house.royal()));
        Planner {
            sight,
            atlas: Atlas::new(&sight.table.board, sight.trail),
            houses: open.map(|house| (house, rivalry(sight, house))).collect(),
            courses: (0..FUTURES).map(|_| future(sight, rng)).collect(),
        }
    }

    /// The turns still to come if this turn ends its journey here with this hand.
    pub fn turns(&self, place: Place, hand: Cards) -> f64 {
        self.turns_from(place, hand, 0)
    }

    /// The turns still to come if nothing more is done in this one.
    pub fn turns_after_this(&self, place: Place, hand: Cards) -> f64 {
        self.turns_from(place, hand, 1)
    }

    fn turns_from(&self, place: Place, hand: Cards, begun: u16) -> f64 {
        let points = Suit::ALL.map(|suit| self.sight.points(hand, suit));
        let jokers = (hand & Cards::JOKERS).len();
        let parts = self.sight.table.options.objective.parts(hand & Cards::ROYALS);
        let shortest = |future: &Future| {
            parts.iter().fold(NEVER, |known, part| {
                let step = Step { place, spent: [0; 4], royals: *part, jokers, begun };
                self.shortest(&points, future, step, known)
            })
        };
        let turns: u16 = self.courses.iter().map(shortest).sum();
        f64::from(turns) / self.courses.len() as f64
    }

    fn distance(&self, from: Place, to: Hexagon) -> u16 {
        u16::from(self.atlas.distance(from, to).min(WITH_TICKET))
    }

    /// Tries every order of houses; gives up on what is no shorter than what is known.
    fn shortest(&self, points: &Points, future: &Future, step: Step, known: u16) -> u16 {
        let lacks = CARROTS - step.royals.len().min(CARROTS);
        if lacks == 0 {
            let way = self.distance(step.place, Hexagon::Citadel);
            return known.min(step.begun + if step.jokers > 0 { way.min(1) } else { way });
        }
        let objective = self.sight.table.options.objective;
        let mut best = known;
        for (house, rivalry) in &self.houses {
            let royals = step.royals | Cards::one(house.royal());
            if royals == step.royals || !objective.fits(royals) {
                continue;
            }
            let hexagon = Hexagon::House(*house);
            let way = self.distance(step.place, hexagon);
            let by_joker = step.jokers > 0 && way > 1;
            let arrival = step.begun + if by_joker { 1 } else { way };
            // What is left takes a turn each at least, and so does the way home.
            let least = lacks as u16;
            if arrival + rivalry + least >= best {
                continue;
            }
            let suit = house.suit as usize;
            let claim = saved(points[suit], step.spent[suit] + CLAIM, future, suit, arrival) + rivalry;
            if claim + least >= best {
                continue;
            }
            let mut spent = step.spent;
            spent[suit] += SPENT;
            // A claim ends its turn: the next journey is the next turn's.
            let next = Step {
                place: Place::On(hexagon),
                spent,
                royals,
                jokers: step.jokers - usize::from(by_joker),
                begun: claim,
            };
            best = self.shortest(points, future, next, best);
        }
        best
    }

    /// Whether no order of houses leads to a trio.
    pub fn is_hopeless(&self) -> bool {
        self.turns(self.sight.place(), self.sight.hand) >= f64::from(NEVER)
    }

    /// The royal of four that is missed least.
    pub fn release(&self) -> Option<Card> {
        let sight = self.sight;
        let objective = sight.table.options.objective;
        let cost = |royal: &Card| {
            let left = sight.hand - Cards::one(*royal);
            (self.turns_after_this(sight.place(), left), objective.lacks(left & Cards::ROYALS))
        };
        let costs = sight.royals().iter().map(|royal| (cost(&royal), royal));
        costs.min_by(|(one, _), (other, _)| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))).map(|(_, royal)| royal)
    }
}

/// The first turn, not before the arrival, in which the points of a suit come to what is asked in all.
fn saved(points: u16, asked: u16, future: &Future, suit: usize, arrival: u16) -> u16 {
    let missing = asked.saturating_sub(points);
    let drawn = |turn: u16| match turn.checked_sub(1) {
        None => 0,
        Some(before) => future[usize::from(before).min(TURNS - 1)][suit],
    };
    for turn in arrival..=TURNS as u16 {
        if drawn(turn) >= missing {
            return turn;
        }
    }
    arrival.max(TURNS as u16 + missing.saturating_sub(drawn(TURNS as u16)).div_ceil(PER_TURN))
}

/// What could be drawn from the cards out of sight, turn by turn, summed up.
fn future(sight: &Sight, rng: &mut dyn rand::Rng) -> Future {
    let mut rng = rng;
    let mut unseen = sight.unseen().to_vec();
    unseen.shuffle(&mut rng);
    let mut cards = unseen.into_iter();
    let mut drawn = [0; 4];
    [(); TURNS].map(|()| {
        let count = 1 + usize::from(rng.random_bool(LOTTERY));
        for card in cards.by_ref().take(count) {
            if let Some(suit) = suit_of(card) {
                drawn[suit as usize] += sight.worths.of(card);
            }
        }
        drawn
    })
}

/// For three of one suit, keep away from suits that others have begun.
fn rivalry(sight: &Sight, house: House) -> u16 {
    let others = sight.table.seats().filter(|seat| *seat != sight.seat);
    let taken: usize = others.map(|seat| (sight.table.royals[seat.index()] & Cards::of_suit(house.suit)).len()).sum();
    match sight.table.options.objective {
        Objective::Tribal => 3 * taken as u16,
        Objective::Simple | Objective::Diverse | Objective::Monarchic | Objective::DiverseMonarchic => 0,
    }
}
