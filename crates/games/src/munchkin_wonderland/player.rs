//! What one player has.

use serde::{Deserialize, Serialize};

use super::place::Place;
use super::room::Room;
use super::treasure::{Treasure, different};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    pub place: Place,
    /// Friends in play, in byte order.
    pub friends: Vec<Treasure>,
    /// In byte order, copies repeated.
    pub hand: Vec<Treasure>,
    /// Those cards of the hand that everybody has seen come into it.
    pub seen: Vec<Treasure>,
}

impl Player {
    pub fn new(place: Place) -> Player {
        Player { place, friends: vec![], hand: vec![], seen: vec![] }
    }

    /// Takes a card into the hand that nobody else sees.
    pub fn draw(&mut self, card: Treasure) {
        insert(&mut self.hand, card);
    }

    /// Takes a card into the hand before everybody's eyes.
    pub fn take(&mut self, card: Treasure) {
        insert(&mut self.hand, card);
        insert(&mut self.seen, card);
    }

    /// A card leaves the hand. Whether it was there.
    pub fn spend(&mut self, card: Treasure) -> bool {
        // Of two that are alike, one seen and one not, it may as well be the one seen.
        remove(&mut self.seen, card);
        remove(&mut self.hand, card)
    }

    /// A Friend comes into play.
    pub fn befriend(&mut self, friend: Treasure) {
        insert(&mut self.friends, friend);
    }

    /// A Friend leaves. Whether it was in play.
    pub fn part_with(&mut self, friend: Treasure) -> bool {
        remove(&mut self.friends, friend)
    }

    /// MW-49: the Gold of the hand.
    pub fn gold(&self) -> u16 {
        self.hand.iter().map(|card| u16::from(card.gold())).sum()
    }

    /// MW-30: the Power of the Friends in play.
    pub fn friends_power(&self, room: Room) -> u8 {
        self.friends.iter().map(|friend| friend.bonus_in(room)).fold(0, u8::saturating_add)
    }

    /// Each card of the hand once.
    pub fn different(&self) -> impl Iterator<Item = Treasure> {
        different(&self.hand)
    }

    /// The cards of the hand that only their owner knows.
    pub fn unseen(&self) -> Vec<Treasure> {
        let mut unseen = self.hand.clone();
        self.seen.iter().for_each(|card| {
            remove(&mut unseen, *card);
        });
        unseen
    }
}

fn insert(cards: &mut Vec<Treasure>, card: Treasure) {
    let place = cards.partition_point(|other| *other < card);
    cards.insert(place, card);
}

fn remove(cards: &mut Vec<Treasure>, card: Treasure) -> bool {
    let place = cards.binary_search(&card);
    place.map(|place| cards.remove(place)).is_ok()
}
