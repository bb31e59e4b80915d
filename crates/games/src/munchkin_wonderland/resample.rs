//! What a viewer cannot know, dealt anew.

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::MunchkinWonderland;
use super::phase::Phase;
use super::treasure::Treasure;
use wonderpost_rules::{Seat, Viewer};

impl MunchkinWonderland {
    /// A table that this viewer could not tell from this one.
    pub(super) fn resampled_for(&self, viewer: Viewer, mut rng: &mut dyn Rng) -> MunchkinWonderland {
        let mut resampled = self.clone();
        // Here and below: the order in which cards really lie must not matter.
        resampled.monster_deck.sort_unstable();
        resampled.monster_deck.shuffle(&mut rng);
        resampled.deal_treasures_anew(viewer, rng);
        resampled.answer_anew(viewer, rng);
        resampled
    }

    fn deal_treasures_anew(&mut self, viewer: Viewer, mut rng: &mut dyn Rng) {
        let over = self.phase == Phase::Over;
        let hidden: Vec<bool> = self.seats_in_order().map(|seat| !over && viewer.seat() != Some(seat)).collect();
        let mut pool: Vec<Treasure> = std::mem::take(&mut self.aside);
        let aside = pool.len();
        // What is in a deck made of the discards everybody knows, but not its order.
        let deck = if self.reshuffled { 0 } else { self.treasure_deck.len() };
        if self.reshuffled {
            self.treasure_deck.sort_unstable();
            self.treasure_deck.shuffle(&mut rng);
        } else {
            pool.append(&mut self.treasure_deck);
        }
        let hands: Vec<usize> = self
            .players
            .iter()
            .zip(&hidden)
            .map(|(player, hidden)| {
                let unseen = if *hidden { player.unseen() } else { vec![] };
                pool.extend(&unseen);
                unseen.len()
            })
            .collect();
        pool.sort_unstable();
        pool.shuffle(&mut rng);
        let mut pool = pool.into_iter();
        self.aside = pool.by_ref().take(aside).collect();
        if !self.reshuffled {
            self.treasure_deck = pool.by_ref().take(deck).collect();
        }
        for ((player, hidden), unseen) in self.players.iter_mut().zip(hidden).zip(hands) {
            if hidden {
                player.hand = player.seen.clone();
                pool.by_ref().take(unseen).for_each(|card| player.draw(card));
            }
        }
    }

    /// MW-40: whether this seat's answer makes the next one's count, which was given in secret.
    pub(super) fn brings_up_an_answer(&self, seat: Seat) -> bool {
        let Phase::Fight(fight) = &self.phase else { return false };
        let unheard = fight.answers.iter().position(Option::is_none);
        unheard.is_some_and(|place| {
            fight.asked.get(place) == Some(&seat) && fight.answers.get(place + 1).is_some_and(Option::is_some)
        })
    }

    /// MW-40: an answer is secret unless the question being open gives it away.
    fn answer_anew(&mut self, viewer: Viewer, rng: &mut dyn Rng) {
        let Phase::Fight(fight) = &mut self.phase else { return };
        let asked = fight.asked.iter().zip(&mut fight.answers);
        // Whoever comes before the first unheard must have refused.
        for (seat, answer) in asked.skip_while(|(_, answer)| answer.is_some()) {
            if answer.is_some() && viewer.seat() != Some(*seat) {
                *answer = Some(rng.random_bool(0.5));
            }
        }
    }
}
