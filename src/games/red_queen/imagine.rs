//! Tables that a viewer cannot tell from the real one.

use rand::seq::SliceRandom;

use super::RedQueen;
use super::card_set::CardSet;
use super::coterie::Member;
use crate::rules::{Card, Viewer};

/// How often the hidden cards are dealt anew before we give up: the Red Queen must not have won already.
const TRIES: usize = 200;

impl RedQueen {
    /// RQ-28: deals anew the order of the pile, the other hands but for what was seen in them, and the members that the
    /// viewer does not know.
    pub(super) fn imagined(&self, viewer: Viewer, mut rng: &mut dyn rand::Rng) -> RedQueen {
        if self.over() {
            let mut imagined = self.clone();
            imagined.pile.shuffle(&mut rng);
            return imagined;
        }
        let mut cards = self.pile.clone();
        let hidden = |seat| viewer.seat() != Some(seat);
        for seat in self.seats().filter(|seat| hidden(*seat)) {
            cards.extend(self.hand(seat).without(self.seen[seat.index()]).iter());
        }
        let hides_coterie = hidden(self.queen);
        if hides_coterie {
            cards.extend(self.coterie.members().filter(|(_, member)| !member.known).map(|(_, member)| member.card));
        }
        for _ in 0..TRIES {
            cards.shuffle(&mut rng);
            let imagined = self.with_hidden(viewer, hides_coterie, &cards);
            if imagined.queen_has_won().is_none() {
                return imagined;
            }
        }
        self.clone()
    }

    /// This table with all that is hidden replaced by these cards.
    fn with_hidden(&self, viewer: Viewer, hides_coterie: bool, cards: &[Card]) -> RedQueen {
        let mut imagined = self.clone();
        let mut cards = cards.iter().copied();
        imagined.pile = cards.by_ref().take(self.pile.len()).collect();
        if hides_coterie {
            for (slot, _) in self.coterie.members().filter(|(_, member)| !member.known) {
                imagined.coterie.set(slot, cards.next().map(Member::face_down));
            }
        }
        for seat in self.seats().filter(|seat| viewer.seat() != Some(*seat)) {
            let seen = self.seen[seat.index()];
            let unseen = self.hand(seat).len() - seen.and(self.hand(seat)).len();
            imagined.hands[seat.index()] = seen.or(cards.by_ref().take(unseen).collect::<CardSet>());
        }
        imagined
    }
}
