//! MR-50, MR-51: what a trio must be, how near a hand is to it, and the win.

use super::MessengerRabbits;
use super::cards::Cards;
use super::fold::CARROTS;
use super::hexagon::{House, Place};
use super::options::Objective;
use crate::rules::{Card, Suit};

impl Objective {
    /// Whether these royals could all be part of one trio that meets the objective.
    pub fn fits(self, royals: Cards) -> bool {
        let houses = || royals.iter().filter_map(House::of_royal);
        let suits = Suit::ALL.into_iter().filter(|suit| houses().any(|house| house.suit == *suit)).count();
        let mut kinds: Vec<_> = houses().map(|house| house.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let count = royals.len();
        count <= CARROTS
            && match self {
                Objective::Simple => true,
                Objective::Diverse => suits == count,
                Objective::Monarchic => kinds.len() == count,
                Objective::DiverseMonarchic => suits == count && kinds.len() == count,
                Objective::Tribal => suits <= 1,
            }
    }

    /// How many royals are still missing to such a trio: those that do not fit would have to be others.
    pub fn lacks(self, royals: Cards) -> usize {
        let royals: Vec<Card> = royals.to_vec();
        let parts = (0u32..1 << royals.len()).map(|part| {
            let chosen = royals.iter().enumerate().filter(|(place, _)| part & 1 << place != 0);
            chosen.map(|(_, royal)| *royal).collect::<Cards>()
        });
        let most = parts.filter(|part| self.fits(*part)).map(Cards::len).max();
        CARROTS - most.unwrap_or(0)
    }

    /// In words, as in “Bring home …”.
    pub const fn in_words(self) -> &'static str {
        match self {
            Objective::Simple => "any three royals",
            Objective::Diverse => "three royals of three suits",
            Objective::Monarchic => "a king, a queen and a jack",
            Objective::DiverseMonarchic => "a king, a queen and a jack of three suits",
            Objective::Tribal => "three royals of one suit",
        }
    }
}

impl MessengerRabbits {
    /// MR-51: the active rabbit is on the Citadel with a trio that meets the objective.
    pub(super) fn has_won(&self) -> bool {
        let royals = self.royals(self.active);
        self.rabbit(self.active) == Place::CITADEL && royals.len() == CARROTS && self.options.objective.fits(royals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_objective_asks_for_its_own_trio() {
        let lacks = |objective: Objective, royals: &str| objective.lacks(royals.parse().unwrap());
        for (royals, expected) in [
            ("KC QD QH", [0, 0, 1, 1, 2]),
            ("KC QC JC", [0, 2, 0, 2, 0]),
            ("KC QD JS", [0, 0, 0, 0, 2]),
            ("KC KD KS", [0, 0, 2, 2, 2]),
            ("KC", [2, 2, 2, 2, 2]),
            ("", [3, 3, 3, 3, 3]),
        ] {
            let all = [
                Objective::Simple,
                Objective::Diverse,
                Objective::Monarchic,
                Objective::DiverseMonarchic,
                Objective::Tribal,
            ];
            assert_eq!(all.map(|objective| lacks(objective, royals)), expected, "{royals}");
        }
    }
}
