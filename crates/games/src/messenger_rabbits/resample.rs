//! What is hidden from a viewer, dealt anew.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};

use super::MessengerRabbits;
use super::SEATS;
use super::cards::Cards;
use super::phase::Phase;
use wonderpost_rules::{Card, Rules, Seat, Viewer};

/// How often the hidden cards are dealt until they agree with what the phase tells of a hand.
const TRIES: usize = 60;

impl MessengerRabbits {
    pub(super) fn resampled_for(&self, viewer: Viewer, rng: &mut dyn rand::Rng) -> MessengerRabbits {
        let mut resampled = self.dealt_anew(viewer, rng);
        for _ in 0..TRIES {
            if resampled.agrees_with_phase(viewer) {
                break;
            }
            resampled = self.dealt_anew(viewer, rng);
        }
        resampled.answer_anew(viewer, rng);
        resampled
    }

    /// The cards of others and the pile change places, but for those that the viewer has seen in a hand.
    fn dealt_anew(&self, viewer: Viewer, mut rng: &mut dyn rand::Rng) -> MessengerRabbits {
        let mut resampled = self.clone();
        // When the game is over all hands are shown, and only the order of the pile is not.
        let hidden = |seat: Seat| match self.phase {
            Phase::Over => Cards::EMPTY,
            _ if viewer == Viewer::Seat(seat) => Cards::EMPTY,
            _ => (self.hand(seat) & Cards::COMMON) - self.seen[viewer.seat().map_or(SEATS, Seat::index)],
        };
        let mut cards: Vec<Card> = self.pile.clone();
        self.seats().for_each(|seat| cards.extend(hidden(seat).iter()));
        // Where they really are must not matter.
        cards.sort_unstable();
        cards.shuffle(&mut rng);
        for seat in self.seats() {
            let count = hidden(seat).len();
            let dealt: Cards = cards.drain(..count).collect();
            resampled.hands[seat.index()] = (self.hand(seat) - hidden(seat)) | dealt;
        }
        resampled.pile = cards;
        resampled
    }

    /// Prompts that are skipped where they would offer nothing tell something of a hand.
    fn agrees_with_phase(&self, viewer: Viewer) -> bool {
        if viewer == Viewer::Seat(self.active) {
            return true;
        }
        match self.phase {
            Phase::Takeoff | Phase::Lottery | Phase::Visit | Phase::Prove => self.legal_moves(self.active).len() > 1,
            Phase::Pay => !self.legal_moves(self.active).is_empty(),
            Phase::Trade => !self.wares().is_empty(),
            _ => true,
        }
    }

    /// Secret answers and offers of others are made anew, from the hands that are imagined.
    fn answer_anew(&mut self, viewer: Viewer, rng: &mut dyn rand::Rng) {
        if let Some(mut contest) = self.contest.take_if(|_| self.phase == Phase::Contest) {
            let asked: Vec<Seat> = contest.asked.iter().collect();
            for (seat, answer) in asked.into_iter().zip(&mut contest.answers) {
                if answer.is_some() && viewer != Viewer::Seat(seat) {
                    let hearts = self.hearts_to_show(seat).first().copied().unwrap_or_default();
                    *answer = Some(if rng.random() { hearts } else { Cards::EMPTY });
                }
            }
            self.contest = Some(contest);
        }
        let wares = self.wares().to_vec();
        if let Some(offer) = &mut self.offer
            && ![Viewer::Seat(offer.from), Viewer::Seat(offer.to)].contains(&viewer)
            && let Some(card) = wares.choose(rng)
        {
            offer.card = *card;
        }
    }
}
