//! What everybody sees of the table. The player has no secrets.

use serde::{Deserialize, Serialize};

use super::WeAreNotAmused;
use super::card::{DeckCard, GardenCard};
use super::cell::CellSet;
use super::garden::Garden;
use super::phase::{Ended, Phase, Verdict};

/// The table as the view shows it.
#[derive(Clone, Debug, Serialize)]
pub struct PublicView {
    /// Each cell's card; written as an object with 49 keys.
    pub garden: Garden,
    /// WNA-7: all cards with an exposed short edge, the Queen and Brambles too.
    pub exposed: CellSet,
    pub path_open: bool,
    /// The card to be decided on; it is the last of `turned`.
    pub revealed: Option<DeckCard>,
    pub turned: Vec<DeckCard>,
    /// The face-down cards in the order in which they come; `None` where not known.
    pub ahead: Vec<Option<DeckCard>>,
    /// How many of each card are among those ahead not known.
    pub unseen: Unseen,
    /// The discard pile, top last.
    pub discard: Vec<DeckCard>,
    pub aside: Aside,
    pub collected: u8,
    pub delivered: u8,
    pub shuffles_left: u8,
    pub cycle: u16,
    pub turns: u16,
    /// Another idle cycle, and the player is stuck.
    pub last_chance: bool,
    pub ended: Option<Ended>,
    pub verdict: Option<Verdict>,
}

/// What the player alone sees: nothing.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PrivateView {}

/// Counts of cards not yet seen.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Unseen {
    pub alice: u8,
    pub bramble: u8,
    pub soldier: u8,
    pub gardener: u8,
    pub cat: u8,
}

impl Unseen {
    fn of(cards: &[DeckCard]) -> Unseen {
        let mut unseen = Unseen::default();
        for card in cards {
            match card {
                DeckCard::Alice => unseen.alice += 1,
                DeckCard::Bramble => unseen.bramble += 1,
                DeckCard::Soldier => unseen.soldier += 1,
                DeckCard::Gardener => unseen.gardener += 1,
                DeckCard::Cat => unseen.cat += 1,
            }
        }
        unseen
    }

    pub const fn count(&self, card: DeckCard) -> u8 {
        match card {
            DeckCard::Alice => self.alice,
            DeckCard::Bramble => self.bramble,
            DeckCard::Soldier => self.soldier,
            DeckCard::Gardener => self.gardener,
            DeckCard::Cat => self.cat,
        }
    }
}

/// Counts of the cards removed from the garden.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Aside {
    pub bramble: u8,
    pub soldier: u8,
    pub gardener: u8,
    pub cat: u8,
}

impl Aside {
    /// Sets a card aside. Roses and the Queen never are.
    pub fn add(&mut self, card: GardenCard) {
        match card {
            GardenCard::Bramble => self.bramble = self.bramble.saturating_add(1),
            GardenCard::Soldier => self.soldier = self.soldier.saturating_add(1),
            GardenCard::Gardener => self.gardener = self.gardener.saturating_add(1),
            GardenCard::Cat => self.cat = self.cat.saturating_add(1),
            GardenCard::Queen | GardenCard::White | GardenCard::Red => {}
        }
    }
}

impl PublicView {
    pub fn of(state: &WeAreNotAmused) -> PublicView {
        let over = state.ended().is_some();
        let ahead = state.deck.ahead();
        let known = if over { ahead.len() } else { state.deck.known_ahead().min(ahead.len()) };
        PublicView {
            garden: state.garden,
            exposed: state.garden.exposed(),
            path_open: state.garden.path_open(),
            revealed: state.revealed(),
            turned: state.deck.turned().to_vec(),
            ahead: ahead.iter().enumerate().map(|(place, card)| (place < known).then_some(*card)).collect(),
            unseen: Unseen::of(&ahead[known..]),
            discard: state.discard.to_vec(),
            aside: state.aside,
            collected: state.collected,
            delivered: state.delivered,
            shuffles_left: state.shuffles_left,
            cycle: state.cycle,
            turns: state.turns,
            last_chance: matches!(state.phase, Phase::Play | Phase::Plant) && state.last_chance(),
            ended: state.ended(),
            verdict: over.then(|| Verdict::of(state.score())),
        }
    }
}
