//! Ratings: how well somebody plays a game, and how sure that is. After Weng and Lin, for any number of players.

use std::collections::HashMap;

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use crate::tables::PlayerId;
use wonderpost_rules::Level;

/// One unit of skill in points of the rating that people see, and what a newcomer has.
const SCALE: f64 = 40.0;
const NEWCOMER: f64 = 1_000.0;

/// The skill of a newcomer, as the method has it.
const START: f64 = 25.0;

/// How sure the skill of a bot is: it never changes.
const OF_A_STAR: f64 = 0.5;

/// How many standard deviations are shown on either side.
const SHOWN: f64 = 2.0;

/// A player's rating in a game.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rating {
    pub mean: f64,
    pub deviation: f64,
    /// How many games it comes from.
    pub games: i32,
}

impl Default for Rating {
    fn default() -> Rating {
        let WengLinRating { rating, uncertainty } = WengLinRating::new();
        Rating { mean: rating, deviation: uncertainty, games: 0 }
    }
}

impl Rating {
    /// The rating as people read it: 1000 for a newcomer.
    pub fn points(self) -> i64 {
        (NEWCOMER + (self.mean - START) * SCALE).round() as i64
    }

    /// How far the truth may well be from it, in points.
    pub fn margin(self) -> i64 {
        (SHOWN * self.deviation * SCALE).round() as i64
    }

    fn as_skill(self) -> WengLinRating {
        WengLinRating { rating: self.mean, uncertainty: self.deviation }
    }
}

/// Bots are fixed stars: everybody is measured by them, and they do not move.
fn star(level: Level) -> WengLinRating {
    let rating = match level {
        Level::Easy => 20.0,
        Level::Middle => 25.0,
        Level::Decent => 30.0,
    };
    WengLinRating { rating, uncertainty: OF_A_STAR }
}

/// Who sat at a finished game, and whether they won.
#[derive(Clone, Debug)]
pub struct RatedSeat {
    pub who: Rated,
    pub won: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Rated {
    Player(PlayerId),
    Bot(Level),
}

/// Changes the ratings of those who played a game.
pub fn rate(ratings: &mut HashMap<PlayerId, Rating>, seats: &[RatedSeat]) {
    let skills: Vec<[WengLinRating; 1]> = seats
        .iter()
        .map(|seat| match seat.who {
            Rated::Player(player) => [ratings.get(&player).copied().unwrap_or_default().as_skill()],
            Rated::Bot(level) => [star(level)],
        })
        .collect();
    let rank = |seat: &RatedSeat| MultiTeamOutcome::new(if seat.won { 1 } else { 2 });
    let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> =
        skills.iter().zip(seats).map(|(skill, seat)| (&skill[..], rank(seat))).collect();
    let changed = weng_lin_multi_team(&teams, &WengLinConfig::new());
    for (seat, changed) in seats.iter().zip(changed) {
        if let (Rated::Player(player), Some(changed)) = (seat.who, changed.first()) {
            let rating = ratings.entry(player).or_default();
            *rating = Rating { mean: changed.rating, deviation: changed.uncertainty, games: rating.games + 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(seats: &[(Rated, bool)]) -> Vec<RatedSeat> {
        seats.iter().map(|(who, won)| RatedSeat { who: *who, won: *won }).collect()
    }

    #[test]
    fn whoever_wins_rises_and_everybody_is_better_known() {
        let (alice, bob) = (PlayerId::fresh(), PlayerId::fresh());
        let mut ratings = HashMap::new();
        assert_eq!(Rating::default().points(), 1_000);
        for _ in 0..5 {
            rate(&mut ratings, &game(&[(Rated::Player(alice), true), (Rated::Player(bob), false)]));
        }
        let (alice, bob) = (ratings[&alice], ratings[&bob]);
        assert!(alice.points() > 1_100 && bob.points() < 900, "{alice:?} {bob:?}");
        assert!(alice.margin() < Rating::default().margin() && alice.games == 5);
    }

    #[test]
    fn bots_stay_where_they_are_and_the_strong_ones_are_worth_more() {
        let after = |level: Level| {
            let alice = PlayerId::fresh();
            let mut ratings = HashMap::new();
            rate(&mut ratings, &game(&[(Rated::Player(alice), true), (Rated::Bot(level), false)]));
            assert_eq!(ratings.len(), 1, "a bot has no rating to change");
            ratings[&alice].points()
        };
        assert!(after(Level::Decent) > after(Level::Middle) && after(Level::Middle) > after(Level::Easy));
    }
}
