//! A table that a viewer could not tell from this one: what is hidden from the viewer is dealt anew.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};

use super::cards::CardSet;
use super::chain::Chain;
use super::{OffWithTheirHeads, Phase, Player};
use wonderpost_rules::{Card, Seat, Viewer};

impl OffWithTheirHeads {
    pub(super) fn resampled_for(&self, viewer: Viewer, mut rng: &mut dyn Rng) -> OffWithTheirHeads {
        let mut resampled = self.clone();
        if self.phase == Phase::Over {
            // The showdown has shown all but the cards that stayed undealt.
            resampled.deck.sort_unstable();
            resampled.deck.shuffle(&mut rng);
            return resampled;
        }
        resampled.deal_anew(viewer, rng);
        if self.phase == Phase::Mark {
            for (ranked, zone) in self.zones() {
                let Some(seat) = ranked.seat.filter(|seat| viewer.seat() != Some(*seat)) else { continue };
                if let Some(player) = resampled.players.get_mut(seat.index()) {
                    let awaited = !player.chain.is_done();
                    player.chain = resample_chain(Chain::of_card(player.shown, ranked.card, zone), awaited, rng);
                }
            }
        }
        resampled
    }

    /// Deals the cards that the viewer does not know to the places where they are not known.
    fn deal_anew(&mut self, viewer: Viewer, mut rng: &mut dyn Rng) {
        let own = viewer.seat().and_then(|seat| self.player(seat));
        let mut known: CardSet = self.discard.iter().copied().chain(self.face_up).collect();
        known = known.with(self.ranking.iter().map(|ranked| ranked.card).collect());
        if let Some(own) = own {
            known = known.with(own.hand).with(own.all_aside());
        }
        let mut unknown: Vec<Card> = CardSet::ALL.without(known).iter().collect();
        unknown.shuffle(&mut rng);
        let hidden = |seat: Seat| viewer.seat() != Some(seat);
        // What was set aside in a round was discarded neither in it nor later. Of these sets of possible cards each
        // lies within the next, so dealing in this order always comes out even.
        for round in 0..self.discarded.len() {
            let seen = self.discarded[round..].iter().fold(CardSet::EMPTY, |seen, discard| seen.with(*discard));
            for seat in Seat::all(self.seats()).filter(|seat| hidden(*seat)) {
                let player = &mut self.players[seat.index()];
                if let Some(aside) = player.aside.get_mut(round) {
                    *aside = take(&mut unknown, aside.len(), seen);
                }
            }
        }
        for seat in Seat::all(self.seats()).filter(|seat| hidden(*seat)) {
            let revealed = self.phase == Phase::Mark;
            let Player { hand, chosen, .. } = &mut self.players[seat.index()];
            *hand = take(&mut unknown, hand.len(), CardSet::EMPTY);
            if !revealed && chosen.is_some() {
                let cards: Vec<Card> = hand.iter().collect();
                *chosen = cards.choose(&mut rng).copied();
            }
        }
        if self.phase == Phase::Choose && self.face_down.is_some() {
            self.face_down = unknown.pop();
        }
        self.deck = unknown;
    }
}

/// Takes so many cards off the end, passing over those that cannot be there.
fn take(cards: &mut Vec<Card>, number: usize, never: CardSet) -> CardSet {
    let mut taken = CardSet::EMPTY;
    let mut place = cards.len();
    while taken.len() < number && place > 0 {
        place -= 1;
        if !never.contains(cards[place]) {
            taken.insert(cards.remove(place));
        }
    }
    taken
}

/// Some way through a chain, to its end or not.
fn resample_chain(mut chain: Chain, awaited: bool, rng: &mut dyn Rng) -> Chain {
    while let Some(deed) = chain.by_itself() {
        chain.apply(deed);
    }
    while !chain.is_done() && (!awaited || rng.random_bool(0.5)) {
        let mut next = chain.clone();
        let moves = next.legal_moves();
        let Some(deed) = moves.choose(rng).and_then(|mv| next.decide(*mv).ok()) else { break };
        next.apply(deed);
        while let Some(deed) = next.by_itself() {
            next.apply(deed);
        }
        if awaited && next.is_done() {
            break;
        }
        chain = next;
    }
    chain
}
