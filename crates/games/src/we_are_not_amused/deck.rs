//! Piles of the player's cards, and the deck that comes round and round.

use std::fmt;
use std::ops::Deref;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::card::DeckCard;

/// How many cards are turned over at once.
pub const TURN: usize = 3;

/// The most cards that a pile can hold: the whole deck.
const MOST: usize = 44;

/// A pile of cards in order, first on top. Written as one letter a card.
#[derive(Copy, Clone)]
pub struct Pile {
    cards: [DeckCard; MOST],
    len: u8,
}

impl Pile {
    pub const EMPTY: Pile = Pile { cards: [DeckCard::Alice; MOST], len: 0 };

    /// Puts a card at the end. A pile holds no more than there are cards in the game.
    pub fn push(&mut self, card: DeckCard) {
        if let Some(place) = self.cards.get_mut(self.len as usize) {
            *place = card;
            self.len += 1;
        }
    }

    pub fn pop(&mut self) -> Option<DeckCard> {
        let last = self.last().copied()?;
        self.len -= 1;
        Some(last)
    }

    /// Takes out the card at this place, if there is one; those behind it move up.
    pub fn remove(&mut self, place: usize) -> Option<DeckCard> {
        let card = self.get(place).copied()?;
        self.cards.copy_within(place + 1..self.len as usize, place);
        self.len -= 1;
        Some(card)
    }

    pub fn cards_mut(&mut self) -> &mut [DeckCard] {
        &mut self.cards[..self.len as usize]
    }

    pub fn count(&self, card: DeckCard) -> usize {
        self.iter().filter(|other| **other == card).count()
    }
}

impl Default for Pile {
    fn default() -> Pile {
        Pile::EMPTY
    }
}

impl Deref for Pile {
    type Target = [DeckCard];

    fn deref(&self) -> &[DeckCard] {
        &self.cards[..self.len as usize]
    }
}

impl PartialEq for Pile {
    fn eq(&self, other: &Pile) -> bool {
        **self == **other
    }
}

impl Eq for Pile {}

impl std::hash::Hash for Pile {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        (**self).hash(hasher);
    }
}

impl FromIterator<DeckCard> for Pile {
    fn from_iter<I: IntoIterator<Item = DeckCard>>(cards: I) -> Pile {
        let mut pile = Pile::EMPTY;
        cards.into_iter().for_each(|card| pile.push(card));
        pile
    }
}

impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|card| fmt::Write::write_char(f, card.letter()))
    }
}

impl fmt::Debug for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pile({self})")
    }
}

impl Serialize for Pile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pile, D::Error> {
        struct Letters;

        impl serde::de::Visitor<'_> for Letters {
            type Value = Pile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("up to 44 letters of ABSGC")
            }

            fn visit_str<E: Error>(self, letters: &str) -> Result<Pile, E> {
                let pile: Option<Pile> = letters.chars().map(DeckCard::from_letter).collect();
                pile.filter(|_| letters.len() <= MOST).ok_or_else(|| E::custom("a pile is up to 44 letters of ABSGC"))
            }
        }

        deserializer.deserialize_str(Letters)
    }
}

/// The player's deck: one pile in a fixed order, first the cards turned over in this cycle, then those ahead.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Deck {
    cards: Pile,
    turned: u8,
    /// How many from the front have been turned over since the last shuffle.
    known: u8,
}

impl Deck {
    /// A deck put down face down, with nothing of its order known.
    pub const fn face_down(cards: Pile) -> Deck {
        Deck { cards, turned: 0, known: 0 }
    }

    /// All cards in their order.
    pub fn cards(&self) -> &Pile {
        &self.cards
    }

    /// The cards turned over in this cycle, first turned first.
    pub fn turned(&self) -> &[DeckCard] {
        self.cards.split_at_checked(self.turned as usize).unwrap_or((&self.cards, &[])).0
    }

    /// The cards still face down, in the order in which they come. Nobody may know what is beyond [`Deck::known_ahead`].
    pub fn ahead(&self) -> &[DeckCard] {
        self.cards.get(self.turned as usize..).unwrap_or_default()
    }

    /// How many of the cards ahead were turned over before, in another cycle.
    pub const fn known_ahead(&self) -> usize {
        self.known.saturating_sub(self.turned) as usize
    }

    /// The cards whose order nobody knows.
    pub fn unknown_mut(&mut self) -> &mut [DeckCard] {
        self.cards.cards_mut().get_mut(self.known as usize..).unwrap_or_default()
    }

    /// WNA-9, WNA-10: what the next turn turns over.
    pub fn next_turn(&self) -> &[DeckCard] {
        let ahead = self.ahead();
        &ahead[..ahead.len().min(TURN)]
    }

    /// Turns over so many cards.
    pub fn turn(&mut self, cards: usize) {
        self.turned = (self.turned as usize + cards).min(self.cards.len()) as u8;
        self.known = self.known.max(self.turned);
    }

    /// WNA-15: the pile is turned over unshuffled.
    pub const fn turn_back(&mut self) {
        self.turned = 0;
    }

    /// The last card turned over: the one that may be played.
    pub fn last(&self) -> Option<DeckCard> {
        self.turned().last().copied()
    }

    /// WNA-14: takes the last card turned over out of the pile.
    pub fn take_last(&mut self) -> Option<DeckCard> {
        let place = (self.turned as usize).checked_sub(1)?;
        let card = self.cards.remove(place)?;
        self.turned -= 1;
        self.known = self.known.saturating_sub(1);
        Some(card)
    }

    /// WNA-23: puts a card in the place of the last one turned over, and gives that one back.
    pub fn exchange_last(&mut self, card: DeckCard) -> Option<DeckCard> {
        let place = (self.turned as usize).checked_sub(1)?;
        let last = self.cards.cards_mut().get_mut(place)?;
        Some(std::mem::replace(last, card))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deck(letters: &str) -> Deck {
        Deck::face_down(serde_json::from_value(letters.into()).unwrap())
    }

    #[test]
    fn three_cards_are_turned_at_once_and_what_was_turned_stays_known() {
        let mut deck = deck("ABSGC");
        assert_eq!(deck.next_turn(), [DeckCard::Alice, DeckCard::Bramble, DeckCard::Soldier]);
        deck.turn(3);
        assert_eq!(deck.last(), Some(DeckCard::Soldier));
        assert_eq!(deck.next_turn(), [DeckCard::Gardener, DeckCard::Cat]);
        assert_eq!(deck.known_ahead(), 0);
        deck.turn_back();
        assert_eq!(deck.known_ahead(), 3);
        assert_eq!(deck.unknown_mut().len(), 2);
    }

    #[test]
    fn a_card_taken_out_moves_up_those_behind_it() {
        let mut deck = deck("ABSGC");
        deck.turn(3);
        assert_eq!(deck.take_last(), Some(DeckCard::Soldier));
        assert_eq!(deck.cards().to_string(), "ABGC");
        assert_eq!(deck.turned().len(), 2);
        assert_eq!(deck.exchange_last(DeckCard::Cat), Some(DeckCard::Bramble));
        assert_eq!(deck.cards().to_string(), "ACGC");
    }

    #[test]
    fn an_empty_deck_gives_nothing_and_does_not_mind() {
        let mut deck = Deck::default();
        deck.turn(3);
        assert_eq!((deck.last(), deck.take_last(), deck.exchange_last(DeckCard::Cat)), (None, None, None));
        assert!(deck.next_turn().is_empty());
    }

    #[test]
    fn a_pile_is_letters_of_its_cards_and_no_others() {
        for letters in ["", "ABSGC"] {
            let pile: Pile = serde_json::from_value(letters.into()).unwrap();
            assert_eq!(serde_json::to_value(pile).unwrap(), letters);
        }
        assert!(serde_json::from_value::<Pile>("Q".into()).is_err());
        assert!(serde_json::from_value::<Pile>("A".repeat(45).into()).is_err());
    }
}
