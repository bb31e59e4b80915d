//! The course of play: what happens by itself between two decisions.

use super::WeAreNotAmused;
use super::card::DeckCard;
use super::event::{Event, Turn};
use super::phase::{Ended, Phase};

/// How many roses there are.
pub const ROSES: u8 = 12;

impl WeAreNotAmused {
    /// What happens next by itself; `None` if a decision is due or the game is over.
    /// With `passing` the cards that could be played are let pass.
    pub(super) fn next_event(&self, passing: bool) -> Option<Event> {
        match self.phase {
            Phase::Turning => Some(self.next_turn(passing)),
            Phase::Plant => {
                // WNA-28: a single gap is filled without asking.
                let gaps = self.garden.gaps();
                let at = gaps.first().filter(|_| gaps.len() == 1)?;
                Some(Event::Filled { at, after: self.after_planting(at) })
            }
            Phase::Play | Phase::Stuck | Phase::Over(_) => None,
        }
    }

    fn next_turn(&self, passing: bool) -> Event {
        // WNA-33: first the walled-in Queen, then the twelfth rose, then the next turn.
        if self.garden.queen_walled_in() {
            // WNA-39: whatever has been delivered.
            return Event::Over { why: Ended::Surrounded, score: 0 };
        }
        if self.delivered >= ROSES {
            // WNA-40
            return Event::Over { why: Ended::Delivered, score: self.delivered };
        }
        let cards = self.deck.next_turn();
        let Some(revealed) = cards.last() else { return self.end_of_cycle() };
        let to = match revealed {
            // WNA-27: in a full garden it stays in the pile.
            DeckCard::Bramble if self.garden.gaps().is_empty() => Turn::Nothing,
            // WNA-26
            DeckCard::Bramble => Turn::Plant,
            // WNA-11
            card if !self.can_play(*card) => Turn::Nothing,
            // WNA-13
            _ if passing => Turn::Pass,
            _ => Turn::Play,
        };
        Event::Turned { cards: cards.iter().copied().collect(), to }
    }

    fn end_of_cycle(&self) -> Event {
        if !self.stuck() {
            // WNA-15
            return Event::CameRound { cycle: self.cycle.saturating_add(1), idle: !self.played };
        }
        // WNA-37
        if self.shuffles_left > 0 { Event::Stuck } else { Event::Over { why: Ended::Stuck, score: self.delivered } }
    }

    /// WNA-36: whether the player is stuck at the end of this cycle.
    fn stuck(&self) -> bool {
        let idle = !self.played;
        let nothing_playable = idle && !self.playable;
        let idle_twice = idle && self.idle_before;
        nothing_playable || idle_twice || self.deck.cards().is_empty()
    }
}
