//! Tables that a viewer cannot tell from the real one.

use rand::seq::SliceRandom;

use super::RedQueen;
use super::card_set::CardSet;
use super::coterie::{Member, Slot};
use wonderpost_rules::{Card, Seat, Viewer};

/// How often the hidden cards are dealt anew before they are dealt with care: the Red Queen must not have won already.
const TRIES: usize = 200;

impl RedQueen {
    /// RQ-28: deals anew the order of the pile, the other hands but for what was seen in them, and the members that the
    /// viewer does not know.
    pub(super) fn resampled_for(&self, viewer: Viewer, mut rng: &mut dyn rand::Rng) -> RedQueen {
        let mut cards = self.pile.clone();
        if !self.over() {
            self.seats().for_each(|seat| cards.extend(self.hidden_hand(seat, viewer).iter()));
            cards.extend(self.hidden_members(viewer).map(|(_, member)| member.card));
        }
        // Where they really are must not matter.
        cards.sort_unstable();
        for _ in 0..TRIES {
            cards.shuffle(&mut rng);
            let resampled = self.with_hidden(viewer, &cards);
            if self.over() || resampled.queen_has_won().is_none() {
                return resampled;
            }
        }
        self.with_hidden(viewer, &self.harmless_first(viewer, &cards))
    }

    fn hidden_hand(&self, seat: Seat, viewer: Viewer) -> CardSet {
        if self.over() || viewer.seat() == Some(seat) {
            return CardSet::EMPTY;
        }
        self.hand(seat).without(self.seen[seat.index()])
    }

    fn hidden_members(&self, viewer: Viewer) -> impl Iterator<Item = (Slot, Member)> {
        let hides = !self.over() && viewer.seat() != Some(self.queen);
        self.coterie.members().filter(move |(_, member)| hides && !member.known)
    }

    /// This table with all that is hidden replaced by these cards: the Red Queen's first, then those of the others, then the pile.
    fn with_hidden(&self, viewer: Viewer, cards: &[Card]) -> RedQueen {
        let mut resampled = self.clone();
        let mut cards = cards.iter().copied();
        for (slot, _) in self.hidden_members(viewer) {
            resampled.coterie.set(slot, cards.next().map(Member::face_down));
        }
        let others = self.seats().filter(|seat| *seat != self.queen);
        for seat in std::iter::once(self.queen).chain(others) {
            let hidden = self.hidden_hand(seat, viewer);
            let dealt: CardSet = cards.by_ref().take(hidden.len()).collect();
            resampled.hands[seat.index()] = self.hand(seat).without(hidden).or(dealt);
        }
        resampled.pile = cards.collect();
        resampled
    }

    /// Puts cards first that do not win the Red Queen the round, as many as she has hidden ones.
    fn harmless_first(&self, viewer: Viewer, cards: &[Card]) -> Vec<Card> {
        let members: CardSet = self.hidden_members(viewer).map(|(_, member)| member.card).collect();
        let hidden = members.or(self.hidden_hand(self.queen, viewer));
        let mut hers = self.possession().without(hidden);
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for card in cards {
            let more = hers.or(CardSet::one(*card));
            if first.len() < hidden.len() && self.wins_with(more).is_none() {
                hers = more;
                first.push(*card);
            } else {
                rest.push(*card);
            }
        }
        first.extend(rest);
        first
    }
}
