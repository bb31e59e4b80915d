//! Kinds of cards, and how they fare against each other.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::card_set::CardSet;
use wonderpost_rules::{Card, Rank, Suit};

/// The role card: it lies before the Red Queen and is no part of the game's 53.
pub const QUEEN_OF_HEARTS: Card = Card::Plain(Suit::Hearts, Rank::Queen);

/// The four cards that can slay the Red Queen, sorted.
pub const KILLERS: [Card; 4] =
    [Card::Plain(Suit::Hearts, Rank::Jack), Card::Plain(Suit::Diamonds, Rank::Queen), Card::BlackJoker, Card::RedJoker];

/// RQ-2: the 53 cards in their starting order.
pub static DECK: LazyLock<Vec<Card>> = LazyLock::new(|| {
    Card::plain().chain([Card::BlackJoker, Card::RedJoker]).filter(|card| *card != QUEEN_OF_HEARTS).collect()
});

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Number,
    Jack,
    /// A Lady-in-Waiting.
    Lady,
    King,
    Ace,
    Joker,
}

impl Kind {
    pub const ALL: [Kind; 6] = [Kind::Number, Kind::Jack, Kind::Lady, Kind::King, Kind::Ace, Kind::Joker];

    pub const fn of(card: Card) -> Kind {
        match card {
            Card::BlackJoker | Card::RedJoker => Kind::Joker,
            Card::Plain(_, rank) => match rank {
                Rank::Jack => Kind::Jack,
                Rank::Queen => Kind::Lady,
                Rank::King => Kind::King,
                Rank::Ace => Kind::Ace,
                Rank::Two
                | Rank::Three
                | Rank::Four
                | Rank::Five
                | Rank::Six
                | Rank::Seven
                | Rank::Eight
                | Rank::Nine
                | Rank::Ten => Kind::Number,
            },
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Kind::Number => "number",
            Kind::Jack => "jack",
            Kind::Lady => "lady",
            Kind::King => "king",
            Kind::Ace => "ace",
            Kind::Joker => "joker",
        }
    }
}

/// How a fight ended for the attacker.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fight {
    Win,
    Lose,
    Draw,
}

/// RQ-13: the combat table.
pub fn fight(attacker: Card, member: Card) -> Fight {
    match kinds(Kind::of(attacker), Kind::of(member)) {
        Some(fight) => fight,
        None => match rank(attacker).cmp(&rank(member)) {
            std::cmp::Ordering::Greater => Fight::Win,
            std::cmp::Ordering::Equal => Fight::Draw,
            std::cmp::Ordering::Less => Fight::Lose,
        },
    }
}

/// The combat table by kinds; `None` where the ranks decide.
pub const fn kinds(attacker: Kind, member: Kind) -> Option<Fight> {
    Some(match (attacker, member) {
        (Kind::Number, Kind::Number) => return None,
        (Kind::Ace | Kind::Joker, _) => Fight::Win,
        (Kind::Jack | Kind::Lady | Kind::King, Kind::Number) => Fight::Win,
        (Kind::Number | Kind::Jack | Kind::Lady | Kind::King, Kind::Ace | Kind::Joker) => Fight::Lose,
        (Kind::Number, Kind::Jack | Kind::Lady | Kind::King) => Fight::Lose,
        (Kind::Jack, Kind::Jack) | (Kind::Lady, Kind::Lady) | (Kind::King, Kind::King) => Fight::Win,
        (Kind::Jack | Kind::Lady | Kind::King, Kind::Jack | Kind::Lady | Kind::King) => Fight::Draw,
    })
}

pub const fn is_killer(card: Card) -> bool {
    matches!(
        card,
        Card::Plain(Suit::Hearts, Rank::Jack)
            | Card::Plain(Suit::Diamonds, Rank::Queen)
            | Card::BlackJoker
            | Card::RedJoker
    )
}

pub const fn is_ace(card: Card) -> bool {
    matches!(card, Card::Plain(_, Rank::Ace))
}

pub fn killers() -> CardSet {
    KILLERS.into_iter().collect()
}

pub fn aces() -> CardSet {
    Suit::ALL.into_iter().map(|suit| Card::Plain(suit, Rank::Ace)).collect()
}

/// Where a card stands in the discard order: the least is given up first.
pub fn worth(card: Card) -> u8 {
    match KILLERS.iter().position(|killer| *killer == card) {
        Some(place) => 52 + place as u8,
        None => match card {
            Card::Plain(suit, rank) => rank as u8 * 4 + suit as u8,
            Card::BlackJoker | Card::RedJoker => u8::MAX,
        },
    }
}

const fn rank(card: Card) -> Option<Rank> {
    match card {
        Card::Plain(_, rank) => Some(rank),
        Card::BlackJoker | Card::RedJoker => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Deserialize)]
    struct Data {
        role_card: Card,
        deck: Vec<Card>,
        kinds: BTreeMap<Kind, Vec<Card>>,
        killers: Vec<Card>,
        combat: BTreeMap<Kind, BTreeMap<Kind, String>>,
        discard_order: Vec<Card>,
    }

    fn data() -> Data {
        serde_json::from_str(include_str!("red-queen.json")).unwrap()
    }

    #[test]
    fn cards_and_kinds_are_those_of_the_data() {
        let data = data();
        assert_eq!(*DECK, data.deck);
        assert_eq!(QUEEN_OF_HEARTS, data.role_card);
        assert_eq!(KILLERS.to_vec(), data.killers);
        assert!(data.deck.iter().all(|card| is_killer(*card) == data.killers.contains(card)));
        assert!(data.deck.iter().all(|card| is_ace(*card) == data.kinds[&Kind::Ace].contains(card)));
        for (kind, cards) in data.kinds {
            assert!(cards.iter().all(|card| Kind::of(*card) == kind), "{kind:?}");
        }
    }

    #[test]
    fn the_combat_table_is_that_of_the_data() {
        for (attacker, row) in data().combat {
            for (member, word) in row {
                let expected = match word.as_str() {
                    "win" => Some(Fight::Win),
                    "lose" => Some(Fight::Lose),
                    "draw" => Some(Fight::Draw),
                    _ => None,
                };
                assert_eq!(kinds(attacker, member), expected, "{attacker:?} attacks {member:?}");
            }
        }
        let [nine, ten, other]: [Card; 3] = ["9C", "10D", "10S"].map(|text| text.parse().unwrap());
        assert_eq!([fight(ten, nine), fight(nine, ten), fight(ten, other)], [Fight::Win, Fight::Lose, Fight::Draw]);
    }

    #[test]
    fn cards_are_given_up_in_the_order_of_the_data() {
        let mut cards = DECK.clone();
        cards.sort_by_key(|card| worth(*card));
        assert_eq!(cards, data().discard_order);
    }
}
