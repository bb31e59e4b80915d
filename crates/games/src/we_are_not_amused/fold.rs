//! Folding: what each fact makes of the table. Nothing is decided here, and no event, however odd, does any harm.

use super::WeAreNotAmused;
use super::card::{DeckCard, GardenCard};
use super::cell::Cell;
use super::deck::{Deck, Pile};
use super::event::{After, Event, Turn};
use super::phase::Phase;

impl WeAreNotAmused {
    pub(super) fn fold(&mut self, event: &Event) {
        match event {
            // Swept up again; nothing of it stays.
            Event::WalledIn { .. } => {}
            Event::LaidOut { garden, deck } => {
                self.garden = *garden;
                self.deck = Deck::face_down(*deck);
                self.phase = Phase::Turning;
            }
            Event::Turned { cards, to } => self.turn_over(cards.len(), *to),
            Event::Passed { .. } | Event::PassedAll { .. } => self.phase = Phase::Turning,
            Event::Attacked { at, card, cat, after } => {
                self.discard_played();
                match cat {
                    Some(cat) => self.set_aside(*cat, GardenCard::Cat),
                    None => self.set_aside(*at, *card),
                }
                self.follow(after);
            }
            Event::Painted { at, gardener, after } => {
                self.discard_played();
                match gardener {
                    Some(gardener) => self.set_aside(*gardener, GardenCard::Gardener),
                    None => self.garden.put(*at, GardenCard::Red),
                }
                self.follow(after);
            }
            Event::Vanished { at, after } => {
                self.discard_played();
                self.set_aside(*at, GardenCard::Cat);
                self.follow(after);
            }
            Event::Swapped { card } => {
                self.discard.pop();
                self.discard.push(self.deck.exchange_last(*card).unwrap_or(DeckCard::Cat));
                self.follow(&After::NOTHING);
            }
            Event::Collected { at, after } => {
                self.discard_played();
                self.garden.take(*at);
                self.collected = self.collected.saturating_add(1);
                self.follow(after);
            }
            Event::Planted { at, after } | Event::Filled { at, after } => {
                self.deck.take_last();
                self.garden.put(*at, GardenCard::Bramble);
                self.follow(after);
            }
            Event::CameRound { cycle, idle } => {
                self.deck.turn_back();
                self.begin_cycle(*cycle, *idle);
            }
            Event::Stuck => self.phase = Phase::Stuck,
            Event::Shuffled { deck } => self.shuffle_in(*deck),
            Event::Over { why, .. } => self.phase = Phase::Over(*why),
        }
    }

    fn turn_over(&mut self, cards: usize, to: Turn) {
        self.deck.turn(cards);
        self.turns = self.turns.saturating_add(1);
        self.playable |= to != Turn::Nothing;
        self.phase = match to {
            Turn::Play => Phase::Play,
            Turn::Plant => Phase::Plant,
            Turn::Pass | Turn::Nothing => Phase::Turning,
        };
    }

    fn shuffle_in(&mut self, deck: Pile) {
        self.deck = Deck::face_down(deck);
        self.discard = Pile::EMPTY;
        self.shuffles_left = self.shuffles_left.saturating_sub(1);
        // WNA-36: a shuffle starts afresh.
        self.begin_cycle(self.cycle.saturating_add(1), false);
    }

    /// WNA-14: the played card goes on top of the discard pile.
    fn discard_played(&mut self) {
        if let Some(card) = self.deck.take_last() {
            self.discard.push(card);
        }
    }

    fn set_aside(&mut self, cell: Cell, card: GardenCard) {
        self.garden.take(cell);
        self.aside.add(card);
    }

    /// What followed a play.
    fn follow(&mut self, after: &After) {
        for bramble in after.withered.iter() {
            self.set_aside(bramble, GardenCard::Bramble);
        }
        self.delivered = self.delivered.saturating_add(after.laid);
        self.collected = self.collected.saturating_sub(after.laid);
        self.played = true;
        self.phase = Phase::Turning;
    }

    fn begin_cycle(&mut self, cycle: u16, idle_before: bool) {
        self.cycle = cycle;
        self.idle_before = idle_before;
        self.played = false;
        self.playable = false;
        self.phase = Phase::Turning;
    }
}
