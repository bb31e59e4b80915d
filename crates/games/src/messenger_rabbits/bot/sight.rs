//! What a bot sees, and what it makes of it.

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::claim::CLAIM;
use super::super::fold::CARROTS;
use super::super::hexagon::{Hexagon, Hexagons, House, Place};
use super::super::moves::Move;
use super::super::payment::cheapness;
use super::super::phase::Action;
use super::super::phase::Phase;
use super::super::suits::suit_of;
use super::super::transfer::trail;
use super::super::values::Worths;
use super::super::view::PublicView;
use wonderpost_rules::{Seat, Suit, View};

/// How often a royal is given up where no way leads to a trio.
const GIVES_WAY: f64 = 0.25;

pub struct Sight<'a> {
    pub phase: Phase,
    pub table: &'a PublicView,
    pub seat: Seat,
    pub hand: Cards,
    pub moves: &'a [Move],
    pub worths: Worths,
    pub trail: Hexagons,
}

impl<'a> Sight<'a> {
    pub fn new(view: &'a View<MessengerRabbits>) -> Option<Sight<'a>> {
        let mine = view.mine.as_ref()?;
        let table = &view.table;
        Some(Sight {
            phase: view.phase,
            table,
            seat: mine.seat,
            hand: mine.hand,
            moves: &view.moves,
            worths: table.worths(mine.seat),
            trail: trail(&table.options, table.royals[mine.seat.index()]),
        })
    }

    pub fn place(&self) -> Place {
        self.table.rabbits[self.seat.index()]
    }

    pub fn royals(&self) -> Cards {
        self.hand & Cards::ROYALS
    }

    /// Whether the trio is complete, so that it only has to be carried home.
    pub fn is_complete(&self) -> bool {
        self.royals().len() == CARROTS && self.table.options.objective.fits(self.royals())
    }

    /// The houses whose royals would bring the trio nearer.
    pub fn wanted(&self) -> impl Iterator<Item = House> {
        let objective = self.table.options.objective;
        let lacks = objective.lacks(self.royals());
        House::of_suits(self.table.suits).filter(move |house| {
            self.table.court.contains(house.royal())
                && objective.lacks(self.royals() | Cards::one(house.royal())) < lacks
        })
    }

    /// What pips and aces of a suit are worth together.
    pub fn points(&self, hand: Cards, suit: Suit) -> u16 {
        self.worths.of_all(hand & Cards::COMMON & Cards::of_suit(suit))
    }

    /// All claims here that cost no royal, with what is paid.
    pub fn claims(&self) -> impl Iterator<Item = (House, Cards, Move)> {
        self.moves.iter().filter_map(|mv| match mv {
            Move::Act(Action::Claim(house), Some(paid)) if (*paid & Cards::ROYALS).is_empty() => {
                Some((*house, *paid, *mv))
            }
            _ => None,
        })
    }

    /// The cheapest claim here, if it helps.
    pub fn claim(&self) -> Option<Move> {
        let wanted: Vec<House> = self.wanted().collect();
        self.cheapest(self.claims().filter(|(house, ..)| wanted.contains(house)))
    }

    /// The cheapest claim here, whether or not it helps.
    pub fn any_claim(&self) -> Option<Move> {
        self.cheapest(self.claims())
    }

    fn cheapest(&self, claims: impl Iterator<Item = (House, Cards, Move)>) -> Option<Move> {
        claims.min_by_key(|(_, paid, _)| cheapness(*paid, &self.worths)).map(|(.., mv)| mv)
    }

    /// Where no way leads to a trio, a royal is given up for a ticket now and then: royals that change hands open ways
    /// again.
    pub fn wander(&self, rng: &mut dyn rand::Rng) -> Option<Move> {
        let mut rng = rng;
        let spends_royal = |mv: &&Move| match mv {
            Move::Act(Action::Travel(..), Some(paid)) => !(*paid & Cards::ROYALS).is_empty(),
            _ => false,
        };
        let given: Vec<Move> = self.moves.iter().filter(spends_royal).copied().collect();
        given.choose(&mut rng).copied().filter(|_| rng.random_bool(GIVES_WAY)).or_else(|| self.roam(rng))
    }

    /// Anywhere along a free road, best to where a royal can be claimed.
    pub fn roam(&self, rng: &mut dyn rand::Rng) -> Option<Move> {
        let mut rng = rng;
        let rich = |hexagon: &Hexagon| {
            hexagon.house().is_some_and(|house| {
                self.table.court.contains(house.royal()) && self.points(self.hand, house.suit) >= CLAIM
            })
        };
        let goals: Vec<Hexagon> = self.goes().filter(rich).collect();
        if let Some(goal) = goals.choose(&mut rng) {
            return Some(Move::Go(Place::On(*goal)));
        }
        let free = |mv: &&Move| matches!(mv, Move::Stay | Move::Go(Place::On(_) | Place::Underground));
        self.moves.iter().filter(free).copied().collect::<Vec<_>>().choose(&mut rng).copied()
    }

    pub fn goes(&self) -> impl Iterator<Item = Hexagon> {
        self.moves.iter().filter_map(|mv| match mv {
            Move::Go(Place::On(to)) => Some(*to),
            _ => None,
        })
    }

    /// The cards that others may hold: all that are not in sight.
    pub fn unseen(&self) -> Cards {
        let laid: Cards = self.table.capital.iter().flatten().copied().collect();
        (self.table.suits.cards() & Cards::COMMON) - self.hand - self.table.spent - laid
    }

    /// How many hidden cards a seat holds.
    pub fn hidden(&self, seat: Seat) -> usize {
        let place = seat.index();
        self.table.hands[place].saturating_sub(self.table.royals[place].len() + self.table.jokers[place].len())
    }

    /// How likely it is that a seat's cards of a suit are worth so much, by dealing its hidden cards a few times.
    pub fn likelihood(&self, seat: Seat, suit: Suit, worth: u16, rng: &mut dyn rand::Rng) -> f64 {
        const DEALS: usize = 30;
        let royals = self.table.royals[seat.index()] & Cards::of_suit(suit);
        let worths = self.table.worths(seat);
        let unseen = self.unseen().to_vec();
        let hidden = self.hidden(seat).min(unseen.len());
        let mut rng = rng;
        let enough = (0..DEALS)
            .filter(|_| {
                let dealt = unseen.sample(&mut rng, hidden).filter(|card| suit_of(**card) == Some(suit));
                worths.of_all(dealt.copied().collect::<Cards>() | royals) >= worth
            })
            .count();
        enough as f64 / DEALS as f64
    }
}
