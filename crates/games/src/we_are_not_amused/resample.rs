//! A table that a viewer could not tell from this one: the order of the cards never turned over since the last shuffle is all
//! that is hidden, and from everybody.

use rand::Rng;
use rand::seq::SliceRandom;

use super::WeAreNotAmused;

impl WeAreNotAmused {
    pub(super) fn resampled(&self, mut rng: &mut dyn Rng) -> WeAreNotAmused {
        let mut resampled = self.clone();
        if self.ended().is_none() {
            let unknown = resampled.deck.unknown_mut();
            // Their real order must not matter.
            unknown.sort_unstable();
            unknown.shuffle(&mut rng);
        }
        resampled
    }
}
