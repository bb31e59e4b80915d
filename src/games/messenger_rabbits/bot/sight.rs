//! What a bot sees, and what it makes of it.

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::claim::CLAIM;
use super::super::fold::CARROTS;
use super::super::hexagon::{Hexagon, Hexagons, House, Place};
use super::super::moves::Move;
use super::super::payment::cheapness;
use super::super::phase::Action;
use super::super::suits::suit_of;
use super::super::table::Table;
use super::super::transfer::trail;
use super::super::values::Worths;
use super::atlas::Distances;
use crate::rules::{Seat, Suit, View, fold_line};

pub struct Sight<'a> {
    pub phase: &'static str,
    pub table: &'a Table,
    pub seat: Seat,
    pub hand: Cards,
    pub moves: Vec<Move>,
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
            moves: view.moves.iter().filter_map(|line| fold_line(line).parse().ok()).collect(),
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

    pub fn distances(&self, place: Place) -> Distances {
        Distances::from(&self.table.board, place, self.trail)
    }

    /// The best claim here, if there is one that helps: the cheapest without royals.
    pub fn claim(&self) -> Option<Move> {
        let wanted: Vec<House> = self.wanted().collect();
        let claims = self.moves.iter().filter_map(|mv| match mv {
            Move::Act(Action::Claim(house), Some(paid)) if wanted.contains(house) => Some((*mv, *paid)),
            _ => None,
        });
        let plain = claims.filter(|(_, paid)| (*paid & Cards::ROYALS).is_empty());
        plain.min_by_key(|(_, paid)| cheapness(*paid, &self.worths)).map(|(mv, _)| mv)
    }

    /// Whether a claim at this house could be paid with these cards.
    pub fn can_claim(&self, hand: Cards, house: House) -> bool {
        self.points(hand, house.suit) >= CLAIM
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
        use rand::seq::IndexedRandom;
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
