//! The list of games.

use super::{DailyGame, Game};

/// The list of games that a house offers.
#[derive(Clone)]
pub struct Catalogue(Vec<&'static dyn Game>);

impl Catalogue {
    /// A catalogue of these games.
    pub fn new(games: Vec<&'static dyn Game>) -> Catalogue {
        Catalogue(games)
    }

    /// The game with this slug.
    pub fn find(&self, slug: &str) -> Option<&'static dyn Game> {
        self.0.iter().copied().find(|game| game.info().slug == slug)
    }

    /// The game of the day, and what its results say.
    pub fn daily(&self) -> Option<(&'static dyn Game, &'static DailyGame)> {
        self.iter().find_map(|game| Some((game, game.daily()?)))
    }

    /// All games, in the order in which they are offered.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn Game> {
        self.0.iter().copied()
    }
}
