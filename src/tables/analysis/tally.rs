//! Counting games that were played on.

use crate::tables::analysis::curve::Estimate;
use wonderpost_rules::{Seat, SeatSet};

/// What lies in a 95 % interval is within so many standard deviations.
const Z: f64 = 1.96;

/// How many games are counted besides, won by all seats alike.
const PRIOR_GAMES: f64 = 2.0;

/// How often something came true.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub wins: u32,
    pub of: u32,
}

impl Count {
    pub fn add(&mut self, won: bool) {
        self.wins += u32::from(won);
        self.of += 1;
    }

    pub fn share(self) -> f64 {
        f64::from(self.wins) / f64::from(self.of.max(1))
    }

    /// How far the share is likely to be from the truth: one standard deviation, never nothing, however even the results.
    pub fn deviation(self) -> f64 {
        let share = (f64::from(self.wins) + 1.0) / (f64::from(self.of) + 2.0);
        (share * (1.0 - share) / f64::from(self.of.max(1))).sqrt()
    }

    /// The share as if a few more games had gone to all seats alike: few games that went one way are no certainty.
    pub fn cautious_share(self, seats: usize) -> f64 {
        let evenly = PRIOR_GAMES / seats.max(1) as f64;
        (f64::from(self.wins) + evenly) / (f64::from(self.of) + PRIOR_GAMES)
    }

    pub fn estimate(self, seats: usize) -> Estimate {
        Estimate { chance: rounded(self.cautious_share(seats)), margin: rounded((Z * self.deviation()).min(1.0)) }
    }
}

/// A share with as many digits as mean anything.
pub(super) fn rounded(share: f64) -> f32 {
    ((share * 1000.0).round() / 1000.0) as f32
}

/// What came of the games that were played on from one step.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// In the order of seats, with everything as it was.
    pub truth: Vec<Count>,
    /// The same with what each seat could not know dealt anew.
    pub known: Vec<Count>,
    /// The game was over: there is nothing to play on.
    pub over: Option<SeatSet>,
}

impl Tally {
    pub fn new(seats: u8, over: Option<SeatSet>) -> Tally {
        let none = vec![Count::default(); usize::from(seats)];
        Tally { truth: none.clone(), known: none, over }
    }

    pub fn playouts(&self) -> u32 {
        self.truth.first().map_or(0, |count| count.of)
    }

    pub fn add(&mut self, winners: SeatSet) {
        for (seat, count) in Seat::all(Seat::MOST).zip(&mut self.truth) {
            count.add(winners.contains(seat));
        }
    }

    pub fn share(&self, seat: Seat) -> f64 {
        match self.over {
            Some(winners) => f64::from(u8::from(winners.contains(seat))),
            None => self.truth.get(seat.index()).map_or(0.0, |count| count.cautious_share(self.truth.len())),
        }
    }

    pub fn deviation(&self, seat: Seat) -> f64 {
        match self.over {
            Some(_) => 0.0,
            None => self.truth.get(seat.index()).map_or(0.0, |count| count.deviation()),
        }
    }

    pub fn estimate(&self, seat: Seat) -> Estimate {
        match self.over {
            Some(_) => Estimate::exact(self.share(seat) as f32),
            None => self.truth.get(seat.index()).copied().unwrap_or_default().estimate(self.truth.len()),
        }
    }

    pub fn known(&self, seat: Seat) -> Option<Estimate> {
        match self.over {
            Some(_) => Some(self.estimate(seat)),
            None => {
                let count = self.known.get(seat.index()).filter(|count| count.of > 0);
                count.map(|count| count.estimate(self.known.len()))
            }
        }
    }

    /// The greatest deviation of any seat.
    pub fn roughness(&self) -> f64 {
        Seat::all(Seat::MOST).take(self.truth.len()).map(|seat| self.deviation(seat)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_says_how_sure_it_is() {
        let even = Count { wins: 50, of: 100 }.estimate(2);
        assert!((even.chance - 0.5).abs() < 1e-6 && (even.margin - 0.098).abs() < 0.002, "{even:?}");
        // A hundred wins in a row are no certainty, and eight are less of one.
        let always = Count { wins: 100, of: 100 }.estimate(2);
        assert!(always.chance > 0.98 && always.chance < 1.0 && always.margin > 0.01, "{always:?}");
        assert_eq!(Count { wins: 0, of: 8 }.estimate(2).chance, 0.1);
        assert_eq!(Count { wins: 0, of: 8 }.estimate(4).chance, 0.05);
    }

    #[test]
    fn the_end_of_a_game_is_certain() {
        let second = Seat::all(2).nth(1).unwrap();
        let tally = Tally::new(2, Some(SeatSet::one(second)));
        assert_eq!(tally.estimate(second), Estimate::exact(1.0));
        assert_eq!(tally.known(Seat::FIRST), Some(Estimate::exact(0.0)));
    }
}
