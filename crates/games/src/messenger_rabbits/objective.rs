//! MR-50, MR-51: what a trio must be, how near a hand is to it, and the win.

use super::MessengerRabbits;
use super::cards::Cards;
use super::fold::CARROTS;
use super::hexagon::Place;
use super::options::Objective;
use wonderpost_rules::{Card, Rank, Suit};

impl Objective {
    /// Whether these royals could all be part of one trio that meets the objective.
    pub fn fits(self, royals: Cards) -> bool {
        let suits = Suit::ALL.into_iter().filter(|suit| !(royals & Cards::of_suit(*suit)).is_empty()).count();
        let ranks = [Rank::Jack, Rank::Queen, Rank::King];
        let kinds = ranks.into_iter().filter(|rank| !(royals & Cards::of_rank(*rank)).is_empty()).count();
        let count = royals.len();
        count <= CARROTS
            && match self {
                Objective::Simple => true,
                Objective::Diverse => suits == count,
                Objective::Monarchic => kinds == count,
                Objective::DiverseMonarchic => suits == count && kinds == count,
                Objective::Tribal => suits <= 1,
            }
    }

    /// The parts of these royals that could be part of one trio, none of them within another.
    pub fn parts(self, royals: Cards) -> Vec<Cards> {
        let royals: Vec<Card> = royals.to_vec();
        let part = |chosen: u32| {
            let chosen = royals.iter().enumerate().filter(|(place, _)| chosen & 1 << place != 0);
            chosen.map(|(_, royal)| *royal).collect::<Cards>()
        };
        let fitting: Vec<Cards> = (0u32..1 << royals.len()).map(part).filter(|part| self.fits(*part)).collect();
        let is_whole = |part: &Cards| !fitting.iter().any(|other| other.len() > part.len() && other.holds(*part));
        fitting.iter().copied().filter(is_whole).collect()
    }

    /// How many royals are still missing to such a trio: those that do not fit would have to be others.
    pub fn lacks(self, royals: Cards) -> usize {
        CARROTS - self.parts(royals).into_iter().map(Cards::len).max().unwrap_or(0)
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
